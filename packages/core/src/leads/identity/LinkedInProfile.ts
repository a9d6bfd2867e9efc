/** Parsing whatever a person may paste to identify a LinkedIn member: a URL in any spelling, a URN or a token. */
import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { cleanPasted, decodePercent, excerpt, hasForbiddenCharacter, unwrap } from "../../kernel/schema/TextFields.ts"
import { NotAProfileUrl } from "../failures.ts"
import { type Identity, sortIdentities } from "./Identity.ts"
import { type LinkedInUrl, splitLinkedInUrl } from "./LinkedInUrl.ts"
import {
  looksLikeToken,
  memberIdentity,
  normalizeMemberId,
  readToken,
  type TokenKind,
  type TokenOptions,
  tokenKindOf
} from "./MemberToken.ts"
import { readLeadPath, readTriple } from "./SalesNavLead.ts"

// What LinkedIn shows in place of a slug: the viewer's own profile, people outside the network, and unset values.
const placeholders = new Set(["me", "unavailable", "unknown", "undefined", "null", "headless"])

const impossible = /[\s"#$%&,/:;<=>?@[\\\]^`{|}]/u

const substance = /[\p{L}\p{N}\p{S}]/u

/** Undoes percent-encoding once, and once more when %XX is left; undefined when a sequence is broken. */
const decodeSegment = (segment: string): string | undefined => {
  const once = decodePercent(segment)
  const twice = once !== undefined && /%[0-9a-f]{2}/i.test(once) ? decodePercent(once) : once
  // Drops a subpage or query that was encoded together with the slug.
  return twice === undefined ? undefined : cleanPasted(twice.split(/[/?#]/, 1)[0] ?? "")
}

/**
 * The normal form of a decoded slug: NFC and lower case, since slugs are case-insensitive. Undefined when invalid: empty,
 * over 200 characters, with forbidden characters, or a placeholder such as `me`, which would match many people.
 */
export const normalizeSlug = (text: string): string | undefined => {
  if (text.length > 400) return undefined
  const slug = text.normalize("NFC").toLowerCase().normalize("NFC")
  if ([...slug].length > 200 || hasForbiddenCharacter(slug) || impossible.test(slug)) return undefined
  return substance.test(slug) && !placeholders.has(slug) ? slug : undefined
}

/** The canonical profile URL of a slug or token. */
export const profileUrl = (slugOrToken: string): string =>
  `https://www.linkedin.com/in/${encodeURIComponent(slugOrToken)}`

/**
 * A parsed member.
 *
 * `identities` is sorted, without repetition; it is empty for a legacy /pub/ URL, which only gives `weakSlug`, a guess that
 * never decides a match. `canonicalUrl` is the URL under /in/ (of the slug or the token), null for a bare member id or a
 * token of unknown layout. `salesNavTriple` is stored as an attribute of the lead.
 */
export interface LinkedInProfile {
  readonly identities: ReadonlyArray<Identity>
  readonly canonicalUrl: string | null
  readonly weakSlug?: string
  readonly salesNavTriple?: string
}

/** A profile, or why the text is not one: the second half of a sentence. */
type Reading = LinkedInProfile | string

const notAProfile = (input: string, reason: string): NotAProfileUrl =>
  new NotAProfileUrl({
    message: `${excerpt(input)} ${reason}. Send a URL such as https://www.linkedin.com/in/ada-lovelace.`
  })

const otherPages: Readonly<Record<string, string>> = {
  company: "a company",
  school: "a school",
  showcase: "a showcase page",
  groups: "a group",
  posts: "a post",
  feed: "a post or the feed",
  pulse: "an article",
  jobs: "a job",
  events: "an event",
  sales: "a Sales Navigator page that is not a lead"
}

const member = (text: string): Reading => {
  const memberId = normalizeMemberId(text)
  if (memberId === undefined) return "has no valid member id"
  return { identities: [memberIdentity(memberId)], canonicalUrl: null }
}

// A token of unknown layout under /in/ would be parsed as a slug, so it gets no URL.
const tokenUrl = (text: string): string | null => (tokenKindOf(text) === undefined ? null : profileUrl(text))

const token = (text: string, place: TokenKind, options: TokenOptions): Reading => {
  const identities = readToken(text, place, options)
  if (identities === undefined) return "has no member token"
  return { identities: sortIdentities(identities), canonicalUrl: tokenUrl(text) }
}

const salesLead = (lead: ReturnType<typeof readTriple>): Reading => {
  if (lead === undefined) return "does not name a Sales Navigator lead"
  const profile = { identities: sortIdentities(lead.identities), canonicalUrl: tokenUrl(lead.token) }
  return lead.triple === undefined ? profile : { ...profile, salesNavTriple: lead.triple }
}

const publicProfile = (segment: string | undefined, options: TokenOptions): Reading => {
  const decoded = decodeSegment(segment ?? "")
  if (decoded === undefined) return "has invalid percent-encoding"
  const tokenKind = tokenKindOf(decoded)
  if (tokenKind !== undefined) return token(decoded, tokenKind, options)
  const slug = normalizeSlug(decoded)
  if (slug === undefined) return "does not name one person's profile"
  return { identities: [{ kind: "slug", value: slug, derived: false }], canonicalUrl: profileUrl(slug) }
}

/** `/pub/ada-lovelace/1a/2b3/4c5` was moved to a slug that ends in the three parts reversed, as far as we know. */
const legacyProfile = (segments: ReadonlyArray<string>): Reading => {
  const [name, a, b, c] = segments.map((segment) => decodeSegment(segment) ?? "")
  const parts = a && b && c ? `-${c}${b}${a}` : ""
  const weakSlug = name === "dir" ? undefined : normalizeSlug(`${name ?? ""}${parts}`)
  return weakSlug === undefined ? "is not a profile" : { identities: [], canonicalUrl: null, weakSlug }
}

const readLinkedInUrl = ({ segments, query }: LinkedInUrl, options: TokenOptions): Reading => {
  const [first, second, third] = segments
  const route = first?.toLowerCase() ?? ""
  const page = second?.toLowerCase()
  if (route === "in") return publicProfile(second, options)
  if (route === "pub") return legacyProfile(segments.slice(1, 5))
  if (route === "profile" && page === "view") {
    const id = new URLSearchParams(query).get("id")?.trim() ?? ""
    return /^[0-9]+$/.test(id) ? member(id) : token(id, "profile_token", options)
  }
  if (route === "sales" && (page === "lead" || page === "people")) return salesLead(readLeadPath(segments, options))
  if (route === "talent" && page === "profile") return token(third ?? "", "recruiter_token", options)
  const other = Object.hasOwn(otherPages, route) ? otherPages[route] : undefined
  return other === undefined ? "is not a LinkedIn profile URL" : `is the URL of ${other}, not of a person`
}

const readUrn = (urn: string, options: TokenOptions): Reading => {
  const [, type = "", body = ""] = /^urn:li:([a-z_]{1,40}):(.*)$/is.exec(urn) ?? []
  switch (type.toLowerCase()) {
    case "member":
      return member(body)
    case "fsd_profile":
    case "fs_miniprofile":
    case "fsd_connection":
      return token(body, "profile_token", options)
    case "fs_salesprofile":
      return salesLead(readTriple(body, options))
    default:
      return "is not a member URN"
  }
}

const read = (text: string, options: TokenOptions): Reading => {
  if (/^urn(?::|%3a)/i.test(text)) return readUrn(decodePercent(text) ?? text, options)
  if (looksLikeToken(text)) return token(text, "profile_token", options)
  if (looksLikeToken((text.split(/[,%]/, 1)[0] ?? "").trim())) return salesLead(readTriple(text, options))
  return readLinkedInUrl(splitLinkedInUrl(text), options)
}

/**
 * Parses a profile URL in any spelling, a Sales Navigator lead URL, a member URN or a bare token. Fails with
 * NOT_A_PROFILE_URL for anything else, such as the page of a company or a post.
 */
export const parseLinkedInProfile = (
  input: string,
  options: TokenOptions
): Result.Result<LinkedInProfile, NotAProfileUrl> => {
  const reading = read(unwrap(cleanPasted(input)), options)
  return typeof reading === "string" ? Result.fail(notAProfile(input, reading)) : Result.succeed(reading)
}

/**
 * Parses a member token, URN or numeric member id; accepts a URL too. Fails with INVALID_INPUT, or with NOT_A_PROFILE_URL
 * for a URL that is not a person's.
 */
export const parseLinkedInId = (
  input: string,
  options: TokenOptions
): Result.Result<LinkedInProfile, InvalidInput | NotAProfileUrl> => {
  const memberId = normalizeMemberId(cleanPasted(input))
  if (memberId !== undefined) return Result.succeed({ identities: [memberIdentity(memberId)], canonicalUrl: null })
  const profile = parseLinkedInProfile(input, options)
  if (Result.isSuccess(profile) || input.includes("/")) return profile
  return Result.fail(
    new InvalidInput({
      message:
        `${excerpt(input)} is not a LinkedIn member. Send a token (ACoAA…), a URN such as urn:li:member:123, or a member ` +
        "id."
    })
  )
}
