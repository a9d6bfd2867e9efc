/**
 * Values as JSON has them: what `JSON.stringify` would send, or why it would lose something. The same in process and in the
 * client before it sends, so that an input means the same on every surface. Loads nothing: browsers have it too.
 */

const escaped = (sign: string): string => {
  if (sign === '"' || sign === "\\") return `\\${sign}`
  return /[\p{C}\u2028\u2029]/u.test(sign) ? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}` : sign
}

/**
 * The text in quotes, cut to `max` UTF-16 characters; the default is the maximum length of an id. Control, format and
 * unpaired characters are escaped.
 */
export const quote = (text: string, max = 64): string => {
  let shown = ""
  for (const sign of text) {
    const next = escaped(sign)
    if (shown.length + next.length > max) return `"${shown}…"`
    shown += next
  }
  return `"${shown}"`
}

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

/** Maximum nesting, counting the outermost object as 1. */
export const maxDepth = 32

/** Maximum fields of an object and items of a list, whatever the schema allows. */
const [maxKeys, maxItems] = [1_000, 10_000]

/** Why an object or list may not have as many members; undefined if it may. */
export const boundProblem = (size: number, isList: boolean): string | undefined => {
  if (size <= (isList ? maxItems : maxKeys)) return undefined
  return isList ? "must have at most 10,000 items" : "must have at most 1,000 fields"
}

/** One walk through a value: `path` is a stack. */
interface Walk {
  readonly path: Array<PropertyKey>
  readonly deepest: number
  /** Whether undefined, class instances and the key `__proto__` are refused. */
  readonly isStrict: boolean
}

/** Ends a walk. */
class Refused {
  readonly problem: string
  constructor(path: ReadonlyArray<PropertyKey>, expectation: string) {
    this.problem = `${formatPath(path) || "The input"}: ${expectation}.`
  }
}

const textProblem = (text: string): string | undefined => {
  if (text.includes("\u0000")) return "must not contain the NUL character"
  if (!text.isWellFormed()) return "must be well-formed Unicode; it contains half of a surrogate pair"
  return undefined
}

/** Whether an object is no instance of a class; of another realm, such as a test runner's, it may be. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether JSON has the fields of an object. It loses what is in a Map, a Promise or a boxed value. */
const hasFields = (value: object): boolean => Object.prototype.toString.call(value) === "[object Object]"

/** What an object says that it is in JSON. An invalid date would be null. */
const toJson = (value: unknown, key: PropertyKey, { path }: Walk): unknown => {
  if (value === null || (typeof value !== "object" && typeof value !== "bigint")) return value
  if (value instanceof Date && Number.isNaN(value.getTime())) throw new Refused(path, "must be a valid date")
  const convert: unknown = Reflect.get(Object(value), "toJSON")
  return typeof convert === "function" ? convert.call(value, String(key)) : value
}

const member = (value: unknown, key: PropertyKey, on: Walk): unknown => {
  on.path.push(key)
  const json = plain(value, key, on)
  on.path.pop()
  return json
}

const plainObject = (value: object, on: Walk): object => {
  let isSame = isPlain(value)
  const fields: Array<[name: string, field: unknown]> = []
  for (const key of Object.keys(value)) {
    const problem = on.isStrict && key === "__proto__" ? "must not be __proto__" : textProblem(key)
    if (problem !== undefined) throw new Refused(on.path, `a field name ${problem}`)
    const given: unknown = Reflect.get(value, key)
    const field = member(given, key, on)
    isSame &&= field !== undefined && Object.is(field, given)
    if (field !== undefined) fields.push([key, field])
  }
  return isSame ? value : Object.fromEntries(fields)
}

/** The value, itself where it is JSON already. */
const plain = (given: unknown, key: PropertyKey, on: Walk): unknown => {
  const { path } = on
  const value = on.isStrict ? given : toJson(given, key, on)
  if (typeof value === "string") {
    const problem = textProblem(value)
    if (problem !== undefined) throw new Refused(path, problem)
    return value
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Refused(path, "must be a finite number")
    // JSON has no negative zero.
    return value + 0
  }
  if (value === null || (value === undefined && !on.isStrict) || typeof value === "boolean") return value
  const isList = Array.isArray(value)
  if (typeof value !== "object" || !(isList || (on.isStrict ? isPlain : hasFields)(value)))
    throw new Refused(path, "must be a JSON value")
  const levels = Math.min(on.deepest, maxDepth)
  if (path.length >= on.deepest) throw new Refused(path.slice(0, 4), `must be nested at most ${levels} levels deep`)
  const tooMany = boundProblem((isList ? value : Object.keys(value)).length, isList)
  if (tooMany !== undefined) throw new Refused(path, tooMany)
  if (!isList) return plainObject(value, on)
  const items = Array.from(value, (item, index) => member(item, index, on) ?? null)
  return items.every((item, index) => Object.is(item, value[index])) ? value : items
}

/**
 * The value as JSON has it, or why it has none: a field that is undefined is absent, such an item is null, `toJSON` is asked.
 * What JSON would lose is refused: NaN, a function, a symbol, a bigint, an invalid date, a Map. Copies only what changes.
 */
export const plainJson = (
  root: unknown,
  { deepest = maxDepth, isStrict = false }: { readonly deepest?: number; readonly isStrict?: boolean } = {}
): { readonly value: unknown } | { readonly problem: string } => {
  const path: Array<PropertyKey> = []
  try {
    return { value: plain(root, "", { path, deepest, isStrict }) }
  } catch (error) {
    // A getter or toJSON of the caller may throw.
    return error instanceof Refused ? error : new Refused(path, "must be readable; reading it failed")
  }
}
