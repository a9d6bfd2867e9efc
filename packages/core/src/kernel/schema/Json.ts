/**
 * Which JSON is accepted: well-formed Unicode without NUL, finite numbers, at most 32 levels deep, at most 1,000 fields in an object
 * and 10,000 items in a list.
 *
 * A store would refuse or silently change anything else, so it is refused here, on every surface, before decoding.
 */

import { randomBytes } from "node:crypto"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidInput } from "../failure/failures.ts"
import { quote } from "./TextRules.ts"

/** Maximum nesting, counting the outermost object as 1. */
export const maxDepth = 32

/** Maximum fields of an object and items of a list, whatever the schema allows. */
const [maxKeys, maxItems] = [1_000, 10_000]

/** Why an object or list may not have as many members; undefined if it may. */
export const boundProblem = (size: number, isList: boolean): string | undefined => {
  if (size <= (isList ? maxItems : maxKeys)) return undefined
  return isList ? "must have at most 10,000 items" : "must have at most 1,000 fields"
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
  /** Most levels, counting the outermost object as 1. */
  readonly deepest: number
  /** Whether undefined, class instances and the key `__proto__` are refused. */
  readonly isStrict: boolean
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
  if (value === null || (value === undefined && !on.isStrict) || typeof value === "boolean") return undefined
  if (typeof value !== "object" || (on.isStrict && !isPlain(value))) return refuse(path, "must be a JSON value")
  if (path.length >= on.deepest) {
    return refuse(path.slice(0, 4), `must be nested at most ${Math.min(on.deepest, maxDepth)} levels deep`)
  }
  const names = Array.isArray(value) ? value : Object.keys(value)
  const tooMany = boundProblem(names.length, names === value)
  if (tooMany !== undefined) return refuse(path, tooMany)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const failure = walkMember(value[index], index, on)
      if (failure !== undefined) return failure
    }
    return undefined
  }
  for (const key of names) {
    const problem = on.isStrict && key === "__proto__" ? "must not be __proto__" : textProblem(key)
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
export const checkJson = (root: unknown, deepest = maxDepth): Result.Result<unknown, InvalidInput> => {
  const on: Walk = { path: [], hasUndefined: false, deepest, isStrict: false }
  const failure = walk(root, on)
  if (failure !== undefined) return Result.fail(failure)
  return Result.succeed(on.hasUndefined ? present(root) : root)
}

/** Schema of a {@link jsonObject}: the same object on the wire and inside. */
type JsonObjectField = Schema.refine<Schema.JsonObject, Schema.$Record<Schema.String, Schema.Unknown>>

/**
 * A JSON object of at most `maxBytes` bytes (UTF-8 of its compact JSON text) and at most `maxDepth` levels, counting the
 * object itself as 1. Its numbers are finite, its texts and keys are well-formed Unicode without NUL, and no key is
 * `__proto__`. A value that is not JSON (a date, a class instance, `undefined`, a cycle) is refused.
 */
export const jsonObject = (maxBytes: number, maxDepth: number, description?: string): JsonObjectField => {
  const check = Schema.makeFilter(
    (value: unknown) => jsonRefusal(value, maxBytes, maxDepth),
    { toJsonSchema: () => [{}, true], ...(description === undefined ? {} : { description }) },
    true
  )
  return Schema.Record(Schema.String, Schema.Unknown)
    .check(check)
    .pipe(
      Schema.refine((value): value is Schema.JsonObject => jsonRefusal(value, maxBytes, maxDepth) === undefined, {
        toJsonSchema: () => [{}, true]
      })
    )
}

/** Why a value is refused, as "Expected …"; undefined if it is accepted. */
const jsonRefusal = (root: unknown, maxBytes: number, maxDepth: number): string | undefined => {
  const failure = walk(root, { path: [], hasUndefined: false, deepest: maxDepth, isStrict: true })
  if (failure !== undefined) return `Expected plain JSON. ${failure.message}`
  const size = new TextEncoder().encode(JSON.stringify(root)).length
  return size > maxBytes ? `Expected an object of at most ${maxBytes} bytes as JSON` : undefined
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || prototype === Object.prototype
}

// Values whose JSON is stored as it is shown, so that a response copies its bytes instead of parsing and writing it again.

/** Stands for stored JSON while the text around it is written. Nobody can guess it, so no value contains it. */
const mark = randomBytes(16).toString("hex")

/** A value and its JSON in UTF-8, for {@link writeJson}. */
export class StoredJson<A> {
  readonly #bytes: Uint8Array
  readonly #more: Readonly<Record<string, unknown>> | undefined

  /** `more` are properties of the object that are not in its stored bytes. */
  constructor(bytes: Uint8Array, more?: Readonly<Record<string, unknown>>) {
    this.#bytes = bytes
    this.#more = more
  }

  /** The value, parsed each time. */
  get value(): A {
    const value = JSON.parse(new TextDecoder().decode(this.#bytes))
    return this.#more === undefined ? value : { ...value, ...this.#more }
  }

  /** The bytes, in one or more pieces. */
  get pieces(): ReadonlyArray<Uint8Array> {
    if (this.#more === undefined) return [this.#bytes]
    return [this.#bytes.subarray(0, -1), Buffer.from(`,${JSON.stringify(this.#more).slice(1)}`)]
  }
}

/** The value of what may be stored JSON. */
export const plainOf = <A>(item: A | StoredJson<A>): A => (item instanceof StoredJson ? item.value : item)

/** Whether a list in an object has items of stored JSON. */
export const hasStored = (value: unknown): boolean =>
  Object.values(Object(value)).some((list) => Array.isArray(list) && list.some((item) => item instanceof StoredJson))

/** The response that an item was last the first of. */
interface Written {
  /** Its JSON without the stored parts. */
  readonly around: string
  readonly items: ReadonlyArray<StoredJson<unknown>>
  readonly bytes: Uint8Array
}

const written = new WeakMap<StoredJson<unknown>, Written>()

/**
 * JSON of a response whose `data` may have lists of {@link StoredJson}: bytes in UTF-8 if it does, else text. Equal responses to the
 * items of one read are the same bytes, which nobody may change.
 */
export const writeJson = (value: unknown): string | Uint8Array => {
  if (!hasStored(Object(value).data)) return JSON.stringify(value)
  const items: Array<StoredJson<unknown>> = []
  const around = JSON.stringify(value, (_, part: unknown) => {
    if (!(part instanceof StoredJson)) return part
    items.push(part)
    return mark
  })
  const [first] = items
  const known = first && written.get(first)
  if (known?.around === around && known.items.every((item, index) => item === items[index])) return known.bytes
  const pieces: Array<Uint8Array> = []
  for (const [index, text] of around.split(`"${mark}"`).entries()) {
    pieces.push(Buffer.from(text), ...(items[index]?.pieces ?? []))
  }
  const bytes = Buffer.concat(pieces)
  if (first !== undefined) written.set(first, { around, items, bytes })
  return bytes
}
