/** Notes, timelines, conversations and unanswered leads. */

import type * as Effect from "effect/Effect"
import type { ActorKind } from "../../kernel/command/Permission.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { InstantText, LeadId, OrganizationId, UserId } from "../../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest, Position } from "../../kernel/schema/Page.ts"
import type { MessageChannel } from "../Lead.ts"
import type { LeadMessageRow } from "../LeadRecords.ts"
import type { LeadStatus } from "../LeadStatus.ts"

/** A note about a lead. */
export interface LeadNote {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly leadId: LeadId
  readonly text: string
  readonly userId: UserId
  readonly actorKind: ActorKind
  readonly createdAt: InstantText
}

/** An entry. `type` is an event type, `message` or `note`. */
export interface TimelineEntry {
  readonly id: string
  readonly at: string
  readonly type: string
  readonly actor: { readonly kind: string; readonly id: string } | null
  readonly data: Readonly<Record<string, unknown>>
}

/** A lead who wrote last. */
export interface UnansweredLead {
  readonly id: string
  readonly name: string
  readonly company: string
  readonly status: LeadStatus
  readonly lastInboundAt: InstantText
  /** The latest message; null when only its time is known. */
  readonly message: { readonly id: string; readonly channel: MessageChannel; readonly content: string } | null
}

/** A message of a conversation. */
export type ConversationEntry = Pick<
  LeadMessageRow,
  "id" | "direction" | "content" | "senderName" | "externalId" | "date"
>

/** Position of a message in its conversation, for cursors. */
export const conversationPosition = ({ date, id }: ConversationEntry): Position => [date, id]

/** Position of an unanswered lead, for cursors. */
export const unansweredPosition = ({ id, lastInboundAt }: UnansweredLead): Position => [lastInboundAt, id]

/** Event types that a timeline omits, as it contains the message itself. */
export const timelineOmittedTypes = ["message.sent", "message.received"] as const

/** Position of an entry in its timeline, for cursors. */
export const timelinePosition = ({ at, id }: TimelineEntry): Position => [at, id]

/** Stores notes and reads what happened. */
export interface LeadHistory {
  /** Adds a note to a locked lead and sets when the lead last changed. */
  readonly addNote: (note: LeadNote, leadUpdatedAt: InstantText) => Effect.Effect<void, StoreFailure>
  /**
   * Messages, notes and events of a lead and of leads merged into it, newest first. Undefined when not found.
   */
  readonly timeline: (
    organizationId: OrganizationId,
    leadId: LeadId,
    page: PageRequest
  ) => Effect.Effect<Page<TimelineEntry> | undefined, StoreFailure>
  /**
   * Messages of a lead and of leads merged into it on a channel, newest first. Undefined when not found.
   */
  readonly conversation: (
    organizationId: OrganizationId,
    leadId: LeadId,
    channel: MessageChannel,
    page: PageRequest
  ) => Effect.Effect<Page<ConversationEntry> | undefined, StoreFailure>
  /** Leads who wrote last and may be contacted, longest waiting first; and their total. */
  readonly unanswered: (
    organizationId: OrganizationId,
    page: PageRequest
  ) => Effect.Effect<Page<UnansweredLead> & { readonly total: number }, StoreFailure>
}
