/**
 * Parses JSON, and rejects what parsing would silently change: duplicate names, and numbers that a double rounds. Objects and lists
 * with more members than any input are rejected before they are parsed, since parsing alone would hold up other requests.
 */
import { type Failure, InvalidInput, InvalidJson, PayloadTooLarge } from "@svc/core"
import { boundProblem, formatPath, maxDepth } from "@svc/core/internal"
import * as Result from "effect/Result"

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

const isEscaped = (text: string, index: number): boolean => {
  let start = index
  while (text.charCodeAt(start - 1) === backslash) start--
  return (index - start) % 2 === 1
}

/** The index after the string that begins at `start`; that of the end of the text for one without an end. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
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

/** An object or list that the text has begun and not ended. */
interface Open {
  /** Names so far; undefined for a list. */
  readonly names: Set<string> | undefined
  /** Members before the current one, and its name or index. */
  members: number
  current: string | number
}

/** A name as it is after parsing; as it is written where it is not well-formed, which parsing then says. */
const nameIn = (raw: string): string =>
  raw.includes("\\")
    ? Result.getOrElse(
        Result.try((): string => JSON.parse(raw)),
        () => raw
      )
    : raw.slice(1, -1)

/** Why a text is refused though it may be JSON. `isTooLarge`: it must not even be parsed. */
interface JsonTextProblem {
  readonly isTooLarge: boolean
  readonly failure: Failure
}

/** Levels of a body: those of an input, and of a message of a protocol around it. */
export const maxBodyDepth = maxDepth + 4

/** Texts up to this length may have any number of values, in characters. */
const uncheckedLength = 1024 * 1024

/** Maximum values of a longer text. A file in one string has a few, a thousand leads some ten thousand. */
const maxValues = 200_000

/** What is wrong with a text beside its syntax; undefined if nothing. One pass, which ends where the text is too large. */
export const jsonTextProblem = (text: string): JsonTextProblem | undefined => {
  const open: Array<Open> = []
  let lossy: string | undefined
  let values = 0
  let i = 0
  const tooLarge = (message: string) => ({
    isTooLarge: true,
    failure: new InvalidInput({
      message: `${formatPath(open.map(({ current }) => current)) || "The input"}: ${message}.`
    })
  })
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      const start = i
      i = endOfString(text, i)
      const inner = open.at(-1)
      if (inner?.names === undefined) continue
      let next = i
      while (isSpace(text.charCodeAt(next))) next++
      if (text[next] !== ":") continue
      const name = nameIn(text.slice(start, i))
      if (inner.names.has(name)) {
        lossy ??= `The name ${JSON.stringify(name.slice(0, 64).toWellFormed())} appears twice in one object. Send it once.`
      }
      inner.names.add(name)
      inner.current = name
    } else if (isDigit(code) || code === 0x2d) {
      const start = i
      while (continuesNumber(text.charCodeAt(i))) i++
      const number = text.slice(start, i)
      if (isRounded(number)) {
        lossy ??= `The number ${number.slice(0, 40)} has more digits than can be stored. Send it as a string.`
      }
    } else {
      const inner = open.at(-1)
      if (code === comma && inner !== undefined) {
        inner.members++
        if (inner.names === undefined) inner.current = inner.members
        const problem = boundProblem(inner.members + 1, inner.names === undefined)
        if (problem !== undefined) {
          open.pop()
          return tooLarge(problem)
        }
        if (++values > maxValues && text.length > uncheckedLength) {
          const message = "The body has more than 200,000 values. Send less data per request."
          return { isTooLarge: true, failure: new PayloadTooLarge({ message }) }
        }
      }
      if (text[i] === "{") open.push({ names: new Set(), members: 0, current: "" })
      else if (text[i] === "[") open.push({ names: undefined, members: 0, current: 0 })
      else if (text[i] === "}" || text[i] === "]") open.pop()
      if (open.length > maxBodyDepth) {
        open.splice(4)
        return tooLarge(`must be nested at most ${maxDepth} levels deep`)
      }
      i++
    }
  }
  return lossy === undefined ? undefined : { isTooLarge: false, failure: new InvalidInput({ message: lossy }) }
}

/** Parses JSON. Fails with INVALID_JSON, or as {@link jsonTextProblem} says. */
export const parseJson = (text: string): Result.Result<unknown, Failure> => {
  const problem = jsonTextProblem(text)
  if (problem?.isTooLarge === true) return Result.fail(problem.failure)
  const value = Result.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new InvalidJson({ message: "The body is not well-formed JSON. Send one JSON object." })
  })
  return problem === undefined || Result.isFailure(value) ? value : Result.fail(problem.failure)
}
