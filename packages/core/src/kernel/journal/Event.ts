/**
 * Events: facts about a change, written in its transaction.
 *
 * `data` holds ids and states, never message bodies or personal data beyond what the type says.
 */

import * as Effect from "effect/Effect"
import type { ActorKind } from "../command/Permission.ts"
import { type EventId, Ids, type InstantText, type KeyId, type OrganizationId } from "../schema/IdsAndTime.ts"

/** Every event type. Types are added, never removed. */
export const eventTypes = [
  "lead.created",
  "lead.updated",
  "lead.merged",
  "lead.status_changed",
  "lead.suppressed",
  "lead.unsuppressed",
  "lead.erased",
  "lead.replied",
  "lead.follow_up_due",
  "conversation.snoozed",
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
  "draft.requested",
  "draft.created",
  "draft.updated",
  "draft.approved",
  "draft.cancelled",
  "draft.rejected",
  "draft.rewrite_requested",
  "draft.snoozed",
  "draft.flagged",
  "draft.reopened",
  "draft.dispatched",
  "draft.dispatch_failed",
  "draft.dispatch_unknown",
  "invitation.queued",
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
  "email.queued",
  "email.cancelled",
  "email.failed",
  "email.unknown",
  "email.bounced",
  "email.complained",
  "email.auto_replied",
  "mailbox.status_changed",
  "approval.requested",
  "approval.decided",
  "approval.expired",
  "key.rotated",
  "grant.created",
  "grant.revoked",
  "webhook.disabled",
  "audit.head",
  "audit.deleted"
] as const

/** What happened. */
export type EventType = (typeof eventTypes)[number]

/** What an event is about: `lead`, `draft`, … and its id. */
export interface Subject {
  readonly type: string
  readonly id: string
}

/** A fact about a change. */
interface Fact {
  readonly type: EventType
  readonly subject: Subject
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * An event as a command emits it. `undoes` if the change takes an earlier one back: neither counts as a touch of the subject
 * then.
 */
export interface NewEvent extends Fact {
  readonly undoes?: boolean
}

/** An event as readers get it. */
export interface StoredEvent extends Fact {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly actor: { readonly kind: ActorKind | "SYSTEM"; readonly id: string }
  readonly createdAt: InstantText
}

/** An event as it is written: with the key that its run had. */
export interface WrittenEvent extends StoredEvent, Pick<NewEvent, "undoes"> {
  readonly keyId: KeyId | null
}

/** An event of the feed: numbered from 1, without gaps, within its organization. */
export interface SequencedEvent extends StoredEvent {
  readonly sequence: number
}

/** What the events of a run have in common. */
type Stamp = Omit<WrittenEvent, keyof NewEvent | "id">

/** Makes emitted events ready to be stored. */
export const stampEvents = (
  events: ReadonlyArray<NewEvent>,
  stamp: Stamp
): Effect.Effect<ReadonlyArray<WrittenEvent>, never, Ids> =>
  Effect.map(
    Effect.flatMap(Ids, ({ maker }) => maker),
    (makeId) => stampedEvents(events, stamp, makeId)
  )

/** Like {@link stampEvents}, with a maker of ids. */
export const stampedEvents = (
  events: ReadonlyArray<NewEvent>,
  stamp: Stamp,
  makeId: (prefix: "evt") => EventId
): ReadonlyArray<WrittenEvent> => events.map((event) => ({ id: makeId("evt"), ...stamp, ...event }))
