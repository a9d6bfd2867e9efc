/**
 * Decides which lead a set of identifiers means: none yet, one, several that are one person, or nobody can tell.
 *
 * The decision is a function of what the identifiers resolved to; nothing is read or written here, and the order of
 * identifiers, resolutions and leads does not matter. Two rules stand above all options:
 *
 * - A lead has at most one `custom_id` and one `member_id`. A lead that holds another value than the one given is never
 *   the person meant, however it was found (same e-mail, other member id). Only with an explicit `lead_id` does a new
 *   `custom_id` replace the old one. Tokens of one kind may differ: they contradict each other only through the member
 *   ids they carry. Derived member ids count like given ones.
 * - A permanent identifier never moves from one lead to another.
 *
 * Source: G17, G18.
 */
import { compareText, type Identity, identityKey, isPermanent, singleValuedKinds, sortIdentities } from "./Identity.ts"
import type { Conflict, MatchDecision, MatchRequest, Merge, Move, ResolvedIdentity, Update } from "./MatchDecision.ts"
import { excerpt } from "./pastedText.ts"

/** The request with its order taken out, and look-ups by identity and by lead. */
interface Facts {
  readonly given: ReadonlyArray<Identity>
  readonly explicit: string | undefined
  /** Strongest first; of one identity, lowest lead id first. */
  readonly owners: ReadonlyArray<ResolvedIdentity>
  readonly leadIds: ReadonlyArray<string>
  readonly heldBy: (leadId: string) => ReadonlyArray<Identity>
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

/** Who holds what, then what cannot be true at once. */
const conflict = (facts: Facts, reasons: ReadonlyArray<string>): Conflict => ({
  _tag: "Conflict",
  leadIds: facts.leadIds,
  warnings: [...facts.owners.map(({ identity, leadId }) => `${show(identity)} belongs to ${leadId}`), ...reasons]
})

/** The lead named outright, or else the lowest id among the holders of the strongest kind that resolved. Source: G18. */
const strongestLead = (facts: Facts): string | undefined => {
  const kind = facts.owners[0]?.identity.kind
  const holders = facts.owners.filter((owner) => owner.identity.kind === kind).map((owner) => owner.leadId)
  return facts.explicit ?? holders.sort(compareText)[0]
}

/** Pairs of a held and a given identity that one person cannot both have. */
const contradictions = (held: ReadonlyArray<Identity>, given: ReadonlyArray<Identity>) =>
  singleValuedKinds.flatMap((kind) => {
    const mine = held.filter((identity) => identity.kind === kind)
    const other = given.find((identity) => identity.kind === kind && !mine.some((one) => one.value === identity.value))
    return other === undefined ? [] : mine.map((identity) => ({ kind, held: identity, given: other }))
  })

const update = (facts: Facts, leadId: string): Update | Conflict => {
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
 * Decides what the given identifiers mean. Source: G18.
 *
 * - No lead involved: `Create`. One lead: `Update`, or `Conflict` when it contradicts what was given.
 * - Several leads, `error`: `Conflict`.
 * - Several leads, `prefer_strongest`: `Update` of the lead of the strongest identifier (`lead_id` before all others);
 *   slugs and e-mails of other leads move to it where those keep another identifier. `Conflict` when a permanent
 *   identifier belongs to another lead, or the strongest lead contradicts what was given.
 * - Several leads, `merge`: `Merge` into the lead of the strongest identifier (lowest id where several are as strong);
 *   `Conflict` when together they would have two member ids or two custom ids.
 */
export const decideMatch = (request: MatchRequest): MatchDecision => {
  // Nearly every row of a first import: nobody is found, so there is nothing to weigh.
  if (request.leadId === undefined && request.resolved.length === 0) {
    return { _tag: "Create", add: sortIdentities(request.given) }
  }
  const facts = factsOf(request)
  const target = strongestLead(facts)
  if (target === undefined) return { _tag: "Create", add: facts.given }
  if (facts.leadIds.length === 1 || request.onConflict === "prefer_strongest") return update(facts, target)
  return request.onConflict === "merge" ? merge(facts, target) : conflict(facts, [])
}
