/**
 * A draft and its queue items as they are stored, and the way between a stored draft and its state machine.
 *
 * Source: G8, G10; contract section 7 "Sending"; reliability research, threat 1.
 */
import type { ActorKind } from "../Actor.ts"
import type { DraftQueueState, DraftState, DraftStatus } from "./DraftStatus.ts"
import type { RefusalKind } from "./LinkedInGateway.ts"

/** Who did it. */
export interface Doer {
  readonly userId: string
  readonly actorKind: ActorKind
}

/** A draft as stored. Instants are ISO texts. */
export interface DraftRow {
  readonly id: string
  readonly organizationId: string
  readonly leadId: string
  readonly agentId: string
  readonly missionId: string | null
  readonly status: DraftStatus
  /** The candidate texts; a variation's position is its index. */
  readonly variations: ReadonlyArray<string>
  readonly selectedIndex: number | null
  readonly selectedBodyText: string | null
  /** The latest queue item since the latest approval. */
  readonly queueItemId: string | null
  /** Our id of the message on the lead, and the provider's. */
  readonly messageId: string | null
  readonly externalMessageId: string | null
  readonly createdBy: Doer
  readonly approvedBy: Doer | null
  readonly approvedAt: string | null
  readonly cancelledAt: string | null
  readonly dispatchedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Why a queue item is where it is, for people and programs. */
export type QueueReason =
  | RefusalKind
  | "unavailable"
  | "lead_busy"
  | "hold"
  | "due"
  | "spacing"
  | "usage_limit"
  | "outside_hours"
  | "mission_paused"
  | "by_hand"
  | "item_cancelled"
  | "not_sent"
  | "relation_timeout"
  | "outcome_unknown"
  | "draft_changed"
  | "draft_cancelled"
  | "draft_replaced"
  | "mission_archived"
  | "lead_suppressed"
  | "lead_not_interested"
  | "lead_replied"
  | "lead_merged"
  | "lead_left_mission"
  | "agent_deleted"
  | "no_account"
  | "invitation_pending"
  | "sending"

/** A message on its way. Its id is the key that a provider sees for every try. */
export interface QueueItem {
  readonly id: string
  readonly organizationId: string
  readonly draftId: string
  readonly leadId: string
  readonly accountId: string
  readonly state: DraftQueueState
  readonly reason: QueueReason | null
  readonly bodyText: string
  /** True for send_now: usage limits and working hours do not hold it back. */
  readonly bypass: boolean
  /** True when a person without a connection is to be invited; `invitedAt` once an invitation was confirmed. */
  readonly invite: boolean
  readonly invitationNote: string | null
  readonly invitedAt: string | null
  /** Transmissions begun; also the fence: an outcome is written only for the attempt that it belongs to. */
  readonly attempts: number
  /** Failures in a row that trying again may mend; decides how long to wait. */
  readonly failures: number
  /** When to try next; null in a state that nothing waits for. */
  readonly notBefore: string | null
  /** When waiting for a connection ends. */
  readonly expiresAt: string | null
  /** Until when one process alone works on it; null when none does. Kept by `take`, `begin` and `renew` only. */
  readonly leaseUntil: string | null
  /** How often it was leased: what a process does for a lease that is not the latest changes nothing. */
  readonly fence: number
  readonly createdAt: string
  readonly updatedAt: string
}

/**
 * One use of an account, stored before its first byte leaves. `outcome` is null until it is known to us. `queueItemId` is the
 * queue item or the invitation that was transmitted; other uses have an id of their own.
 */
export interface SendAttempt {
  readonly organizationId: string
  readonly queueItemId: string
  readonly number: number
  readonly accountId: string
  readonly action: "message" | "invitation" | "invitation_with_note" | "withdrawal" | "profile_view" | "search"
  readonly outcome: "confirmed" | "refused" | "unavailable" | "unknown" | null
  /** The provider's code or words, at most 500 characters. */
  readonly detail: string | null
  readonly startedAt: string
  readonly endedAt: string | null
}

/** The state machine's view of a stored draft; `item` is its latest queue item. */
export const stateOf = (row: DraftRow, item: QueueItem | undefined): DraftState => ({
  status: row.status,
  variations: row.variations,
  selectedIndex: row.selectedIndex,
  selectedBodyText: row.selectedBodyText,
  queueState: item?.state ?? null
})

/** The stored draft after a change of its state; approval marks are dropped with the approval. */
export const withState = (row: DraftRow, state: DraftState, at: string): DraftRow => ({
  ...row,
  status: state.status,
  variations: state.variations,
  selectedIndex: state.selectedIndex,
  selectedBodyText: state.selectedBodyText,
  ...(state.selectedBodyText === null ? { approvedBy: null, approvedAt: null } : {}),
  queueItemId: state.queueState === null ? null : row.queueItemId,
  updatedAt: at
})
