/** Follow-ups in the in-memory store: the facts that core's rule asks for, and which were announced. */

import type { InstantText, LeadId } from "@svc/core"
import { compareText, nextFollowUp } from "@svc/core/internal"
import * as Leads from "@svc/core/leads"
import type { MissionRow } from "@svc/core/missions"
import * as Struct from "effect/Struct"
import { agents } from "../agents/AgentsMemory.ts"
import type { Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { drafts, isOpenDraft, transmissions } from "../outreach/LinkedInTables.ts"
import { announcedFollowUps, leadMissions, leads } from "./LeadTables.ts"
import { suppressions } from "./SuppressionsMemory.ts"

const unsent = ["in_review", "queued", "sending", "ambiguous"]

/** 1 + the highest step that was written for and is not cancelled; what a reviewer rejected counts. And whether one is not sent yet. */
const writtenFor = (tables: Tables, leadId: LeadId, { id }: MissionRow) => {
  const mine = (row: { readonly leadId: LeadId; readonly missionId: string | null }) =>
    row.leadId === leadId && row.missionId === id
  const written = [
    ...tables.where(drafts, mine).filter(({ review, status }) => status !== "CANCELLED" || review.rejection !== null),
    ...tables
      .where(transmissions, mine)
      .flatMap((row) => (row.kind === "email" && row.state !== "cancelled" ? [row] : []))
  ]
  const steps = written.flatMap((row) => (row.followUp === null ? [] : [{ step: row.followUp.step, row }]))
  const isOpen = ({ row }: (typeof steps)[number]) => ("kind" in row ? unsent.includes(row.state) : isOpenDraft(row))
  return { taken: Math.max(0, ...steps.map(({ step }) => step + 1)), isWritten: steps.some(isOpen) }
}

/** What follow-ups to a lead depend on, besides its row. */
export const followUpsOf = (tables: Tables, { email, id }: Leads.LeadRow): Leads.FollowUpContext => {
  const accepted = tables
    .where(transmissions, (row) => row.leadId === id && row.kind === "invitation" && row.state === "accepted")
    .flatMap(({ endedAt }) => endedAt ?? [])
  return {
    isBounced:
      tables.get(suppressions, Leads.identityKey({ kind: "bounced", value: email.toLowerCase() })) !== undefined,
    acceptedAt: accepted.toSorted(compareText).at(-1) ?? null,
    inMissions: tables
      .where(leadMissions, ({ leadId }) => leadId === id)
      .flatMap(({ linkedAt, missionId }) => {
        const mission = tables.get(missions, missionId)
        if (mission?.status !== "ACTIVE" || mission.steps.length === 0) return []
        const { timezone = "", workingHours = {} } = tables.get(agents, mission.agentId) ?? {}
        const of = { missionId, status: mission.status, steps: mission.steps, timezone, workingHours }
        return [{ ...of, linkedAt, ...writtenFor(tables, id, mission) }]
      })
  }
}

/** What follow-ups to a lead depend on. */
export const followUpFactsOf = (tables: Tables, row: Leads.LeadRow): Leads.FollowUpFacts => ({
  ...row,
  ...followUpsOf(tables, row)
})

/** Those to live leads that are in active missions with steps. */
export const followUpFactsIn = (
  tables: Tables,
  leadIds: ReadonlyArray<string>
): ReadonlyMap<string, Leads.FollowUpFacts> =>
  new Map(
    leadIds.flatMap((id) => {
      const row = tables.get(leads, id)
      const facts = row?.mergedInto === null ? followUpFactsOf(tables, row) : undefined
      return facts === undefined || facts.inMissions.length === 0 ? [] : [[id, facts] as const]
    })
  )

const whichOf = ({ dueAt, missionId, step }: Leads.PlannedFollowUp): string => `${missionId}/${step}/${dueAt}`

/** Marks what is due of some leads as announced, and returns what was not. */
export const announceIn = (tables: Tables, due: ReadonlyArray<Leads.LeadRow>, now: InstantText, limit: number) => {
  const planned = due.flatMap((row): ReadonlyArray<Leads.PlannedFollowUp & { readonly leadId: LeadId }> => {
    const next = nextFollowUp(followUpFactsOf(tables, row))
    if (next === null || next.dueAt > now) return []
    return [{ ...Struct.pick(next, ["missionId", "step", "dueAt", "steps"]), leadId: row.id }]
  })
  const fresh = planned
    .filter((one) => tables.get(announcedFollowUps, one.leadId)?.which !== whichOf(one))
    .toSorted((a, b) => compareText(a.dueAt, b.dueAt) || compareText(a.leadId, b.leadId))
    .slice(0, limit)
  for (const one of fresh) tables.set(announcedFollowUps, one.leadId, { leadId: one.leadId, which: whichOf(one) })
  return fresh
}
