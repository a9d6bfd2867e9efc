/**
 * Reading what a provider answers as the words of a stranger: unknown members are ignored, members of a wrong type
 * count as absent, ids are short and printable, and texts can be stored.
 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isoFromMillis } from "../../../kernel/schema/IdsAndTime.ts"
import { parseUrl } from "../../../kernel/schema/TextRules.ts"
import { type Identity, memberIdentity, readToken, sortIdentities } from "../../../leads/identity/Identity.ts"
import { profileUrl } from "../../../leads/identity/LinkedInProfile.ts"
import type { NamedPerson } from "../ProviderReads.ts"

/** A member that counts as absent when it is missing, null or of a wrong type. */
export const soft = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.catchDecoding<S>(() => Effect.succeedNone)(schema))

const softText = soft(Schema.String)

/** Members that are texts, each {@link soft}. */
export const softTexts = <const Name extends string>(...names: ReadonlyArray<Name>) =>
  Object.fromEntries(names.map((name) => [name, softText])) as Readonly<Record<Name, typeof softText>>

/** An id of a provider: 1 to 256 visible ASCII characters. */
export const ProviderId = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,256}$/, { expected: "an id of 1 to 256 visible ASCII characters" })
)

/**
 * A text that every store can hold: without NUL, with unpaired surrogates replaced, and cut to `most` UTF-16 units
 * (never through a pair).
 */
export const storable = (text: string, most: number): string => {
  const whole = text.replaceAll("\u0000", "").toWellFormed()
  if (whole.length <= most) return whole
  const last = whole.charCodeAt(most - 1)
  return whole.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

/** A web address as given, when it is one of http or https with at most 2,000 characters; else null. */
export const httpUrlOrNull = (text: string | undefined): string | null => {
  if (text === undefined || text.length > 2_000 || !/^https?:\/\//i.test(text)) return null
  return parseUrl(text) === undefined ? null : storable(text, 2_000)
}

/** Reads JSON; undefined for anything else. */
export const jsonOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The rows that fit the schema; the others are left out. */
export const rowsOf = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  rows: ReadonlyArray<unknown>
): ReadonlyArray<S["Type"]> => {
  const decode = Schema.decodeUnknownOption(schema)
  return rows.flatMap((row) => Option.toArray(decode(row)))
}

/** What a response says about a person: slug and member id already normalized, URLs as given. */
interface PersonParts {
  readonly providerId: string
  readonly profileToken: string | undefined
  readonly slug: string | undefined
  readonly memberId: string | undefined
  readonly fullName: string | undefined
  readonly profileUrl: string | undefined
  readonly pictureUrl: string | undefined
}

/** A person with every identity that was given. */
export const namedPerson = (parts: PersonParts): NamedPerson => {
  const { memberId, profileToken, slug } = parts
  const identities: Array<Identity> = [
    ...(profileToken === undefined ? [] : (readToken(profileToken, "profile_token", { deriveMemberId: false }) ?? [])),
    ...(slug === undefined ? [] : [{ kind: "slug", value: slug, derived: false } as const]),
    ...(memberId === undefined ? [] : [memberIdentity(memberId)])
  ]
  return {
    providerId: parts.providerId,
    identities: sortIdentities(identities),
    fullName: storable(parts.fullName ?? "", 300).trim(),
    profileUrl: httpUrlOrNull(parts.profileUrl) ?? (slug === undefined ? null : profileUrl(slug)),
    pictureUrl: httpUrlOrNull(parts.pictureUrl)
  }
}

const earliest = Date.parse("2000-01-01T00:00:00Z")

const latest = Date.parse("2200-01-01T00:00:00Z")

/** An instant given as ISO 8601 or as milliseconds since 1970; undefined when absent, unreadable or not from 2000 to 2200. */
export const providerInstant = (given: string | number | undefined): string | undefined => {
  const millis = typeof given === "string" ? Date.parse(given.slice(0, 40)) : (given ?? Number.NaN)
  return millis >= earliest && millis < latest ? isoFromMillis(Math.floor(millis)) : undefined
}
