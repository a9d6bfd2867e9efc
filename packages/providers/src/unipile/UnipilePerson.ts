/**
 * People as the provider names them.
 *
 * Its id of a person is LinkedIn's profile token (`ACoAA…`); from Sales Navigator also that product's token.
 */
import { memberIdOf, normalizeMemberId, normalizeSlug } from "@svc/core/leads"
import { type NamedPerson, namedPerson } from "@svc/core/outreach"

/** What a response says about a person; everything but the id may be missing. */
interface PersonParts {
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

/** The normalized slug; undefined when it is missing or a token stands in its place. */
export const slugOf = (text: string | undefined): string | undefined =>
  text === undefined || memberIdOf(text) !== undefined ? undefined : normalizeSlug(text)

/** A person with every identity that was given. */
export const personOf = ({ fullName, memberUrn, picture, providerId, slug, url }: PersonParts): NamedPerson =>
  namedPerson({
    providerId,
    profileToken: providerId,
    slug: slugOf(slug),
    memberId: memberIdOfUrn(memberUrn),
    fullName,
    profileUrl: url,
    pictureUrl: picture
  })

/** Whether two tokens name the same person: they are equal, or hold the same member id. */
export const isSamePerson = (token: string, other: string): boolean => {
  const memberId = memberIdOf(token)
  return token === other || (memberId !== undefined && memberId === memberIdOf(other))
}
