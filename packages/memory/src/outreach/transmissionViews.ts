/** Transmissions with their lead, agent and mission, in the in-memory store. */
import { agentName } from "@svc/core/agents"
import type { MissionRow } from "@svc/core/missions"
import { freshPace, type Transmission, type TransmissionView } from "@svc/core/outreach"
import { agents } from "../agents/AgentsMemory.ts"
import { leads } from "../leads/LeadTables.ts"
import type { Tables } from "../MemoryStore.ts"
import { missionOf, missionRef } from "../missions/MissionTables.ts"
import { policyOf } from "../workspace/OrganizationsMemory.ts"
import { drafts, messagesIn, transmissions } from "./LinkedInTables.ts"
import { senderOf, senders } from "./senderTable.ts"

/** The mission of an e-mail or of the draft. */
export const missionOfTransmission = (
  tables: Tables,
  { draftId, missionId, organizationId }: Transmission
): MissionRow | undefined => {
  const draft = draftId === null ? undefined : tables.get(drafts, organizationId, draftId)
  return missionOf(tables, organizationId, missionId ?? draft?.missionId ?? null)
}

/** The order in which the queued transmissions of a sender are sent. */
export const inTurn = (a: Transmission, b: Transmission): number => (turnOf(a) < turnOf(b) ? -1 : 1)
const turnOf = ({ bypass, id, notBefore }: Transmission): string => `${bypass ? 0 : 1} ${notBefore} ${id}`

const placeOf = (tables: Tables, row: Transmission): number | null => {
  if (row.kind !== "message" || (row.state !== "queued" && row.state !== "waiting_relation")) return null
  const waiting = messagesIn(tables, row.organizationId)
    .filter(
      ({ accountId, state }) => accountId === row.accountId && (state === "queued" || state === "waiting_relation")
    )
    .toSorted(inTurn)
  return waiting.findIndex(({ id }) => id === row.id) + 1
}

/** The view of a row. An e-mail loses the id of a deleted mission. */
export const viewOf = (tables: Tables, row: Transmission): TransmissionView => {
  const { organizationId } = row
  const agent = tables.get(agents, organizationId, row.agentId)
  const lead = tables.get(leads, organizationId, row.leadId)
  if (agent === undefined || lead === undefined) throw new Error(`transmission ${row.id} has no lead or no agent`)
  const mission = missionOfTransmission(tables, row)
  const { invitation, message, nextAt } = tables.get(senders, organizationId, senderOf(row)) ?? freshPace
  return {
    row: row.kind === "email" ? { ...row, missionId: mission?.id ?? null } : row,
    lead: {
      id: lead.id,
      name: lead.name,
      company: lead.company,
      email: lead.email,
      linkedinUrl: lead.linkedinUrl,
      status: lead.status,
      wasWritten: lead.lastOutboundAt !== null,
      lastInboundAt: lead.lastInboundAt,
      timezone: lead.timezone
    },
    agent: {
      id: agent.id,
      handle: agent.handle,
      name: agentName(agent),
      deleted: agent.deletedAt !== null,
      timezone: agent.timezone,
      workingHours: agent.workingHours,
      addresses: agent.emailAccounts.map(({ email }) => email)
    },
    mission: mission === undefined ? null : missionRef(mission),
    rules: policyOf(tables, organizationId),
    hold: { invitation, message, nextAt },
    position: placeOf(tables, row)
  }
}

/** Finds a transmission by id. */
export const findView = (tables: Tables, organizationId: string, id: string): TransmissionView | undefined => {
  const row = tables.get(transmissions, organizationId, id)
  return row === undefined ? undefined : viewOf(tables, row)
}
