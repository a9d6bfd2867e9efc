/** Invitations as rows of the database, and back. */
import type { QueueReason } from "@svc/core/linkedin/DraftRow"
import type { Invitation, InvitationState } from "@svc/core/linkedin/invitations/Invitation"

/** An invitation; inside a JSON document, instants are texts. */
export interface InvitationColumns<Instant> {
  readonly id: string
  readonly account_id: string
  readonly agent_id: string
  readonly lead_id: string
  readonly draft_id: string | null
  readonly state: InvitationState
  readonly reason: QueueReason | null
  readonly note: string | null
  readonly bypass: boolean
  readonly external_id: string | null
  readonly attempts: number
  readonly failures: number
  readonly not_before: Instant | null
  readonly sent_at: Instant | null
  readonly ended_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** A row as it is stored. */
export interface InvitationRow extends InvitationColumns<Date> {
  readonly organization_id: string
  readonly lease_until: Date | null
  readonly fence: number
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** An invitation out of its row. */
export const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  organizationId: row.organization_id,
  accountId: row.account_id,
  agentId: row.agent_id,
  leadId: row.lead_id,
  draftId: row.draft_id,
  state: row.state,
  reason: row.reason,
  note: row.note,
  bypass: row.bypass,
  externalId: row.external_id,
  attempts: row.attempts,
  failures: row.failures,
  notBefore: iso(row.not_before),
  sentAt: iso(row.sent_at),
  endedAt: iso(row.ended_at),
  leaseUntil: iso(row.lease_until),
  fence: row.fence,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString()
})

/** The columns of an invitation, for `jsonb_to_recordset`. */
export const invitationColumns = (one: Invitation): InvitationColumns<string> => ({
  id: one.id,
  account_id: one.accountId,
  agent_id: one.agentId,
  lead_id: one.leadId,
  draft_id: one.draftId,
  state: one.state,
  reason: one.reason,
  note: one.note,
  bypass: one.bypass,
  external_id: one.externalId,
  attempts: one.attempts,
  failures: one.failures,
  not_before: one.notBefore,
  sent_at: one.sentAt,
  ended_at: one.endedAt,
  created_at: one.createdAt,
  updated_at: one.updatedAt
})
