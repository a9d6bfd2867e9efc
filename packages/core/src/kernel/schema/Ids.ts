/**
 * Ids: a short prefix for the kind of record, an underscore, and a ULID (26 characters, sortable by time).
 *
 * Generated in code and not in SQL, so they are the same on every store and predictable in tests.
 */

import { randomBytes } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { IdOf, IdPrefix } from "./RecordIds.ts"
import { fromClock } from "./Time.ts"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const timePart = (millis: number): string => {
  let rest = millis
  let text = ""
  for (let i = 0; i < 10; i++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Characters of the random part, of 5 bits each. */
const randomLength = 16

let random = new Uint8Array(0)
let taken = 0

/** Random bytes are made for many ids at a time, since asking for them takes longer than what is done with them. */
const randomPart = (): string => {
  if (taken === random.length) {
    random = randomBytes(randomLength * 256)
    taken = 0
  }
  let text = ""
  for (const end = taken + randomLength; taken < end; taken++) text += alphabet.charAt((random[taken] ?? 0) % 32)
  return text
}

/** Adds one to a Crockford base-32 text, so that ids of the same millisecond sort in the order they were generated. */
const increment = (text: string): string => {
  for (let i = text.length - 1; i >= 0; i--) {
    const digit = alphabet.indexOf(text.charAt(i))
    if (digit < 31) return text.slice(0, i) + alphabet.charAt(digit + 1) + "0".repeat(text.length - 1 - i)
  }
  return "0".repeat(text.length)
}

/** The lowest id of a kind that was generated at an instant, in milliseconds. */
export const lowestId = <Prefix extends IdPrefix>(prefix: Prefix, millis: number): IdOf<Prefix> =>
  `${prefix}_${timePart(Math.max(millis, 0))}${"0".repeat(randomLength)}`

/** Makes an id with the time of the maker. */
export type IdMaker = <Prefix extends IdPrefix>(prefix: Prefix) => IdOf<Prefix>

/** Generates ids. The ids of one process sort in the order they were generated. */
export class Ids extends Context.Service<
  Ids,
  {
    readonly next: <Prefix extends IdPrefix>(prefix: Prefix) => Effect.Effect<IdOf<Prefix>>
    /** A generator of ids with the current time, for callers that need thousands; they sort with those of `next`. */
    readonly maker: Effect.Effect<IdMaker>
  }
>()("@svc/core/Ids") {}

/** Time-ordered ids with 80 random bits. */
export const layer: Layer.Layer<Ids> = Layer.sync(Ids, () => {
  let lastMillis = -1
  let lastRandom = ""
  let lastTime = ""
  const make = <Prefix extends IdPrefix>(prefix: Prefix, millis: number): IdOf<Prefix> => {
    lastRandom = millis <= lastMillis ? increment(lastRandom) : randomPart()
    if (millis > lastMillis) {
      lastMillis = millis
      lastTime = timePart(millis)
    }
    return `${prefix}_${lastTime}${lastRandom}`
  }
  return Ids.of({
    next: (prefix) => fromClock((millis) => make(prefix, millis)),
    maker: fromClock((millis) => (prefix) => make(prefix, millis))
  })
})

/** Predictable ids for tests and examples: `ld_00000000000000000000000001`, … in one sequence for all prefixes. */
export const layerSequential: Layer.Layer<Ids> = Layer.sync(Ids, () => {
  let count = 0
  const make = (prefix: IdPrefix) => `${prefix}_${String(++count).padStart(26, "0")}`
  return Ids.of({ next: (prefix) => Effect.sync(() => make(prefix)), maker: Effect.succeed(make) })
})
