/**
 * The identifiers of a lead, and how strong each kind is.
 *
 * A lead holds many identities; within one organization a pair of kind and value belongs to at most one lead. The other
 * modules of this folder parse email addresses and LinkedIn URLs into lists of identities.
 */

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

/** Orders two strings by code unit, independent of the locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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
