/**
 * What may enter as JSON: well-formed Unicode without NUL, finite numbers, at most 32 levels deep.
 *
 * Anything else would be refused or silently changed by a store, so it is refused here, on every surface, before a
 * schema sees it. Source: contract section 1.6.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "./Failure.ts"
import { quote } from "./Quote.ts"

/** The deepest nesting accepted, counting the outermost object as 1. */
export const maxDepth = 32

const plainName = /^[A-Za-z_*][A-Za-z0-9_-]{0,63}$/
const longestName = 40
const longestPath = 90

/** A field name as it can stand in a message: one that is no plain word is quoted, cut, and free of control characters. */
const formatName = (name: string): string => (plainName.test(name) ? name : quote(name, longestName))

/** Writes a path as a reader would: `leads[0].email`. What a caller made up in it is short enough to repeat. */
export const formatPath = (path: ReadonlyArray<PropertyKey>): string => {
  let text = ""
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`
    else text += text === "" ? formatName(String(step)) : `.${formatName(String(step))}`
    if (text.length > longestPath) return `${text.slice(0, longestPath).toWellFormed()}…`
  }
  return text
}

const refuse = (path: ReadonlyArray<PropertyKey>, expectation: string): Failure =>
  fail("INVALID_INPUT", `${formatPath(path) || "The input"}: ${expectation}.`)

const textProblem = (text: string): string | undefined => {
  if (text.includes("\u0000")) return "must not contain the NUL character; remove it"
  if (!text.isWellFormed()) return "must be well-formed Unicode; it holds half of a surrogate pair"
  return undefined
}

/** Finds the first bad value below `value`; `path` is one stack shared by the whole walk. */
const walk = (value: unknown, path: Array<PropertyKey>): Failure | undefined => {
  if (typeof value === "string") {
    const problem = textProblem(value)
    return problem === undefined ? undefined : refuse(path, problem)
  }
  if (typeof value === "number") return Number.isFinite(value) ? undefined : refuse(path, "must be a finite number")
  if (value === null || value === undefined || typeof value === "boolean") return undefined
  if (typeof value !== "object") return refuse(path, "must be a JSON value")
  if (path.length >= maxDepth) return refuse(path.slice(0, 4), `must be nested at most ${maxDepth} levels deep`)
  for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const problem = typeof key === "string" ? textProblem(key) : undefined
    if (problem !== undefined) return refuse(path, `a field name ${problem}`)
    path.push(key)
    const failure = walk(member, path)
    if (failure !== undefined) return failure
    path.pop()
  }
  return undefined
}

/** Succeeds with nothing when the value is acceptable JSON; fails with INVALID_INPUT naming the first bad path. */
export const checkJson = (root: unknown): Result.Result<void, Failure> => {
  const failure = walk(root, [])
  return failure === undefined ? Result.succeed(undefined) : Result.fail(failure)
}
