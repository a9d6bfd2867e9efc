/** Drafts and queue items as rows of the database, and back. */
import type { ActorKind } from "@svc/core/Actor"
import type { LeadStatus } from "@svc/core/leads/LeadStatus"
import type { DraftRow, QueueItem, QueueReason } from "@svc/core/linkedin/DraftRow"
import type { DraftQueueState, DraftStatus } from "@svc/core/linkedin/DraftStatus"
import type { DraftView } from "@svc/core/linkedin/DraftView"
import type { MissionStatus } from "@svc/core/missions/MissionStatus"

interface DraftColumns<Instant> {
  readonly id: string
  readonly organization_id: string
  readonly lead_id: string
  readonly agent_id: string
  readonly mission_id: string | null
  readonly status: DraftStatus
  readonly variations: ReadonlyArray<string>
  readonly selected_index: number | null
  readonly selected_body_text: string | null
  readonly queue_item_id: string | null
  readonly message_id: string | null
  readonly external_message_id: string | null
  readonly created_by_user_id: string
  readonly created_by_actor_kind: ActorKind
  readonly approved_by_user_id: string | null
  readonly approved_by_actor_kind: ActorKind | null
  readonly approved_at: Instant | null
  readonly cancelled_at: Instant | null
  readonly dispatched_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** What a store keeps of a queue item by itself. */
export interface LeaseColumns<Instant> {
  readonly lease_until: Instant | null
  readonly fence: number
}

/** A queue item; inside a JSON document, instants are texts in the database's own spelling. */
export interface ItemColumns<Instant> {
  readonly id: string
  readonly organization_id: string
  readonly draft_id: string
  readonly lead_id: string
  readonly account_id: string
  readonly state: DraftQueueState
  readonly reason: QueueReason | null
  readonly body_text: string
  readonly bypass: boolean
  readonly invite: boolean
  readonly invitation_note: string | null
  readonly invited_at: Instant | null
  readonly attempts: number
  readonly failures: number
  readonly not_before: Instant | null
  readonly expires_at: Instant | null
  readonly created_at: Instant
  readonly updated_at: Instant
}

/** A draft with its surroundings, as the view statement answers it. */
export interface ViewColumns extends DraftColumns<Date> {
  readonly item: (ItemColumns<string> & LeaseColumns<string>) | null
  readonly lead_name: string
  readonly lead_company: string
  readonly lead_job_title: string
  readonly lead_linkedin_url: string
  readonly lead_status: LeadStatus
  readonly lead_was_written: boolean
  readonly agent_handle: string
  readonly agent_first_name: string
  readonly agent_last_name: string
  readonly agent_deleted: boolean
  readonly mission_handle: string | null
  readonly mission_name: string | null
  readonly mission_status: MissionStatus | null
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
  createdBy: { userId: row.created_by_user_id, actorKind: row.created_by_actor_kind },
  approvedBy:
    row.approved_by_user_id === null || row.approved_by_actor_kind === null
      ? null
      : { userId: row.approved_by_user_id, actorKind: row.approved_by_actor_kind },
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
  created_by_user_id: row.createdBy.userId,
  created_by_actor_kind: row.createdBy.actorKind,
  approved_by_user_id: row.approvedBy?.userId ?? null,
  approved_by_actor_kind: row.approvedBy?.actorKind ?? null,
  approved_at: row.approvedAt,
  cancelled_at: row.cancelledAt,
  dispatched_at: row.dispatchedAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt
})

/** A queue item out of its columns. */
export const itemOf = (row: ItemColumns<string | Date> & LeaseColumns<string | Date>): QueueItem => ({
  id: row.id,
  organizationId: row.organization_id,
  draftId: row.draft_id,
  leadId: row.lead_id,
  accountId: row.account_id,
  state: row.state,
  reason: row.reason,
  bodyText: row.body_text,
  bypass: row.bypass,
  invite: row.invite,
  invitationNote: row.invitation_note,
  invitedAt: isoOrNull(row.invited_at),
  attempts: row.attempts,
  failures: row.failures,
  notBefore: isoOrNull(row.not_before),
  expiresAt: isoOrNull(row.expires_at),
  leaseUntil: isoOrNull(row.lease_until),
  fence: row.fence,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at)
})

/** The columns of a queue item, for `jsonb_to_recordset`. */
export const itemColumns = (item: QueueItem): ItemColumns<string> => ({
  id: item.id,
  organization_id: item.organizationId,
  draft_id: item.draftId,
  lead_id: item.leadId,
  account_id: item.accountId,
  state: item.state,
  reason: item.reason,
  body_text: item.bodyText,
  bypass: item.bypass,
  invite: item.invite,
  invitation_note: item.invitationNote,
  invited_at: item.invitedAt,
  attempts: item.attempts,
  failures: item.failures,
  not_before: item.notBefore,
  expires_at: item.expiresAt,
  created_at: item.createdAt,
  updated_at: item.updatedAt
})

/** A draft in its surroundings out of its columns. */
export const viewOf = (row: ViewColumns): DraftView => ({
  row: rowOf(row),
  item: row.item === null ? null : itemOf(row.item),
  lead: {
    id: row.lead_id,
    name: row.lead_name,
    company: row.lead_company,
    jobTitle: row.lead_job_title,
    linkedinUrl: row.lead_linkedin_url,
    status: row.lead_status,
    wasWritten: row.lead_was_written
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
