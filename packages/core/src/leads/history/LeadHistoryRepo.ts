/** What happened with leads: notes, the timeline, and conversations that wait for an answer: the port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ActorKind } from "../../Actor.ts"
import type { Failure } from "../../Failure.ts"
import type { Page, PageRequest, Position } from "../../Page.ts"
import type { MessageChannel } from "../Lead.ts"
import type { LeadStatus } from "../LeadStatus.ts"
import type { LeadMessageRow } from "../LeadTables.ts"

/** What somebody wrote down about a lead. */
export interface LeadNote {
  readonly id: string
  readonly organizationId: string
  readonly leadId: string
  readonly text: string
  readonly userId: string
  readonly actorKind: ActorKind
  readonly createdAt: string
}

/** One thing that happened. `type` is that of an event, `message` or `note`; `at` an ISO text. */
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
  readonly lastInboundAt: string
  /** Their latest message; null when only its instant is known. */
  readonly message: { readonly id: string; readonly channel: MessageChannel; readonly content: string } | null
}

/** A message of a conversation. */
export type ConversationEntry = Pick<
  LeadMessageRow,
  "id" | "direction" | "content" | "senderName" | "externalId" | "date"
>

/** Place of a message in its conversation, for cursors. */
export const conversationPosition = ({ date, id }: ConversationEntry): Position => [date, id]

/** Events that a timeline leaves out, as the message or the note itself is in it. */
export const untoldTypes = ["message.sent", "message.received"] as const

/** Place of an entry in its timeline, for cursors. */
export const timelinePosition = ({ at, id }: TimelineEntry): Position => [at, id]

/** Stores notes and reads what happened. Fails with UNAVAILABLE when the store cannot be reached. */
export class LeadHistoryRepo extends Context.Service<
  LeadHistoryRepo,
  {
    /** Adds a note to a lead that is held, which counts as a change of the lead at that instant. */
    readonly addNote: (note: LeadNote, leadUpdatedAt: string) => Effect.Effect<void, Failure>
    /**
     * Events about the lead or its drafts and messages, messages and notes, newest first; those of leads that were merged
     * into it included. Undefined when there is no such lead.
     */
    readonly timeline: (
      organizationId: string,
      leadId: string,
      page: PageRequest
    ) => Effect.Effect<Page<TimelineEntry> | undefined, Failure>
    /**
     * Messages of a lead on a channel, newest first; those of leads that were merged into it included. Undefined when there
     * is no such lead.
     */
    readonly conversation: (
      organizationId: string,
      leadId: string,
      channel: MessageChannel,
      page: PageRequest
    ) => Effect.Effect<Page<ConversationEntry> | undefined, Failure>
    /** Leads who wrote last and may be written to, longest waiting first, at most `limit`; and how many there are. */
    readonly unanswered: (
      organizationId: string,
      limit: number
    ) => Effect.Effect<{ readonly leads: ReadonlyArray<UnansweredLead>; readonly total: number }, Failure>
  }
>()("@svc/core/leads/history/LeadHistoryRepo") {}
