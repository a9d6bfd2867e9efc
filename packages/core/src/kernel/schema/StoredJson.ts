/**
 * Values whose JSON is stored as it is shown, so that a response copies its bytes instead of parsing and writing it again.
 */
import { randomBytes } from "node:crypto"

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

/** Whether a list in the `data` of a response has items of stored JSON. */
const isStored = (value: unknown): boolean =>
  Object.values(Object(Object(value).data)).some(
    (list) => Array.isArray(list) && list.some((item) => item instanceof StoredJson)
  )

/** JSON of a response whose `data` may have lists of {@link StoredJson}: bytes in UTF-8 if it does, else text. */
export const writeJson = (value: unknown): string | Uint8Array => {
  if (!isStored(value)) return JSON.stringify(value)
  const met: Array<StoredJson<unknown>> = []
  const written = JSON.stringify(value, (_, part: unknown) => {
    if (!(part instanceof StoredJson)) return part
    met.push(part)
    return mark
  })
  const pieces: Array<Uint8Array> = []
  for (const [index, text] of written.split(`"${mark}"`).entries()) {
    pieces.push(Buffer.from(text), ...(met[index]?.pieces ?? []))
  }
  return Buffer.concat(pieces)
}
