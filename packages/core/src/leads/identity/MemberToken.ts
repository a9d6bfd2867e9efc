/**
 * LinkedIn's opaque member tokens, and the permanent member id inside them.
 *
 * A token is 39 characters of base64url, which is 29 bytes: two bytes that tag the product it was made for, six bytes of
 * member id (big-endian), one byte 01, and twenty bytes that are opaque. Case is significant. Two tokens of different
 * products thus name one person without any visit to LinkedIn. Whether that layout stays is not promised by anybody,
 * so every reader takes {@link TokenOptions}.
 *
 * Source: G15 and finding 0.3.
 */
import type { Identity, IdentityKind } from "./Identity.ts"

/** How tokens are read: with `deriveMemberId` false a token stays opaque and no member id is computed from it. */
export interface TokenOptions {
  readonly deriveMemberId: boolean
}

/** The kinds of identity that are tokens. */
export type TokenKind = Extract<IdentityKind, "profile_token" | "recruiter_token" | "sales_nav_token">

const tokenLength = 39
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const layouts: ReadonlyArray<{ readonly prefix: string; readonly tag: bigint; readonly kind: TokenKind }> = [
  { prefix: "ACoAA", tag: 0x002an, kind: "profile_token" },
  { prefix: "ACwAA", tag: 0x002cn, kind: "sales_nav_token" },
  { prefix: "AEMAA", tag: 0x0043n, kind: "recruiter_token" }
]

const layoutOf = (text: string) => layouts.find((layout) => text.startsWith(layout.prefix))

/** Whether the text is made of base64url characters and long enough, but not too long, to be a token of some layout. */
const isTokenText = (text: string): boolean =>
  text.length >= 16 && text.length <= 128 && /^[A-Za-z0-9_-]+$/.test(text) && !/^[0-9]+$/.test(text)

/** The kind of a token whose layout is known (prefix, alphabet and length), undefined for any other text. Source: G15. */
export const tokenKindOf = (text: string): TokenKind | undefined =>
  text.length === tokenLength && isTokenText(text) ? layoutOf(text)?.kind : undefined

/**
 * Whether a bare text, without a place that says so, is meant as a token: it begins like one of known layout, or it has
 * the length and the zero bytes of a token with another tag. Source: G15.
 */
export const looksLikeToken = (text: string): boolean =>
  isTokenText(text) && (layoutOf(text) !== undefined || (text.length === tokenLength && /^A[A-P].AA/.test(text)))

/**
 * The member id inside a token, in decimal without leading zeros; undefined when the text is not a token, or its tag,
 * length or byte 8 is not as documented, or the id is 0. Source: G15.
 */
export const memberIdOf = (token: string): string | undefined => {
  if (tokenKindOf(token) === undefined) return undefined
  // Twelve characters are the nine bytes that matter.
  let bits = 0n
  for (const character of token.slice(0, 12)) bits = bits * 64n + BigInt(base64url.indexOf(character))
  const tag = bits >> 56n
  const memberId = (bits >> 8n) & 0xffff_ffff_ffffn
  const marker = bits & 0xffn
  return marker === 1n && memberId > 0n && tag === layoutOf(token)?.tag ? memberId.toString() : undefined
}

/** The normal form of a decimal member id (no leading zeros, 1 to 2^48 - 1), undefined for any other text. */
export const normalizeMemberId = (text: string): string | undefined => {
  if (text.length > 64 || !/^[0-9]+$/.test(text)) return undefined
  const memberId = BigInt(text)
  return memberId > 0n && memberId < 1n << 48n ? memberId.toString() : undefined
}

/** A member id that was given as such. The value must come from {@link normalizeMemberId}. */
export const memberIdentity = (memberId: string): Identity => ({ kind: "member_id", value: memberId, derived: false })

/**
 * The identities in a text that stands where a token belongs: the token, and the member id inside it where the options
 * ask for it. A token of unknown layout is kept as it is, under the kind that the place suggests, never refused; a text
 * that cannot be a token (16 to 128 characters of base64url) gives undefined. Source: G15.
 */
export const readToken = (
  text: string,
  place: TokenKind,
  options: TokenOptions
): ReadonlyArray<Identity> | undefined => {
  if (!isTokenText(text)) return undefined
  const token: Identity = { kind: layoutOf(text)?.kind ?? place, value: text, derived: false }
  const memberId = options.deriveMemberId ? memberIdOf(text) : undefined
  return memberId === undefined ? [token] : [{ kind: "member_id", value: memberId, derived: true }, token]
}
