/** Transmissions with their lead, agent and mission, in the in-memory store. */

import { agentName, freshPace } from "@svc/core/internal"
import type { MissionRow } from "@svc/core/missions"
import type { Transmission, TransmissionView } from "@svc/core/outreach"
import * as Struct from "effect/Struct"
import { agents } from "../agents/AgentsMemory.ts"
import { leads } from "../leads/LeadTables.ts"
import type { Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { policyOf } from "../workspace/OrganizationsMemory.ts"
import { drafts, messagesIn, senderOf, senders, transmissions } from "./LinkedInTables.ts"

/** The mission of an e-mail or of the draft. */
export const missionOfTransmission = (tables: Tables, { draftId, missionId }: Transmission): MissionRow | undefined => {
  const draft = tables.get(drafts, draftId)
  return tables.get(missions, missionId ?? draft?.missionId)
}

/** The order in which the queued transmissions of a sender are sent. */
export const inTurn = (a: Transmission, b: Transmission): number => (turnOf(a) < turnOf(b) ? -1 : 1)
const turnOf = ({ bypass, id, notBefore }: Transmission): string => `${bypass ? 0 : 1} ${notBefore} ${id}`

const placeOf = (tables: Tables, row: Transmission): number | null => {
  if (row.kind !== "message" || (row.state !== "queued" && row.state !== "waiting_relation")) return null
  const waiting = messagesIn(tables)
    .filter(
      ({ accountId, state }) => accountId === row.accountId && (state === "queued" || state === "waiting_relation")
    )
    .toSorted(inTurn)
  return waiting.findIndex(({ id }) => id === row.id) + 1
}

/** The view of a row. An e-mail loses the id of a deleted mission. */
export const viewOf = (tables: Tables, row: Transmission): TransmissionView => {
  const agent = tables.get(agents, row.agentId)
  const lead = tables.get(leads, row.leadId)
  if (agent === undefined || lead === undefined) throw new Error(`transmission ${row.id} has no lead or no agent`)
  const mission = missionOfTransmission(tables, row)
  const { invitation, message, nextAt } = tables.get(senders, senderOf(row)) ?? freshPace
  return {
    row: row.kind === "email" ? { ...row, missionId: mission?.id ?? null } : row,
    lead: {
      ...Struct.pick(lead, [
        "id",
        "name",
        "company",
        "email",
        "linkedinUrl",
        "status",
        "lastInboundAt",
        "lastOutboundAt",
        "awayUntil",
        "lawfulBasis",
        "timezone"
      ]),
      wasWritten: lead.lastOutboundAt !== null
    },
    agent: {
      ...Struct.pick(agent, ["id", "handle", "timezone", "workingHours"]),
      name: agentName(agent),
      deleted: agent.deletedAt !== null,
      addresses: agent.emailAccounts.map(({ email }) => email)
    },
    mission: mission === undefined ? null : Struct.pick(mission, ["id", "handle", "name", "status", "steps"]),
    rules: policyOf(tables),
    hold: { invitation, message, nextAt },
    position: placeOf(tables, row)
  }
}

/** Finds a transmission by id. */
export const findView = (tables: Tables, id: string): TransmissionView | undefined => {
  const row = tables.get(transmissions, id)
  return row === undefined ? undefined : viewOf(tables, row)
}
