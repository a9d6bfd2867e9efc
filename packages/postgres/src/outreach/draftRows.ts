/** Drafts as rows of the database, and back. */
import type { ActorKind, AgentId, LeadId, MissionId, OrganizationId, QueueItemId } from "@svc/core"
import type { Identity, LeadStatus } from "@svc/core/leads"
import type { MissionStatus } from "@svc/core/missions"
import type { DraftRow, DraftStatus, DraftStep, DraftView, EvidenceItem, Message, ReviewNote } from "@svc/core/outreach"

interface DraftColumns<Instant> {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly lead_id: LeadId
  readonly agent_id: AgentId
  readonly mission_id: MissionId | null
  readonly status: DraftStatus
  readonly variations: ReadonlyArray<string>
  readonly selected_index: number | null
  readonly selected_body_text: string | null
  readonly queue_item_id: QueueItemId | null
  readonly message_id: string | null
  readonly external_message_id: string | null
  readonly snoozed_until: Instant | null
  readonly flagged: boolean
  readonly flag_note: string | null
  readonly rejection: ReviewNote | null
  readonly rewrite: ReviewNote | null
  readonly steps: ReadonlyArray<DraftStep>
  readonly evidence: ReadonlyArray<EvidenceItem>
  readonly created_by_user_id: string
  readonly created_by_actor_kind: ActorKind
  readonly approved_by_user_id: string | null
  readonly approved_by_actor_kind: ActorKind | null
  readonly recipient: ReadonlyArray<Identity>
  readonly approved_at: Instant | null
  readonly cancelled_at: Instant | null
  readonly dispatched_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** A draft with its lead, agent and mission. */
export interface ViewColumns extends DraftColumns<Date> {
  readonly item: Message | null
  readonly lead_name: string
  readonly lead_company: string
  readonly lead_job_title: string
  readonly lead_linkedin_url: string
  readonly lead_status: LeadStatus
  readonly lead_was_written: boolean
  readonly lead_last_inbound_at: Date | null
  readonly agent_handle: string
  readonly agent_first_name: string
  readonly agent_last_name: string
  readonly agent_deleted: boolean
  readonly mission_handle: string | null
  readonly mission_name: string | null
  readonly mission_status: MissionStatus | null
  readonly rules: DraftView["rules"]
}

const iso = (instant: string | Date): string => new Date(instant).toISOString()
const isoOrNull = (instant: string | Date | null): string | null => (instant === null ? null : iso(instant))

const rowOf = (row: DraftColumns<Date>): DraftRow => ({
  id: row.id,
  organizationId: row.organization_id,
  leadId: row.lead_id,
  agentId: row.agent_id,
  missionId: row.mission_id,
  status: row.status,
  variations: row.variations,
  selectedIndex: row.selected_index,
  selectedBodyText: row.selected_body_text,
  queueItemId: row.queue_item_id,
  messageId: row.message_id,
  externalMessageId: row.external_message_id,
  review: {
    snoozedUntil: isoOrNull(row.snoozed_until),
    flagged: row.flagged,
    flagNote: row.flag_note,
    rejection: row.rejection,
    rewrite: row.rewrite
  },
  steps: row.steps,
  evidence: row.evidence,
  createdBy: { userId: row.created_by_user_id, actorKind: row.created_by_actor_kind },
  approvedBy:
    row.approved_by_user_id === null || row.approved_by_actor_kind === null
      ? null
      : { userId: row.approved_by_user_id, actorKind: row.approved_by_actor_kind },
  recipient: row.recipient,
  approvedAt: isoOrNull(row.approved_at),
  cancelledAt: isoOrNull(row.cancelled_at),
  dispatchedAt: isoOrNull(row.dispatched_at),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at)
})

/** The columns of a draft, for `jsonb_to_recordset`. */
export const draftColumns = (row: DraftRow): DraftColumns<string> => ({
  id: row.id,
  organization_id: row.organizationId,
  lead_id: row.leadId,
  agent_id: row.agentId,
  mission_id: row.missionId,
  status: row.status,
  variations: row.variations,
  selected_index: row.selectedIndex,
  selected_body_text: row.selectedBodyText,
  queue_item_id: row.queueItemId,
  message_id: row.messageId,
  external_message_id: row.externalMessageId,
  snoozed_until: row.review.snoozedUntil,
  flagged: row.review.flagged,
  flag_note: row.review.flagNote,
  rejection: row.review.rejection,
  rewrite: row.review.rewrite,
  steps: row.steps,
  evidence: row.evidence,
  created_by_user_id: row.createdBy.userId,
  created_by_actor_kind: row.createdBy.actorKind,
  approved_by_user_id: row.approvedBy?.userId ?? null,
  approved_by_actor_kind: row.approvedBy?.actorKind ?? null,
  recipient: row.recipient,
  approved_at: row.approvedAt,
  cancelled_at: row.cancelledAt,
  dispatched_at: row.dispatchedAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt
})

/** The view of a row. */
export const viewOf = (row: ViewColumns): DraftView => ({
  row: rowOf(row),
  item: row.item,
  rules: row.rules,
  lead: {
    id: row.lead_id,
    name: row.lead_name,
    company: row.lead_company,
    jobTitle: row.lead_job_title,
    linkedinUrl: row.lead_linkedin_url,
    status: row.lead_status,
    wasWritten: row.lead_was_written,
    lastInboundAt: isoOrNull(row.lead_last_inbound_at)
  },
  agent: {
    id: row.agent_id,
    handle: row.agent_handle,
    name: `${row.agent_first_name} ${row.agent_last_name}`.trim(),
    deleted: row.agent_deleted
  },
  mission:
    row.mission_id === null || row.mission_handle === null || row.mission_name === null || row.mission_status === null
      ? null
      : { id: row.mission_id, handle: row.mission_handle, name: row.mission_name, status: row.mission_status }
})
