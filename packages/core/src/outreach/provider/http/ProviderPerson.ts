/** People and instants as a provider's response gives them. */
import { isoFromMillis } from "../../../kernel/schema/Time.ts"
import { type Identity, sortIdentities } from "../../../leads/identity/Identity.ts"
import { memberIdentity, readToken } from "../../../leads/identity/MemberToken.ts"
import { profileUrl } from "../../../leads/identity/profileSlug.ts"
import type { NamedPerson } from "../ProviderReads.ts"
import { httpUrlOrNull, storable } from "./ProviderText.ts"

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
