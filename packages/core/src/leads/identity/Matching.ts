/**
 * Matching identifiers to a lead. A pure function; the order of identifiers and leads does not matter. Two rules hold
 * whatever the options:
 *
 * - A lead has at most one `custom_id` and one `member_id`. A lead with a different value never matches, however it was
 *   found (same email, other member id); only an explicit `lead_id` replaces a `custom_id`. Tokens may differ and only
 *   contradict each other through their member ids. Derived member ids count like given ones.
 * - A permanent identifier never moves from one lead to another.
 */

import type { LeadId } from "../../kernel/schema/IdsAndTime.ts"
import { excerpt } from "../../kernel/schema/TextFields.ts"
import { IdentityConflict } from "../failures.ts"
import type { LeadReference, StoredLead } from "../LeadsRepo.ts"
import { compareText, type Identity, identityKey, isPermanent, singleValuedKinds, sortIdentities } from "./Identity.ts"

/** What to do when identifiers belong to several leads: refuse, pick the lead of the strongest one, or merge them. */
export type OnConflict = "error" | "prefer_strongest" | "merge"

/** An identity and the lead that holds it. */
interface ResolvedIdentity {
  readonly identity: Identity
  readonly leadId: LeadId
}

/**
 * The facts of one decision, all from one organization. `given` comes from `readIdentityInput`: at most one value of each
 * single-valued kind. `leadId` is the caller's `lead_id`, which exists. `resolved` has an entry for each given identity
 * that a lead holds; `held` has all identities of those leads and of `leadId`. Lead ids sort by age.
 */
export interface MatchRequest {
  readonly given: ReadonlyArray<Identity>
  readonly leadId?: LeadId | undefined
  readonly resolved: ReadonlyArray<ResolvedIdentity>
  readonly held: ReadonlyMap<string, ReadonlyArray<Identity>>
  readonly onConflict: OnConflict
}

/** No lead holds any of the identifiers: create one with `add`. */
interface Create {
  readonly _tag: "Create"
  readonly add: ReadonlyArray<Identity>
}

/** A non-permanent identifier that moves to the updated lead. */
interface Move {
  readonly identity: Identity
  readonly fromLeadId: LeadId
}

/**
 * Update this lead: give it `add`, move `move` from other leads, delete `remove` (an old `custom_id` replaced through an
 * explicit `lead_id`). `warnings` name every move, and every identifier that stays with another lead.
 */
export interface Update {
  readonly _tag: "Update"
  readonly leadId: LeadId
  readonly add: ReadonlyArray<Identity>
  readonly move: ReadonlyArray<Move>
  readonly remove: ReadonlyArray<Identity>
  readonly warnings: ReadonlyArray<string>
}

/** Merge `losers` into `winner`, which also gets `add`. */
export interface Merge {
  readonly _tag: "Merge"
  readonly winner: string
  readonly losers: ReadonlyArray<string>
  readonly add: ReadonlyArray<Identity>
}

/** Nothing may be written. `leadIds` are the leads involved, at least one; `warnings` say which lead holds what. */
interface Conflict {
  readonly _tag: "Conflict"
  readonly leadIds: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** The result of matching. */
export type MatchDecision = Create | Update | Merge | Conflict

/** The failure for a conflict: IDENTITY_CONFLICT with the leads; `warnings` say which lead holds what. */
export const conflictFailure = ({ leadIds, warnings }: Conflict): IdentityConflict => {
  const [first = ""] = leadIds
  const some = leadIds.slice(0, 10).join(", ")
  const message =
    leadIds.length === 1
      ? `The identifiers match ${first} but contradict what that lead already has (see meta.warnings). Correct them, or ` +
        "leave out the wrong one."
      : `The identifiers belong to ${leadIds.length} leads: ${some}. Send fewer identifiers, or on_conflict, or merge the leads.`
  return new IdentityConflict({ leads: leadIds, message, warnings })
}

/** The request, sorted, with lookups by identity and by lead. */
interface Facts {
  readonly given: ReadonlyArray<Identity>
  readonly explicit: string | undefined
  /** Strongest identity first, then lowest lead id. */
  readonly owners: ReadonlyArray<ResolvedIdentity>
  readonly leadIds: ReadonlyArray<string>
  readonly heldBy: (leadId: LeadId) => ReadonlyArray<Identity>
}

const factsOf = (request: MatchRequest): Facts => {
  const given = sortIdentities(request.given)
  const owners = given.flatMap((identity) => {
    const key = identityKey(identity)
    const leadIds = request.resolved.filter((entry) => identityKey(entry.identity) === key).map((entry) => entry.leadId)
    return [...new Set(leadIds)].sort(compareText).map((leadId) => ({ identity, leadId }))
  })
  const involved = new Set(owners.map((owner) => owner.leadId))
  if (request.leadId !== undefined) involved.add(request.leadId)
  return {
    given,
    explicit: request.leadId,
    owners,
    leadIds: [...involved].sort(compareText),
    heldBy: (leadId) => sortIdentities(request.held.get(leadId) ?? [])
  }
}

const show = (identity: Identity): string => `${identity.kind} ${excerpt(identity.value).slice(1, -1)}`

/** Reports which lead holds what, then the contradictions. */
const conflict = (facts: Facts, reasons: ReadonlyArray<string>): Conflict => ({
  _tag: "Conflict",
  leadIds: facts.leadIds,
  warnings: [...facts.owners.map(({ identity, leadId }) => `${show(identity)} belongs to ${leadId}`), ...reasons]
})

/** The explicit lead, or else the lowest id among the holders of the strongest kind found. */
const strongestLead = (facts: Facts): string | undefined => {
  const kind = facts.owners[0]?.identity.kind
  const holders = facts.owners.filter((owner) => owner.identity.kind === kind).map((owner) => owner.leadId)
  return facts.explicit ?? holders.sort(compareText)[0]
}

/** Pairs of a held and a given identity that exclude each other. */
const contradictions = (held: ReadonlyArray<Identity>, given: ReadonlyArray<Identity>) =>
  singleValuedKinds.flatMap((kind) => {
    const mine = held.filter((identity) => identity.kind === kind)
    const other = given.find((identity) => identity.kind === kind && !mine.some((one) => one.value === identity.value))
    return other === undefined ? [] : mine.map((identity) => ({ kind, held: identity, given: other }))
  })

const update = (facts: Facts, leadId: LeadId): Update | Conflict => {
  const held = facts.heldBy(leadId)
  const clashes = contradictions(held, facts.given)
  const isReplacement = (clash: (typeof clashes)[number]) => facts.explicit === leadId && clash.kind === "custom_id"
  const refused = clashes.filter((clash) => !isReplacement(clash))
  const foreign = facts.owners.filter((owner) => owner.leadId !== leadId)
  if (refused.length > 0 || foreign.some((owner) => isPermanent(owner.identity.kind))) {
    return conflict(
      facts,
      refused.map((clash) => `${leadId} has ${show(clash.held)}, but ${show(clash.given)} was given`)
    )
  }
  const known = new Set([...held, ...facts.owners.map((owner) => owner.identity)].map(identityKey))
  const move: Array<Move> = []
  const warnings: Array<string> = []
  for (const { identity, leadId: fromLeadId } of foreign) {
    const left = facts.heldBy(fromLeadId).length - move.filter((one) => one.fromLeadId === fromLeadId).length
    if (left > 1) {
      move.push({ identity, fromLeadId })
      warnings.push(`${show(identity)} moved from ${fromLeadId} to ${leadId}`)
    } else {
      warnings.push(`${show(identity)} stays with ${fromLeadId}, which has no other identifier`)
    }
  }
  return {
    _tag: "Update",
    leadId,
    add: facts.given.filter((identity) => !known.has(identityKey(identity))),
    move,
    remove: clashes.map((clash) => clash.held),
    warnings
  }
}

const merge = (facts: Facts, winner: string): Merge | Conflict => {
  const everything = facts.leadIds.map((leadId) => ({ leadId, held: facts.heldBy(leadId) }))
  const reasons = singleValuedKinds.flatMap((kind) => {
    const claims = [
      ...everything.flatMap(({ leadId, held }) =>
        held.filter((identity) => identity.kind === kind).map((identity) => ({ identity, claim: `${leadId} has` }))
      ),
      ...facts.given.filter((one) => one.kind === kind).map((identity) => ({ identity, claim: "the input has" }))
    ]
    const values = new Set(claims.map(({ identity }) => identity.value))
    return values.size > 1 ? claims.map(({ identity, claim }) => `${claim} ${show(identity)}`) : []
  })
  if (reasons.length > 0) return conflict(facts, reasons)
  const known = new Set(everything.flatMap(({ held }) => held.map(identityKey)))
  return {
    _tag: "Merge",
    winner,
    losers: facts.leadIds.filter((leadId) => leadId !== winner),
    add: facts.given.filter((identity) => !known.has(identityKey(identity)))
  }
}

/**
 * Matches the given identifiers.
 *
 * - No lead found: `Create`. One lead: `Update`, or `Conflict` when it contradicts an identifier.
 * - Several leads, `error`: `Conflict`.
 * - Several leads, `prefer_strongest`: `Update` of the lead with the strongest identifier (`lead_id` first); slugs and
 *   emails of other leads move to it if those keep another identifier. `Conflict` when a permanent identifier belongs to
 *   another lead, or the chosen lead contradicts an identifier.
 * - Several leads, `merge`: `Merge` into the lead with the strongest identifier (of equals, the lowest id); `Conflict` when
 *   the result would have two member ids or two custom ids.
 */
export const decideMatch = (request: MatchRequest): MatchDecision => {
  // Fast path for nearly every row of a first import.
  if (request.leadId === undefined && request.resolved.length === 0) {
    return { _tag: "Create", add: sortIdentities(request.given) }
  }
  const facts = factsOf(request)
  const target = strongestLead(facts)
  if (target === undefined) return { _tag: "Create", add: facts.given }
  if (facts.leadIds.length === 1 || request.onConflict === "prefer_strongest") return update(facts, target)
  return request.onConflict === "merge" ? merge(facts, target) : conflict(facts, [])
}

/** Matches a reference to what a store found. `leadId` is the live lead of an explicit id; `leads` are all leads found. */
export const matchLeads = (
  { identities: given }: Pick<LeadReference, "identities">,
  leadId: LeadId | undefined,
  leads: ReadonlyArray<Pick<StoredLead, "row" | "identities">>,
  onConflict: OnConflict
): MatchDecision => {
  if (leads.length === 0) return decideMatch({ given, leadId, resolved: [], held: new Map(), onConflict })
  const keys = new Set(given.map(identityKey))
  return decideMatch({
    given,
    leadId,
    resolved: leads.flatMap(({ identities, row }) =>
      identities.filter((identity) => keys.has(identityKey(identity))).map((identity) => ({ identity, leadId: row.id }))
    ),
    held: new Map(leads.map(({ identities, row }) => [row.id, identities])),
    onConflict
  })
}
