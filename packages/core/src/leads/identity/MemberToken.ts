/**
 * LinkedIn's opaque member tokens, and the permanent member id inside them.
 *
 * A token is 39 characters of base64url, 29 bytes: two bytes for the product, six bytes of member id (big-endian), one
 * byte 01 and twenty opaque bytes. It is case-sensitive. Tokens of different products can thus be matched offline. The
 * layout is undocumented and may change, so every parser takes {@link TokenOptions}.
 */
import * as Context from "effect/Context"
import type { Identity, IdentityKind } from "./Identity.ts"

/** With `deriveMemberId` false, tokens stay opaque: no member id is derived from them. */
export interface TokenOptions {
  readonly deriveMemberId: boolean
}

/** How identifiers are read, for the whole deployment. By default, member ids are derived from LinkedIn tokens. */
export const IdentityOptions: Context.Reference<TokenOptions> = Context.Reference<TokenOptions>(
  "@svc/core/leads/IdentityOptions",
  { defaultValue: () => ({ deriveMemberId: true }) }
)

export type TokenKind = Extract<IdentityKind, "profile_token" | "recruiter_token" | "sales_nav_token">

const tokenLength = 39
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const layouts: ReadonlyArray<{ readonly prefix: string; readonly tag: bigint; readonly kind: TokenKind }> = [
  { prefix: "ACoAA", tag: 0x002an, kind: "profile_token" },
  { prefix: "ACwAA", tag: 0x002cn, kind: "sales_nav_token" },
  { prefix: "AEMAA", tag: 0x0043n, kind: "recruiter_token" }
]

const layoutOf = (text: string) => layouts.find((layout) => text.startsWith(layout.prefix))

/** Whether the text can be a token of any layout: 16 to 128 base64url characters, not only digits. */
const isTokenText = (text: string): boolean =>
  text.length >= 16 && text.length <= 128 && /^[A-Za-z0-9_-]+$/.test(text) && !/^[0-9]+$/.test(text)

/** The kind of a token whose layout is known (prefix, alphabet and length), undefined for any other text. */
export const tokenKindOf = (text: string): TokenKind | undefined =>
  text.length === tokenLength && isTokenText(text) ? layoutOf(text)?.kind : undefined

/** Whether a bare text is a token: it starts like one of known layout, or has the length and zero bytes of one. */
export const looksLikeToken = (text: string): boolean =>
  isTokenText(text) && (layoutOf(text) !== undefined || (text.length === tokenLength && /^A[A-P].AA/.test(text)))

/**
 * The member id inside a token, in decimal without leading zeros; undefined when the text is not a token, or its tag,
 * length or byte 8 is not as documented, or the id is 0.
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

/** The identity of a given member id, which must come from {@link normalizeMemberId}. */
export const memberIdentity = (memberId: string): Identity => ({ kind: "member_id", value: memberId, derived: false })

/**
 * The identities in a token: the token itself and, depending on the options, its member id. A token of unknown layout gets
 * the kind that its `place` suggests. Undefined for a text that cannot be a token.
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
