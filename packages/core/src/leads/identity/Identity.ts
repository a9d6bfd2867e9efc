/**
 * The identifiers by which a lead is known, and how much each of them proves.
 *
 * A lead holds many identities; within one organization a pair of kind and value belongs to at most one lead. What the
 * other modules of this folder read out of e-mail addresses and LinkedIn addresses ends as a list of these.
 *
 * Source: G17.
 */

/** Every kind, strongest first. The names are the values of the column `lead_identities.kind`. Source: G17. */
export const identityKinds = [
  "custom_id",
  "member_id",
  "profile_token",
  "recruiter_token",
  "sales_nav_token",
  "slug",
  "email"
] as const

/** What sort of identifier it is. */
export type IdentityKind = (typeof identityKinds)[number]

/**
 * One identifier in its normal form: two spellings of the same identifier have the same `kind` and `value`.
 *
 * `value` is at most 1,000 bytes of UTF-8. `derived` marks a member id that was computed from a token rather than
 * given; it counts like a given one and can be switched off by configuration. Source: G15, G17.
 */
export interface Identity {
  readonly kind: IdentityKind
  readonly value: string
  readonly derived: boolean
}

/** The rank of a kind, 0 for the strongest. Source: G17. */
export const strengthOf = (kind: IdentityKind): number => identityKinds.indexOf(kind)

/** Whether the kind stays with a person for good. Slugs are renamed and re-used, and people change jobs. Source: G17. */
export const isPermanent = (kind: IdentityKind): boolean => kind !== "slug" && kind !== "email"

/** The kinds of which a lead has at most one value. Tokens may differ for one member; slugs and e-mails add up. */
export const singleValuedKinds = ["custom_id", "member_id"] as const satisfies ReadonlyArray<IdentityKind>

/** A string that is equal for two identities exactly when kind and value are; for use as a map key. */
export const identityKey = (identity: Identity): string => `${identity.kind}:${identity.value}`

/** Orders two strings by code unit, the same on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Orders identities by strength, then by value. */
export const compareIdentities = (a: Identity, b: Identity): number =>
  strengthOf(a.kind) - strengthOf(b.kind) || compareText(a.value, b.value)

/** Whether each one stands after the one before it, so that none comes twice. */
const isSorted = (identities: ReadonlyArray<Identity>): boolean => {
  for (let index = 1; index < identities.length; index++) {
    const before = identities[index - 1]
    const identity = identities[index]
    if (before === undefined || identity === undefined || compareIdentities(before, identity) >= 0) return false
  }
  return true
}

/**
 * The same identities without repetition, strongest first, so that the order in which they were given is lost. Where one
 * was both given and derived, the given one stays.
 */
export const sortIdentities = (identities: ReadonlyArray<Identity>): ReadonlyArray<Identity> => {
  if (isSorted(identities)) return identities
  const byKey = new Map<string, Identity>()
  for (const identity of identities) {
    const key = identityKey(identity)
    if (byKey.get(key)?.derived !== false) byKey.set(key, identity)
  }
  return [...byKey.values()].sort(compareIdentities)
}
