/** The smallest store that can carry out a match decision: lead id to identities, each identity at most once. */
import { type Identity, identityKey } from "#core/leads/identity/Identity.ts"
import { decideMatch, type MatchDecision, type MatchRequest, type OnConflict } from "#core/leads/identity/Matching.ts"

export class LeadModel {
  readonly leads: Map<string, Array<Identity>>

  constructor(leads: Readonly<Record<string, ReadonlyArray<Identity>>>) {
    this.leads = new Map(Object.entries(leads).map(([leadId, held]) => [leadId, [...held]]))
  }

  /** The lead that holds the identity. */
  ownerOf(identity: Identity): string | undefined {
    const key = identityKey(identity)
    return [...this.leads].find(([, held]) => held.some((one) => identityKey(one) === key))?.[0]
  }

  /** What a repository would look up for these identifiers. */
  request(given: ReadonlyArray<Identity>, onConflict: OnConflict, leadId?: string): MatchRequest {
    const resolved = given.flatMap((identity) => {
      const owner = this.ownerOf(identity)
      return owner === undefined ? [] : [{ identity, leadId: owner }]
    })
    const leadIds = [...resolved.map((one) => one.leadId), ...(leadId === undefined ? [] : [leadId])]
    const held = new Map(leadIds.map((one) => [one, this.leads.get(one) ?? []]))
    return { given, leadId, resolved, held, onConflict }
  }

  decide(given: ReadonlyArray<Identity>, onConflict: OnConflict, leadId?: string): MatchDecision {
    return decideMatch(this.request(given, onConflict, leadId))
  }

  /** Carries out a decision; refuses to give an identity to two leads. Returns the lead that was written, if any. */
  apply(decision: MatchDecision): string | undefined {
    switch (decision._tag) {
      case "Conflict":
        return undefined
      case "Create": {
        const leadId = `ld_new${this.leads.size}`
        this.leads.set(leadId, [])
        this.#add(leadId, decision.add)
        return leadId
      }
      case "Update":
        for (const { identity, fromLeadId } of decision.move) this.#drop(fromLeadId, identity)
        for (const identity of decision.remove) this.#drop(decision.leadId, identity)
        this.#add(decision.leadId, [...decision.add, ...decision.move.map((move) => move.identity)])
        return decision.leadId
      case "Merge": {
        const taken = decision.losers.flatMap((loser) => this.leads.get(loser) ?? [])
        for (const loser of decision.losers) this.leads.delete(loser)
        this.#add(decision.winner, [...taken, ...decision.add])
        return decision.winner
      }
    }
  }

  #add(leadId: string, identities: ReadonlyArray<Identity>): void {
    for (const identity of identities) {
      const owner = this.ownerOf(identity)
      if (owner !== undefined) throw new Error(`${identityKey(identity)} already belongs to ${owner}`)
      this.leads.get(leadId)?.push(identity)
    }
  }

  #drop(leadId: string, identity: Identity): void {
    const held = this.leads.get(leadId) ?? []
    const rest = held.filter((one) => identityKey(one) !== identityKey(identity))
    if (rest.length !== held.length - 1) throw new Error(`${leadId} does not hold ${identityKey(identity)}`)
    this.leads.set(leadId, rest)
  }
}
