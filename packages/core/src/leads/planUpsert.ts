/** Planning an upsert: a pure function of the input and of what was found, shared by `lead.upsert` and every import. */

import * as Result from "effect/Result"
import { InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import type { NewEvent } from "../kernel/journal/Event.ts"
import type { InstantText, OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { MissionArchived } from "../missions/failures.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { isSameValue } from "./applyInput.ts"
import { decideWrite, type WritePlan } from "./decideWrite.ts"
import type { Reference } from "./identity/IdentityInput.ts"
import { type MatchDecision, matchLeads, type OnConflict } from "./identity/Matching.ts"
import type { FieldSource, LeadRow, LeadUpsertInput } from "./Lead.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import type { LeadChange, Resolution, StoredLead } from "./LeadsRepo.ts"
import { leadSuppressed } from "./suppression/Suppression.ts"

/** An input with the identifiers parsed from it. */
export interface IdentifiedLead {
  readonly input: LeadUpsertInput
  readonly reference: Reference
}

/** Options. `mission` is the id or handle of a mission to add the lead to; conflicts are refused by default. */
export interface UpsertOptions {
  readonly source: FieldSource
  readonly onConflict?: OnConflict | undefined
  readonly mission?: string | undefined
  /** Values for a lead that has none, neither in the input nor known before. */
  readonly defaults?: LeadUpsertInput | undefined
}

/** An upsert and what the store found for it. */
interface UpsertRequest extends IdentifiedLead, UpsertOptions {
  readonly organizationId: OrganizationId
  readonly found: Resolution
}

/** What an upsert writes, and the events it emits. */
export interface UpsertPlan extends WritePlan {
  /** The rows to insert or update. */
  readonly rows: ReadonlyArray<LeadRow>
  readonly link: NonNullable<LeadChange["links"]>[number] | undefined
  /** Statuses of the leads that are merged into it. */
  readonly mergedStatuses: ReadonlyArray<LeadStatus>
  readonly change: "created" | "updated" | "unchanged"
  /** The lead afterwards, including its new mission. */
  readonly result: StoredLead
  /** Without the change of status, which `announceMergedStatus` emits. */
  readonly events: ReadonlyArray<NewEvent>
}

/** Fails with INVALID_INPUT when a field and its alias differ. */
export const checkAliases = ({ headline, title }: LeadUpsertInput): Result.Result<void, InvalidInput> =>
  headline != null && title != null && headline !== title
    ? Result.fail(new InvalidInput({ message: "headline and title are aliases but differ. Send one of them." }))
    : Result.succeed(undefined)

/** Matches the lead. Fails with NOT_FOUND (lead or mission) and MISSION_ARCHIVED. */
export const decideUpsert = ({
  found,
  mission,
  onConflict = "error",
  reference
}: UpsertRequest): Result.Result<MatchDecision, MissionArchived | NotFound> => {
  const { leadId, leads } = found
  if (reference.leadId !== undefined && leadId === undefined)
    return Result.fail(new NotFound({ kind: "lead", id: reference.leadId }))
  if (mission !== undefined && found.mission === undefined)
    return Result.fail(new NotFound({ kind: "mission", id: mission }))
  const open = found.mission === undefined ? Result.void : refuseArchived(found.mission.status, "enrolment")
  return Result.map(open, () => matchLeads(reference, leadId, leads, onConflict))
}

/** The lead with its new mission. */
const linkedTo = (
  { handle, id, name }: NonNullable<Resolution["mission"]>,
  lead: StoredLead,
  linkedAt: InstantText
): StoredLead => ({ ...lead, missions: [...lead.missions, { id, handle, name, linkedAt }] })

const eventsOf = (
  { before, changed, donors, losers, stored: { row } }: WritePlan,
  link: UpsertPlan["link"],
  source: FieldSource
): ReadonlyArray<NewEvent> => {
  const subject = { type: "lead", id: row.id }
  const events: Array<NewEvent> = []
  const fields = before === undefined ? [] : changed.filter((field) => field !== "status")
  if (before === undefined) events.push({ type: "lead.created", subject, data: { status: row.status } })
  if (losers.length > 0) events.push({ type: "lead.merged", subject, data: { merged: losers } })
  if (before !== undefined && fields.length > 0) {
    events.push({ type: "lead.updated", subject, data: { changed: fields } })
  }
  for (const { id } of donors) {
    events.push({ type: "lead.updated", subject: { type: "lead", id }, data: { changed: ["identities"] } })
  }
  if (row.status === "DoNotContact" && before?.status !== "DoNotContact") events.push(leadSuppressed(row.id, null))
  // An import emits one event for all its leads.
  if (link !== undefined && source === "user") {
    const { leadId, missionId } = link
    const data = { lead_ids: [leadId], count: 1 }
    events.push({ type: "mission.leads_added", subject: { type: "mission", id: missionId }, data })
  }
  return events
}

const isSame = (before: LeadRow | undefined, after: LeadRow): boolean => {
  const known: Readonly<Record<string, unknown>> = { ...before }
  return before !== undefined && Object.entries(after).every(([field, value]) => isSameValue(known[field], value))
}

/**
 * Plans the decision of {@link decideUpsert}. `newId` is used for a new lead. Fails with IDENTITY_CONFLICT, INVALID_INPUT
 * (no name), LAST_IDENTIFIER and LEAD_SUPPRESSED.
 */
export const planUpsert = (request: UpsertRequest, decision: MatchDecision, newId: string, at: string) =>
  Result.map(decideWrite({ ...request, decision, newId, at }), (plan): UpsertPlan => {
    const { found, source } = request
    const { before, changed, donors, losers, stored } = plan
    const mission = stored.missions.some(({ id }) => id === found.mission?.id) ? undefined : found.mission
    const link = mission && { missionId: mission.id, leadId: stored.row.id, at, touch: source === "user" }
    return {
      ...plan,
      rows: isSame(before, stored.row) ? donors : [stored.row, ...donors],
      link,
      mergedStatuses: found.leads.flatMap(({ row }) => (losers.includes(row.id) ? [row.status] : [])),
      change: before === undefined ? "created" : changed.length + losers.length > 0 ? "updated" : "unchanged",
      result: mission === undefined ? stored : linkedTo(mission, stored, at),
      events: eventsOf(plan, link, source)
    }
  })
