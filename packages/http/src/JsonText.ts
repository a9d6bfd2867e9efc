/**
 * What parsing would change in JSON without saying so: a name given twice, a number with more digits than a double holds.
 *
 * One pass in linear time over text that is known to be well-formed. Source: contract 1.6 ("never silently changed data").
 */
import { type Failure, fail } from "@svc/core/Failure"
import * as Result from "effect/Result"

const quote = 0x22
const backslash = 0x5c

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

/** More characters than any number of sense has; also bounds the work on one number. */
const longestNumber = 400

const isRounded = (number: string): boolean => {
  if (number.length > longestNumber) return true
  // Short plain decimals are exact; one with an exponent may also vanish to zero.
  if (number.length <= 15 && !/[eE]/.test(number)) return false
  const value = Number(number)
  return Number.isFinite(value) && digitsOf(number) !== digitsOf(String(value))
}

/** What is wrong with the text as a sentence; undefined when parsing keeps all of it. */
export const silentChange = (text: string): string | undefined => {
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
        return `The name ${JSON.stringify(name.slice(0, 64).toWellFormed())} is given twice in one object. Send it once.`
      }
      names.add(name)
    } else if (isDigit(code) || code === 0x2d) {
      const start = i
      while (continuesNumber(text.charCodeAt(i))) i++
      const number = text.slice(start, i)
      if (isRounded(number)) {
        return `The number ${number.slice(0, 40)} has more digits than can be kept. Send it as a string.`
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

/** Reads text as JSON. Fails with INVALID_JSON, and with INVALID_INPUT for what would be changed: {@link silentChange}. */
export const parseJson = (text: string): Result.Result<unknown, Failure> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return Result.fail(fail("INVALID_JSON", "The body is not well-formed JSON. Send one JSON object."))
  }
  const change = silentChange(text)
  return change === undefined ? Result.succeed(value) : Result.fail(fail("INVALID_INPUT", change))
}
