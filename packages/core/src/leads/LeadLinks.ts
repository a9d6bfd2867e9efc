/** Adding leads to a mission and removing them, many at once. */

import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { LeadId, MissionId, OrganizationId } from "../kernel/schema/IdsAndTime.ts"

/** A lead that was refused, by the given id. */
interface RefusedLink {
  readonly leadId: LeadId
  readonly code: "NOT_FOUND" | "LEAD_SUPPRESSED"
}

/** The result for all leads. A merged lead counts as the lead it was merged into. */
export interface LinkedLeads {
  /** Ids of the leads that were added or removed, sorted. */
  readonly changed: ReadonlyArray<string>
  /** Number of leads that already were as requested. */
  readonly already: number
  /** In the order given. */
  readonly refused: ReadonlyArray<RefusedLink>
}

/** Stores which leads belong to a mission, which the caller has locked. One statement each. */
export interface LeadLinks {
  /** Adds leads. Refuses those in status DoNotContact. */
  readonly link: (
    organizationId: OrganizationId,
    missionId: MissionId,
    leadIds: ReadonlyArray<string>,
    at: string
  ) => Effect.Effect<LinkedLeads, StoreFailure>
  /** Removes leads. Refuses only those that do not exist. */
  readonly unlink: (
    organizationId: OrganizationId,
    missionId: MissionId,
    leadIds: ReadonlyArray<string>
  ) => Effect.Effect<LinkedLeads, StoreFailure>
}

/** What a store found for one given id; `leadId` is null when no such lead exists. */
export interface LinkVerdict {
  readonly given: string
  readonly leadId: LeadId | null
  readonly isSuppressed: boolean
  readonly isChanged: boolean
}

/** Sums up verdicts, in the order of the given ids. Two ids of one lead count once. */
export const summarizeVerdicts = (verdicts: ReadonlyArray<LinkVerdict>): LinkedLeads => {
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
