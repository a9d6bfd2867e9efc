/**
 * Facts about what changed, written in the transaction of the change.
 *
 * The types are those of gap decision G35, those of e-mails that G3 asks for, and `webhook.disabled` (G34). `data` is thin: ids and states, never message bodies or personal data beyond
 * what the type says.
 */
import type { ActorKind } from "./Actor.ts"

/** Every type of event. The list only grows. */
export const eventTypes = [
  "lead.created",
  "lead.updated",
  "lead.merged",
  "lead.status_changed",
  "lead.suppressed",
  "lead.unsuppressed",
  "lead.erased",
  "lead.replied",
  "offer.created",
  "offer.updated",
  "mission.created",
  "mission.updated",
  "mission.status_changed",
  "mission.leads_added",
  "import.started",
  "import.progress",
  "import.completed",
  "import.failed",
  "draft.created",
  "draft.updated",
  "draft.approved",
  "draft.cancelled",
  "draft.dispatched",
  "draft.dispatch_failed",
  "draft.dispatch_unknown",
  "invitation.sent",
  "invitation.accepted",
  "invitation.withdrawn",
  "message.sent",
  "message.received",
  "account.status_changed",
  "usage.threshold_reached",
  "usage.limit_reached",
  "email.review.requested",
  "email.review.decided",
  "email.review.expired",
  "email.cancelled",
  "email.failed",
  "email.unknown",
  "key.rotated",
  "webhook.disabled"
] as const

/** What happened. */
export type EventType = (typeof eventTypes)[number]

/** What it happened to: `lead`, `draft`, … and its id. */
export interface Subject {
  readonly type: string
  readonly id: string
}

/** A fact as a command states it. */
export interface NewEvent {
  readonly type: EventType
  readonly subject: Subject
  readonly data: Readonly<Record<string, unknown>>
}

/** A fact as it is stored. */
export interface StoredEvent extends NewEvent {
  readonly id: string
  readonly organizationId: string
  readonly actor: { readonly kind: ActorKind | "SYSTEM"; readonly id: string }
  readonly createdAt: string
}

/** A fact as readers of the feed get it: numbered from 1, without gaps, within its organization. */
export interface SequencedEvent extends StoredEvent {
  readonly sequence: number
}
