/**
 * Ids and instants.
 *
 * Their types keep a function from being called with two of them swapped. All are plain strings at run time. A plain string (a
 * literal in a test, a database column) is assignable to every kind; a string of one kind is not assignable to another.
 *
 * Instants are ISO 8601 in UTC with milliseconds and `Z`. Records store this text, so they need no conversion to JSON and sort by
 * time as plain text.
 *
 * Ids: a short prefix for the kind of record, an underscore, and a ULID (26 characters, sortable by time).
 *
 * Generated in code and not in SQL, so they are the same on every store and predictable in tests.
 */

import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

/** An instant of a record, such as `2026-11-21T08:30:00.000Z`. */
export const Instant = Schema.String.annotate({
  format: "date-time",
  description: "UTC timestamp, ISO 8601 with milliseconds, such as 2026-11-21T08:30:00.000Z"
})

/** The instant that was written last: a request asks for the same one several times. */
let last: { readonly millis: number; readonly text: InstantText } | undefined

/** The instant of a time in milliseconds since 1970. */
export const isoFromMillis = (millis: number): InstantText => {
  if (last?.millis === millis) return last.text
  const text = new Date(millis).toISOString()
  last = { millis, text }
  return text
}

/** Something of the current time in milliseconds, from Effect's clock, in one step. */
const fromClock = <A>(of: (millis: number) => A): Effect.Effect<A> =>
  Effect.withFiber((fiber) => Effect.succeed(of(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())))

/** The current time, from Effect's clock. */
export const now: Effect.Effect<InstantText> = fromClock(isoFromMillis)

/**
 * The `updatedAt` of a change: `at`, or one millisecond after the previous change if the clock has not moved on, so that
 * every state of a record has its own.
 */
export const changedAt = (before: InstantText, at: InstantText): InstantText =>
  at > before ? at : isoFromMillis(Date.parse(before) + 1)

declare const kind: unique symbol

/** A string of one kind. */
export type TextOf<Kind extends string> = string & { readonly [kind]?: Kind }

/** The kind of record for each id prefix. */
export interface IdKinds {
  readonly org: "organization"
  readonly usr: "user"
  readonly key: "key"
  readonly off: "offer"
  readonly agt: "agent"
  readonly ld: "lead"
  readonly mis: "mission"
  readonly imp: "import"
  readonly drf: "draft"
  readonly que: "queue item"
  readonly msg: "message"
  readonly nte: "note"
  readonly acc: "account"
  readonly evt: "event"
  readonly aud: "audit row"
  readonly apr: "approval request"
  readonly whk: "webhook"
  readonly whd: "delivery"
  readonly eml: "e-mail"
  readonly inv: "invitation"
  readonly use: "use of an account"
}

/** The prefix of an id. */
export type IdPrefix = keyof IdKinds

/** An id by its prefix, such as `IdOf<"ld">`. */
export type IdOf<Prefix extends IdPrefix> = TextOf<IdKinds[Prefix]>

export type OrganizationId = IdOf<"org">
export type UserId = IdOf<"usr">
export type KeyId = IdOf<"key">
export type OfferId = IdOf<"off">
export type AgentId = IdOf<"agt">
export type LeadId = IdOf<"ld">
export type MissionId = IdOf<"mis">
export type ImportId = IdOf<"imp">
export type DraftId = IdOf<"drf">
export type QueueItemId = IdOf<"que">
export type MessageId = IdOf<"msg">
export type AccountId = IdOf<"acc">
export type EventId = IdOf<"evt">
export type WebhookId = IdOf<"whk">
export type DeliveryId = IdOf<"whd">
export type EmailId = IdOf<"eml">
export type InvitationId = IdOf<"inv">
/** Anything that uses an account's limits: a queued message, an invitation, or another use. */
export type TurnId = EmailId | QueueItemId | InvitationId | IdOf<"use">
export type CommandId = TextOf<"command">

/** An instant as the API writes it: ISO 8601 in UTC with milliseconds and `Z`. It sorts as text. */
export type InstantText = TextOf<"instant">

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

/** Generates ids. The ids of one process sort in the order they were generated. */
export class Ids extends Context.Service<
  Ids,
  {
    readonly next: <Prefix extends IdPrefix>(prefix: Prefix) => Effect.Effect<IdOf<Prefix>>
    /** A generator of ids with the current time, for callers that need thousands; they sort with those of `next`. */
    readonly maker: Effect.Effect<<Prefix extends IdPrefix>(prefix: Prefix) => IdOf<Prefix>>
  }
>()("@svc/core/Ids") {
  /** Predictable ids for tests and examples: `ld_00000000000000000000000001`, … in one sequence for all prefixes. */
  static readonly layerSequential: Layer.Layer<Ids> = Layer.sync(Ids, () => {
    let count = 0
    const make = (prefix: IdPrefix) => `${prefix}_${String(++count).padStart(26, "0")}`
    return Ids.of({ next: (prefix) => Effect.sync(() => make(prefix)), maker: Effect.succeed(make) })
  })
}

/** Time-ordered ids with 80 random bits. */
export const idsLayer: Layer.Layer<Ids> = Layer.sync(Ids, () => {
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
