/**
 * The identifiers of a lead, and how strong each kind is.
 *
 * A lead holds many identities; within one organization a pair of kind and value belongs to at most one lead. The other
 * modules of this folder parse email addresses and LinkedIn URLs into lists of identities.
 */
import * as Context from "effect/Context"

/** Every kind, strongest first. The names are the values of the column `lead_identities.kind`. */
export const identityKinds = [
  "custom_id",
  "member_id",
  "profile_token",
  "recruiter_token",
  "sales_nav_token",
  "slug",
  "email"
] as const

export type IdentityKind = (typeof identityKinds)[number]

/**
 * One identifier in its normal form: two spellings of the same identifier have the same `kind` and `value`.
 *
 * `value` is at most 1,000 bytes of UTF-8. `derived` marks a member id that was computed from a token rather than
 * given; it counts like a given one and can be switched off by configuration.
 */
export interface Identity {
  readonly kind: IdentityKind
  readonly value: string
  readonly derived: boolean
}

/** The rank of a kind, 0 for the strongest. */
const strengthOf = (kind: IdentityKind): number => identityKinds.indexOf(kind)

/** Whether identifiers of this kind never change owner. Slugs are renamed and reused, and people change jobs. */
export const isPermanent = (kind: IdentityKind): boolean => kind !== "slug" && kind !== "email"

/** The kinds of which a lead has at most one value. It can have several tokens, slugs and email addresses. */
export const singleValuedKinds = ["custom_id", "member_id"] as const satisfies ReadonlyArray<IdentityKind>

/** A map key: equal exactly when kind and value are equal. */
export const identityKey = ({ kind, value }: { readonly kind: string; readonly value: string }): string =>
  `${kind}:${value}`

/** Orders two strings by code point, as the bytes of UTF-8 and `collate "C"` do; `<` orders by code unit. */
export const compareText = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

/** Orders identities by strength, then by value. */
export const compareIdentities = (a: Identity, b: Identity): number =>
  strengthOf(a.kind) - strengthOf(b.kind) || compareText(a.value, b.value)

/** Whether the identities are strictly ascending, so that none occurs twice. */
const isSorted = (identities: ReadonlyArray<Identity>): boolean => {
  for (let index = 1; index < identities.length; index++) {
    const before = identities[index - 1]
    const identity = identities[index]
    if (before === undefined || identity === undefined || compareIdentities(before, identity) >= 0) return false
  }
  return true
}

/** The identities without repetition, strongest first. Of a given and a derived one, the given one stays. */
export const sortIdentities = (identities: ReadonlyArray<Identity>): ReadonlyArray<Identity> => {
  if (isSorted(identities)) return identities
  const byKey = new Map<string, Identity>()
  for (const identity of identities) {
    const key = identityKey(identity)
    if (byKey.get(key)?.derived !== false) byKey.set(key, identity)
  }
  return [...byKey.values()].sort(compareIdentities)
}

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
 * The identities in a token, sorted: its member id, depending on the options, and the token itself. A token of unknown layout
 * gets the kind that its `place` suggests. Undefined for a text that cannot be a token.
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

/** The member id inside a token; undefined for other identities and for tokens without one. */
const memberIn = ({ kind, value }: Identity): string | undefined =>
  kind.endsWith("_token") ? memberIdOf(value) : undefined

/** The `identities` that are not in `removed`. */
export const without = (
  identities: ReadonlyArray<Identity>,
  removed: ReadonlyArray<Identity>
): ReadonlyArray<Identity> => {
  if (removed.length === 0) return identities
  const keys = new Set(removed.map(identityKey))
  return identities.filter((identity) => !keys.has(identityKey(identity)))
}

/**
 * The `held` identities that leave with `named` ones. A member id takes every token that contains it along, as they name the
 * same person; a derived member id leaves with the last token that contains it.
 */
export const detachedWith = (
  held: ReadonlyArray<Identity>,
  named: ReadonlyArray<Identity>
): ReadonlyArray<Identity> => {
  if (named.length === 0) return []
  const keys = new Set(named.map(identityKey))
  const members = new Set(named.flatMap(({ kind, value }) => (kind === "member_id" ? [value] : [])))
  const gone = held.filter((identity) => keys.has(identityKey(identity)) || members.has(memberIn(identity) ?? ""))
  const left = without(held, gone)
  const implied = new Set(left.map(memberIn))
  const orphaned = new Set(gone.map(memberIn).filter((member) => !implied.has(member)))
  const isOrphan = ({ derived, kind, value }: Identity) => kind === "member_id" && derived && orphaned.has(value)
  return [...gone, ...left.filter(isOrphan)]
}

/** The tokens of these kinds and, if `isMemberMeant`, the member ids that no other token contains. */
export const tokensOf = (
  held: ReadonlyArray<Identity>,
  kinds: ReadonlyArray<Identity["kind"]>,
  isMemberMeant: boolean
): ReadonlyArray<Identity> => {
  const tokens = held.filter(({ kind }) => kinds.includes(kind))
  const implied = new Set(without(held, tokens).map(memberIn))
  const members = held.filter(({ kind, value }) => isMemberMeant && kind === "member_id" && !implied.has(value))
  return [...tokens, ...members]
}
