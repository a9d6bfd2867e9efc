/**
 * Reads whatever a person may paste to say "this LinkedIn member": an address in any of its spellings, a URN, a token.
 *
 * Source: G14, G15; Sales Navigator addresses are delegated to `SalesNavLead.ts`.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { type Identity, sortIdentities } from "./Identity.ts"
import { type LinkedInAddress, splitAddress } from "./LinkedInAddress.ts"
import {
  looksLikeToken,
  memberIdentity,
  normalizeMemberId,
  readToken,
  type TokenKind,
  type TokenOptions,
  tokenKindOf
} from "./MemberToken.ts"
import { cleanPasted, decodePercent, excerpt, unwrap } from "./pastedText.ts"
import { decodeSegment, normalizeSlug, profileUrl } from "./profileSlug.ts"
import { readLeadPath, readTriple } from "./SalesNavLead.ts"

/**
 * What a pasted value says about a member.
 *
 * `identities` is sorted and holds no repetition; it is empty for a legacy /pub/ address, which gives only a `weakSlug`:
 * a guess that may be shown as a possible match and never decides one. `canonicalUrl` is the address under /in/ (of the
 * slug, or of the token), null when only a member id or a token of unknown layout is known. `salesNavTriple` is the
 * attribute of G16.
 */
export interface LinkedInProfile {
  readonly identities: ReadonlyArray<Identity>
  readonly canonicalUrl: string | null
  readonly weakSlug?: string
  readonly salesNavTriple?: string
}

/** A profile read, or the reason (the second half of a sentence) why the text is none. */
type Reading = LinkedInProfile | string

const notAProfile = (input: string, reason: string): Failure =>
  fail(
    "NOT_A_PROFILE_URL",
    `${excerpt(input)} ${reason}. Send an address such as https://www.linkedin.com/in/ada-lovelace.`
  )

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
  sales: "a page of Sales Navigator that is no lead"
}

const member = (text: string): Reading => {
  const memberId = normalizeMemberId(text)
  if (memberId === undefined) return "holds no valid member id"
  return { identities: [memberIdentity(memberId)], canonicalUrl: null }
}

// An unknown layout under /in/ would read as a slug, so it gets no address.
const tokenUrl = (text: string): string | null => (tokenKindOf(text) === undefined ? null : profileUrl(text))

const token = (text: string, place: TokenKind, options: TokenOptions): Reading => {
  const identities = readToken(text, place, options)
  if (identities === undefined) return "holds no member token"
  return { identities: sortIdentities(identities), canonicalUrl: tokenUrl(text) }
}

const salesLead = (lead: ReturnType<typeof readTriple>): Reading => {
  if (lead === undefined) return "names no lead of Sales Navigator"
  const profile = { identities: sortIdentities(lead.identities), canonicalUrl: tokenUrl(lead.token) }
  return lead.triple === undefined ? profile : { ...profile, salesNavTriple: lead.triple }
}

const publicProfile = (segment: string | undefined, options: TokenOptions): Reading => {
  const decoded = decodeSegment(segment ?? "")
  if (decoded === undefined) return "has a broken percent-encoding"
  const tokenKind = tokenKindOf(decoded)
  if (tokenKind !== undefined) return token(decoded, tokenKind, options)
  const slug = normalizeSlug(decoded)
  if (slug === undefined) return "names no particular person's profile"
  return { identities: [{ kind: "slug", value: slug, derived: false }], canonicalUrl: profileUrl(slug) }
}

/** `/pub/ada-lovelace/1a/2b3/4c5` was moved to a slug that ends in the three parts reversed, as far as is known. */
const legacyProfile = (segments: ReadonlyArray<string>): Reading => {
  const [name, a, b, c] = segments.map((segment) => decodeSegment(segment) ?? "")
  const parts = a && b && c ? `-${c}${b}${a}` : ""
  const weakSlug = name === "dir" ? undefined : normalizeSlug(`${name ?? ""}${parts}`)
  return weakSlug === undefined ? "is no profile" : { identities: [], canonicalUrl: null, weakSlug }
}

const readAddress = ({ segments, query }: LinkedInAddress, options: TokenOptions): Reading => {
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
  return other === undefined
    ? "is not the address of a LinkedIn profile"
    : `is the address of ${other}, not of a person`
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
      return "is not the URN of a member"
  }
}

const read = (text: string, options: TokenOptions): Reading => {
  if (/^urn(?::|%3a)/i.test(text)) return readUrn(decodePercent(text) ?? text, options)
  if (looksLikeToken(text)) return token(text, "profile_token", options)
  if (looksLikeToken((text.split(/[,%]/, 1)[0] ?? "").trim())) return salesLead(readTriple(text, options))
  return readAddress(splitAddress(text), options)
}

/**
 * Reads a profile address (every spelling of G14), a Sales Navigator lead address, a member URN or a bare token.
 * Fails with NOT_A_PROFILE_URL for pages of companies, schools, groups, posts and everything else. Source: G14-G16.
 */
export const parseLinkedInProfile = (input: string, options: TokenOptions): Result.Result<LinkedInProfile, Failure> => {
  const reading = read(unwrap(cleanPasted(input)), options)
  return typeof reading === "string" ? Result.fail(notAProfile(input, reading)) : Result.succeed(reading)
}

/**
 * Reads a member token, a member URN or a bare numeric member id; an address is understood too. Fails with
 * INVALID_INPUT, or with NOT_A_PROFILE_URL for an address that is not a person's. Source: G15.
 */
export const parseLinkedInId = (input: string, options: TokenOptions): Result.Result<LinkedInProfile, Failure> => {
  const memberId = normalizeMemberId(cleanPasted(input))
  if (memberId !== undefined) return Result.succeed({ identities: [memberIdentity(memberId)], canonicalUrl: null })
  const profile = parseLinkedInProfile(input, options)
  if (Result.isSuccess(profile) || input.includes("/")) return profile
  return Result.fail(
    fail(
      "INVALID_INPUT",
      `${excerpt(input)} is no LinkedIn member. Send a token (ACoAA…), a URN such as urn:li:member:123, or a member id.`
    )
  )
}
