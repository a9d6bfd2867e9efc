/** Which identities leave a lead when identifiers of it turn out to be wrong. */
import { type Identity, identityKey } from "./Identity.ts"
import { memberIdOf } from "./MemberToken.ts"

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
