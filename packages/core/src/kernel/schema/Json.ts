/**
 * Which JSON is accepted: well-formed Unicode without NUL, finite numbers, at most 32 levels deep.
 *
 * A store would refuse or silently change anything else, so it is refused here, on every surface, before decoding.
 */
import * as Result from "effect/Result"
import { InvalidInput } from "../failure/failures.ts"
import { quote } from "./Quote.ts"

/** Maximum nesting, counting the outermost object as 1. */
export const maxDepth = 32

const plainName = /^[A-Za-z_*][A-Za-z0-9_-]{0,63}$/
const longestName = 40
const longestPath = 90

/** A field name for a message; unless it is a plain word, it is quoted, cut and escaped. */
const formatName = (name: string): string => (plainName.test(name) ? name : quote(name, longestName))

/** Formats a path for a message: `leads[0].email`. Names that the caller made up are cut. */
export const formatPath = (path: ReadonlyArray<PropertyKey>): string => {
  let text = ""
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`
    else text += text === "" ? formatName(String(step)) : `.${formatName(String(step))}`
    if (text.length > longestPath) return `${text.slice(0, longestPath).toWellFormed()}…`
  }
  return text
}

const refuse = (path: ReadonlyArray<PropertyKey>, expectation: string): InvalidInput =>
  new InvalidInput({ message: `${formatPath(path) || "The input"}: ${expectation}.` })

const textProblem = (text: string): string | undefined => {
  if (text.includes("\u0000")) return "must not contain the NUL character"
  if (!text.isWellFormed()) return "must be well-formed Unicode; it contains half of a surrogate pair"
  return undefined
}

/** One walk through a value: `path` is a stack, `hasUndefined` whether a value that JSON does not have was met. */
interface Walk {
  readonly path: Array<PropertyKey>
  hasUndefined: boolean
}

/** Finds the first invalid value in `value`. */
const walk = (value: unknown, on: Walk): InvalidInput | undefined => {
  const { path } = on
  if (typeof value === "string") {
    const problem = textProblem(value)
    return problem === undefined ? undefined : refuse(path, problem)
  }
  if (typeof value === "number") return Number.isFinite(value) ? undefined : refuse(path, "must be a finite number")
  if (value === undefined) on.hasUndefined = true
  if (value === null || value === undefined || typeof value === "boolean") return undefined
  if (typeof value !== "object") return refuse(path, "must be a JSON value")
  if (path.length >= maxDepth) return refuse(path.slice(0, 4), `must be nested at most ${maxDepth} levels deep`)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const failure = walkMember(value[index], index, on)
      if (failure !== undefined) return failure
    }
    return undefined
  }
  for (const key of Object.keys(value)) {
    const problem = textProblem(key)
    if (problem !== undefined) return refuse(path, `a field name ${problem}`)
    const failure = walkMember(Reflect.get(value, key), key, on)
    if (failure !== undefined) return failure
  }
  return undefined
}

const walkMember = (member: unknown, key: PropertyKey, on: Walk): InvalidInput | undefined => {
  on.path.push(key)
  const failure = walk(member, on)
  on.path.pop()
  return failure
}

/** The value as JSON has it: a field that is undefined is absent, such an item is null. Copies only what changes. */
const present = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => present(item) ?? null)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const fields = Object.entries(value)
  const kept = fields.map(([name, field]) => [name, present(field)] as const).filter(([, field]) => field !== undefined)
  const isSame = kept.length === fields.length && kept.every(([, field], index) => field === fields[index]?.[1])
  return isSame ? value : Object.fromEntries(kept)
}

/** The value, without undefined fields. Fails with INVALID_INPUT, naming the first invalid path, unless it is accepted JSON. */
export const checkJson = (root: unknown): Result.Result<unknown, InvalidInput> => {
  const on: Walk = { path: [], hasUndefined: false }
  const failure = walk(root, on)
  if (failure !== undefined) return Result.fail(failure)
  return Result.succeed(on.hasUndefined ? present(root) : root)
}
