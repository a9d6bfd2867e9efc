/** Parses JSON, and rejects what parsing would silently change: duplicate names, and numbers that a double rounds. */
import { type Failure, InvalidInput, InvalidJson, PayloadTooLarge } from "@svc/core"
import * as Result from "effect/Result"

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/** The index after the string that begins at `start`. */
const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (text.charCodeAt(i) !== quote) i += text.charCodeAt(i) === backslash ? 2 : 1
  return i + 1
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const continuesNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65

/** The decimal digits of a number without sign, point, exponent and outer zeros. */
const digitsOf = (number: string): string =>
  (number.toLowerCase().split("e", 1)[0] ?? "").replaceAll(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "")

/** Bounds the work on one number, in characters. */
const maxNumberLength = 400

const isRounded = (number: string): boolean => {
  if (number.length > maxNumberLength) return true
  // Short plain decimals are exact; one with an exponent may also vanish to zero.
  if (number.length <= 15 && !/[eE]/.test(number)) return false
  const value = Number(number)
  return Number.isFinite(value) && digitsOf(number) !== digitsOf(String(value))
}

/** What parsing would silently change, as a sentence; undefined if nothing. One pass over well-formed text. */
export const lossyJsonProblem = (text: string): string | undefined => {
  const open: Array<Set<string> | undefined> = []
  let i = 0
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      const start = i
      i = endOfString(text, i)
      const names = open.at(-1)
      if (names === undefined) continue
      let next = i
      while (isSpace(text.charCodeAt(next))) next++
      if (text[next] !== ":") continue
      const raw = text.slice(start, i)
      const name: string = raw.includes("\\") ? JSON.parse(raw) : raw.slice(1, -1)
      if (names.has(name)) {
        return `The name ${JSON.stringify(name.slice(0, 64).toWellFormed())} appears twice in one object. Send it once.`
      }
      names.add(name)
    } else if (isDigit(code) || code === 0x2d) {
      const start = i
      while (continuesNumber(text.charCodeAt(i))) i++
      const number = text.slice(start, i)
      if (isRounded(number)) {
        return `The number ${number.slice(0, 40)} has more digits than can be stored. Send it as a string.`
      }
    } else {
      if (text[i] === "{") open.push(new Set())
      else if (text[i] === "[") open.push(undefined)
      else if (text[i] === "}" || text[i] === "]") open.pop()
      i++
    }
  }
  return undefined
}

/** Texts up to this length may have any number of values, in characters. */
const uncheckedLength = 1024 * 1024

/** Maximum values of a longer text. A file in one string has a few, a thousand leads some ten thousand. */
const maxValues = 200_000

/** Whether a long text has more values than any input. Counts commas, which is faster than parsing. */
const hasTooManyValues = (text: string): boolean => {
  if (text.length <= uncheckedLength) return false
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      // The end of the string: a quote after an even number of backslashes.
      do {
        i = text.indexOf('"', i + 1)
        if (i === -1) return false
      } while (isEscaped(text, i))
    } else if (code === comma && ++values > maxValues) return true
  }
  return false
}

const isEscaped = (text: string, index: number): boolean => {
  let start = index
  while (text.charCodeAt(start - 1) === backslash) start--
  return (index - start) % 2 === 1
}

/** Parses JSON. Fails with INVALID_JSON, PAYLOAD_TOO_LARGE, or INVALID_INPUT for a {@link lossyJsonProblem}. */
export const parseJson = (text: string): Result.Result<unknown, Failure> => {
  if (hasTooManyValues(text)) {
    return Result.fail(
      new PayloadTooLarge({ message: "The body has more than 200,000 values. Send less data per request." })
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return Result.fail(new InvalidJson({ message: "The body is not well-formed JSON. Send one JSON object." }))
  }
  const problem = lossyJsonProblem(text)
  return problem === undefined ? Result.succeed(value) : Result.fail(new InvalidInput({ message: problem }))
}
