/**
 * People as the provider names them.
 *
 * Its id of a person is LinkedIn's profile token (`ACoAA…`); from Sales Navigator also that product's token.
 * Source: mission research 5.2; G14, G15.
 */
import { type Identity, sortIdentities } from "@svc/core/leads/identity/Identity"
import { memberIdentity, memberIdOf, normalizeMemberId, readToken } from "@svc/core/leads/identity/MemberToken"
import { normalizeSlug, profileUrl } from "@svc/core/leads/identity/profileSlug"
import type { NamedPerson } from "@svc/core/linkedin/bridge/GatewayAdditions"
import { storable, webAddress } from "@svc/core/linkedin/bridge/ProviderText"

/** What an answer says of a person; all but the id may be missing. */
export interface PersonParts {
  readonly providerId: string
  readonly slug?: string | undefined
  readonly memberUrn?: string | undefined
  readonly fullName?: string | undefined
  readonly url?: string | undefined
  readonly picture?: string | undefined
}

/** The decimal id in `urn:li:member:123`, or a bare one; undefined for anything else. */
export const memberIdOfUrn = (urn: string | undefined): string | undefined =>
  urn === undefined ? undefined : normalizeMemberId(urn.slice(0, 100).split(":").at(-1) ?? "")

/** The slug in its normal form, undefined when there is none. A token in its place is none. */
export const slugOf = (text: string | undefined): string | undefined =>
  text === undefined || memberIdOf(text) !== undefined ? undefined : normalizeSlug(text)

/** A person with every identity that was given. */
export const namedPerson = (parts: PersonParts): NamedPerson => {
  const slug = slugOf(parts.slug)
  const memberId = memberIdOfUrn(parts.memberUrn)
  const identities: Array<Identity> = [
    ...(readToken(parts.providerId, "profile_token", { deriveMemberId: false }) ?? []),
    ...(slug === undefined ? [] : [{ kind: "slug", value: slug, derived: false } as const]),
    ...(memberId === undefined ? [] : [memberIdentity(memberId)])
  ]
  return {
    providerId: parts.providerId,
    identities: sortIdentities(identities),
    fullName: storable(parts.fullName ?? "", 300).trim(),
    profileUrl: webAddress(parts.url) ?? (slug === undefined ? null : profileUrl(slug)),
    pictureUrl: webAddress(parts.picture)
  }
}

/** Whether two tokens name one person: they are equal, or hold the same member id. */
export const isSamePerson = (token: string, other: string): boolean => {
  const memberId = memberIdOf(token)
  return token === other || (memberId !== undefined && memberId === memberIdOf(other))
}
