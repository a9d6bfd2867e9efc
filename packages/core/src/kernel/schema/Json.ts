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
import { maxDepth, plainJson } from "./plainJson.ts"

/** The value as JSON has it. Fails with INVALID_INPUT, naming the first path whose value is not accepted. */
export const checkJson = (root: unknown, deepest = maxDepth): Result.Result<unknown, InvalidInput> => {
  const json = plainJson(root, { deepest })
  return "problem" in json ? Result.fail(new InvalidInput({ message: json.problem })) : Result.succeed(json.value)
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
  const json = plainJson(root, { deepest: maxDepth, isStrict: true })
  if ("problem" in json) return `Expected plain JSON. ${json.problem}`
  const size = new TextEncoder().encode(JSON.stringify(root)).length
  return size > maxBytes ? `Expected an object of at most ${maxBytes} bytes as JSON` : undefined
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
