/** Parsing whatever a person may paste to identify a LinkedIn member: a URL in any spelling, a URN or a token. */
import * as Result from "effect/Result"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { cleanPasted, excerpt, hasForbiddenCharacter, unwrap } from "../../kernel/schema/TextFields.ts"
import { decodePercent } from "../../kernel/schema/TextRules.ts"
import { NotAProfileUrl } from "../failures.ts"
import {
  type Identity,
  looksLikeToken,
  memberIdentity,
  normalizeMemberId,
  readToken,
  type TokenKind,
  type TokenOptions,
  tokenKindOf
} from "./Identity.ts"

/**
 * Splitting a pasted LinkedIn URL, even a mangled one.
 *
 * Not with a general URL parser, since half of the values are not valid URLs (no scheme, no host, doubled schemes, missing
 * slashes). The URL is never fetched; the host must be one that LinkedIn serves profiles from.
 */

/** Path segments as written, and the query without its question mark. */
interface LinkedInUrl {
  readonly segments: ReadonlyArray<string>
  readonly query: string
}

const host = /^(?:(?:www|m|[a-z]{2})\.)?linkedin\.com\.?(?::[0-9]{1,5})?$/i

/**
 * Splits a URL. Scheme (`http`, `https`, `linkedin:`; also doubled or with wrong slashes), LinkedIn host and the mobile
 * site's `mwlite` are optional. Another host becomes the first segment, which no route knows. The text must come from
 * `cleanPasted`.
 */
const splitLinkedInUrl = (text: string): LinkedInUrl => {
  const pathEnd = text.search(/[?#]/)
  const path = (pathEnd === -1 ? text : text.slice(0, pathEnd)).replaceAll("\\", "/")
  const query = pathEnd !== -1 && text[pathEnd] === "?" ? (text.slice(pathEnd + 1).split("#", 1)[0] ?? "") : ""
  const segments = path
    .replace(/^(?:https?[:/]|linkedin:|[:/])*/i, "")
    .split("/")
    .filter((segment) => segment !== "")
  if (host.test(segments[0] ?? "")) segments.shift()
  if (segments[0]?.toLowerCase() === "mwlite") segments.shift()
  return { segments, query }
}

/**
 * A Sales Navigator lead. `identities` are the token and, where derivation is on, its member id. `salesNavTriple` is
 * `token,authType` or `token,authType,authToken`, absent when nothing but the token was given.
 */
interface SalesNavLead {
  readonly token: string
  readonly salesNavTriple?: string
  readonly identities: ReadonlyArray<Identity>
}

const authPart = (text: string | undefined): string | undefined => {
  const part = text?.trim() ?? ""
  return part.length <= 64 && part !== "undefined" && /^[A-Za-z0-9_-]+$/.test(part) ? part : undefined
}

/**
 * Reads `token[,authType[,authToken]]`, with or without the parentheses of the URN and with percent-encoded commas.
 * Invalid parts after the token are dropped. Undefined when the first part cannot be a token.
 */
const readTriple = (text: string, options: TokenOptions): SalesNavLead | undefined => {
  const [first = "", second, third] = (decodePercent(text) ?? "").replace(/^\(|\)$/g, "").split(",", 3)
  const token = first.trim()
  const identities = readToken(token, "sales_nav_token", options)
  if (identities === undefined) return undefined
  const authType = authPart(second)
  const authToken = authPart(third)
  if (authType === undefined) return { token, identities }
  const parts = [token, authType, ...(authToken === undefined ? [] : [authToken])]
  return { token, identities, salesNavTriple: parts.join(",") }
}

/** Parses the path of `/sales/lead/…` and `/sales/people/…`; undefined for any other path. */
const readLeadPath = (segments: ReadonlyArray<string>, options: TokenOptions): SalesNavLead | undefined => {
  const [product, page, lead] = segments
  if (product?.toLowerCase() !== "sales" || lead === undefined) return undefined
  return ["lead", "people"].includes(page?.toLowerCase() ?? "") ? readTriple(lead, options) : undefined
}

const urn = /^urn:li:fs_salesprofile:/i

/** Parses the URL, URN (`urn:li:fs_salesProfile:(…)`), triple or token of a lead. Fails with INVALID_INPUT. */
export const parseSalesNavLead = (input: string, options: TokenOptions): Result.Result<SalesNavLead, InvalidInput> => {
  const text = unwrap(cleanPasted(input))
  const decoded = /^urn%3a/i.test(text) ? (decodePercent(text) ?? text) : text
  const bare = decoded.split(/[,%]/, 1)[0] ?? ""
  const lead = urn.test(decoded)
    ? readTriple(decoded.replace(urn, ""), options)
    : looksLikeToken(bare.trim())
      ? readTriple(decoded, options)
      : readLeadPath(splitLinkedInUrl(text).segments, options)
  if (lead !== undefined) return Result.succeed(lead)
  const message =
    `${excerpt(input)} is not a Sales Navigator lead. Send its URL (https://www.linkedin.com/sales/lead/ACwAA…), its ` +
    "URN, or its token."
  return Result.fail(new InvalidInput({ message }))
}

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
  return identities === undefined ? "has no member token" : { identities, canonicalUrl: tokenUrl(text) }
}

const salesLead = (lead: ReturnType<typeof readTriple>): Reading => {
  if (lead === undefined) return "does not name a Sales Navigator lead"
  const { token: text, ...profile } = lead
  return { ...profile, canonicalUrl: tokenUrl(text) }
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
  const message =
    `${excerpt(input)} is not a LinkedIn member. Send a token (ACoAA…), a URN such as urn:li:member:123, or a member ` +
    "id."
  return Result.fail(new InvalidInput({ message }))
}
