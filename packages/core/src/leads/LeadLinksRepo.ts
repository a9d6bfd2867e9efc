/** Many leads at once into a mission or out of it: the port. Source: catalogue 4.1 (lead.mission.add, lead.mission.remove). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"

/** A lead that was not taken, by the id that was given. */
export interface RefusedLink {
  readonly leadId: string
  readonly code: "NOT_FOUND" | "LEAD_SUPPRESSED"
}

/** What became of the leads. Merged leads count as the one that they went into. */
export interface LinkedLeads {
  /** Ids of the leads that changed sides, by id. */
  readonly changed: ReadonlyArray<string>
  /** How many were where they should be already. */
  readonly already: number
  /** In the order in which they were given. */
  readonly refused: ReadonlyArray<RefusedLink>
}

/** Stores which leads belong to a mission that is held. One statement each; fails with UNAVAILABLE. */
export class LeadLinksRepo extends Context.Service<
  LeadLinksRepo,
  {
    /** Adds leads. Those in status DoNotContact are refused. */
    readonly add: (
      organizationId: string,
      missionId: string,
      leadIds: ReadonlyArray<string>,
      at: string
    ) => Effect.Effect<LinkedLeads, Failure>
    /** Takes leads out. Only those that do not exist are refused. */
    readonly remove: (
      organizationId: string,
      missionId: string,
      leadIds: ReadonlyArray<string>
    ) => Effect.Effect<LinkedLeads, Failure>
  }
>()("@svc/core/leads/LeadLinksRepo") {}

/** What a store found for one given id; `leadId` is null when there is no such lead. */
export interface LinkVerdict {
  readonly given: string
  readonly leadId: string | null
  readonly isSuppressed: boolean
  readonly isChanged: boolean
}

/** The verdicts of the given ids, in their order, summed up. Two ids of one lead count as one. */
export const sumOfVerdicts = (verdicts: ReadonlyArray<LinkVerdict>): LinkedLeads => {
  const seen = new Set<string>()
  const changed: Array<string> = []
  const refused: Array<RefusedLink> = []
  let already = 0
  for (const { given, isChanged, isSuppressed, leadId } of verdicts) {
    const key = leadId ?? given
    if (seen.has(key)) continue
    seen.add(key)
    if (leadId === null) refused.push({ leadId: given, code: "NOT_FOUND" })
    else if (isSuppressed) refused.push({ leadId: given, code: "LEAD_SUPPRESSED" })
    else if (isChanged) changed.push(leadId)
    else already++
  }
  return { changed: changed.sort(), already, refused }
}
