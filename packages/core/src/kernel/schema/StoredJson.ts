/**
 * Values whose JSON is stored as it is shown, so that a response copies its bytes instead of parsing and writing it again.
 */
import { randomBytes } from "node:crypto"

/** Stands for stored JSON while the text around it is written. Nobody can guess it, so no value contains it. */
const mark = randomBytes(16).toString("hex")

/** The stored JSON that {@link writeJson} meets; undefined while nobody collects it. */
let collected: Array<StoredJson<unknown>> | undefined

/** A value and its JSON in UTF-8. Only {@link writeJson} copies the bytes; `JSON.stringify` writes the value. */
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

  toJSON(): unknown {
    if (collected === undefined) return this.value
    collected.push(this)
    return mark
  }
}

/** The value of what may be stored JSON. */
export const plainOf = <A>(item: A | StoredJson<A>): A => (item instanceof StoredJson ? item.value : item)

/** JSON of a value that may hold {@link StoredJson}: bytes in UTF-8 if it does, else text. */
export const writeJson = (value: unknown): string | Uint8Array => {
  const met: Array<StoredJson<unknown>> = []
  collected = met
  try {
    const written = JSON.stringify(value)
    if (met.length === 0) return written
    const pieces: Array<Uint8Array> = []
    for (const [index, text] of written.split(`"${mark}"`).entries()) {
      pieces.push(Buffer.from(text), ...(met[index]?.pieces ?? []))
    }
    return Buffer.concat(pieces)
  } finally {
    collected = undefined
  }
}
