/** Lists of leads and of what happened with them: searches, duplicates, notes, timelines and conversations. */

import * as Schema from "effect/Schema"
import type { ActorKind } from "../../kernel/command/Permission.ts"
import type { StoreEffect, StoreMethod } from "../../kernel/failure/failures.ts"
import {
  Instant,
  type InstantText,
  type LeadId,
  type OrganizationId,
  type UserId
} from "../../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest, Position } from "../../kernel/schema/Page.ts"
import type { CamelKeys } from "../../kernel/schema/snakeCase.ts"
import { dateTime, line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { columnFields, type LeadMessageRow, type LeadRow, type MessageChannel } from "../Lead.ts"
import { LeadStatus } from "../LeadStatus.ts"
import { type ActionKind, actionRank } from "../NextAction.ts"
import { type LeadLabel, OwnInput } from "../ownFields.ts"

const optional = Schema.optionalKey

const flag = (description: string) => optional(Schema.Boolean.annotate({ description }))

/** Input fields that filter a list of leads. */
export const searchFields = {
  query: optional(line(200, "Part of name, headline, job title, company or email")),
  first_name: optional(line(100, "Start of the name")),
  last_name: optional(line(100, "End of the name")),
  company: optional(line(200, "Part of the company name")),
  job_title: optional(line(200, "Part of the job title")),
  email: optional(nonEmptyLine(500, "Email address of the lead")),
  status: optional(
    Schema.Array(LeadStatus)
      .check(Schema.isMinLength(1), Schema.isMaxLength(8))
      .annotate({ description: "Any of these statuses" })
  ),
  mission_id: optional(nonEmptyLine(64, "Mission the lead is in. An id or a handle")),
  import_id: optional(nonEmptyLine(64, "Import that created or changed the lead. Its id")),
  score_min: optional(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({ description: "Minimum score" })
  ),
  is_flagged: flag("True for flagged leads. False for the others"),
  has_email: flag("True for leads with an email address. False for the others"),
  has_conversation: flag("True for leads with messages. False for the others"),
  relation: optional(
    Schema.Literals(["connected", "invited", "none"]).annotate({ description: "LinkedIn relation at the last check" })
  ),
  tags: optional(
    Schema.Array(nonEmptyLine(60))
      .check(Schema.isBetweenLength(1, 10))
      .annotate({ description: "All of these tags. Case is ignored" })
  ),
  fields: optional(
    Schema.Record(Schema.String, OwnInput)
      .check(Schema.isMaxProperties(10))
      .annotate({ description: "All of these values of your own fields, by key; texts in any case" })
  ),
  needs_action: flag("True for leads with a pending action. False for the others"),
  created_after: optional(dateTime("Added after this time")),
  updated_after: optional(dateTime("Changed after this time"))
}

type SearchInput = Schema.Struct.Type<typeof searchFields>

type Filters = { readonly [K in keyof CamelKeys<SearchInput>]?: CamelKeys<SearchInput>[K] | undefined }

/**
 * A filter; `labels` are all wanted. Texts ignore case; `firstName` matches the start of the name, `lastName` its end, the others any
 * part. `email` is in normal form, `mission` an id or handle.
 */
export interface LeadFilter extends Omit<Filters, "email" | "fields" | "missionId" | "status" | "tags"> {
  readonly email?: string | undefined
  readonly mission?: string | undefined
  readonly statuses?: ReadonlyArray<LeadStatus> | undefined
  /** In normal form, as `labelsOf` returns them. */
  readonly labels?: ReadonlyArray<LeadLabel> | undefined
}

/** LinkedIn relation of an account and a lead, as a filter. */
export type RelationFilter = NonNullable<LeadFilter["relation"]>

/** `action`: most urgent, then best score; `score`: best first; `recent`: latest change first; `name`: A to Z. */
export type LeadSort = "action" | "score" | "recent" | "name"

/** What lists read of a lead. */
export const listedFields = [
  ...columnFields,
  "tags",
  "ownFields",
  "id",
  "status",
  "lastInboundAt",
  "lastOutboundAt",
  "createdAt",
  "updatedAt"
] as const

/** A lead in a list. */
export interface ListedLead extends Pick<LeadRow, (typeof listedFields)[number]> {
  readonly action: ActionKind | null
}

/** Position of a lead in a sorted list, for cursors; ids break ties. */
export const positionOf = (sort: LeadSort, lead: ListedLead): Position => {
  switch (sort) {
    case "action":
      return [actionRank(lead.action), -lead.score, lead.id]
    case "score":
      return [-lead.score, lead.id]
    case "recent":
      return [lead.updatedAt, lead.id]
    case "name":
      return [lead.name.toLowerCase(), lead.id]
  }
}

/** Upper bound of `total`. */
export const maxTotal = 10_000

/** Upper bound of `total` in searches by labels. */
export const maxLabelTotal = 250

/**
 * A page of leads; `total` counts all that match, at most {@link maxTotal}, by labels {@link maxLabelTotal}. Where no index knows
 * the few that match, a store looks at a bounded number of leads: then a page may hold fewer than its limit before the last one,
 * and `total` is at least that many.
 */
export interface LeadPage {
  readonly items: ReadonlyArray<ListedLead>
  readonly next: Position | undefined
  readonly total: number
}

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
export const TimelineEntry = Schema.Struct({
  id: Schema.String,
  type: Schema.String.annotate({ description: "message, note, or an event type" }),
  at: Instant,
  actor: Schema.NullOr(Schema.Struct({ kind: Schema.String, id: Schema.String })),
  data: Schema.Record(Schema.String, Schema.Unknown)
})

export type TimelineEntry = typeof TimelineEntry.Type

/** A lead who wrote last. */
export interface UnansweredLead extends Pick<LeadRow, "id" | "name" | "company" | "status"> {
  readonly lastInboundAt: InstantText
  /** The latest message; null when only its time is known. */
  readonly message: Pick<LeadMessageRow, "id" | "channel" | "content"> | null
}

/** A message of a conversation. */
export type ConversationEntry = Pick<
  LeadMessageRow,
  "id" | "direction" | "content" | "senderName" | "externalId" | "date" | "mail"
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
  readonly addNote: (note: LeadNote, leadUpdatedAt: InstantText) => StoreEffect<void>
  /**
   * Messages, notes and events of a lead and of leads merged into it, newest first. Undefined when not found.
   */
  readonly timeline: StoreMethod<[leadId: LeadId, page: PageRequest], Page<TimelineEntry> | undefined>
  /**
   * Messages of a lead and of leads merged into it on a channel, newest first. Undefined when not found.
   */
  readonly conversation: StoreMethod<
    [leadId: LeadId, channel: MessageChannel, page: PageRequest],
    Page<ConversationEntry> | undefined
  >
  /** Leads who wrote last and may be contacted, longest waiting first; and their total. */
  readonly unanswered: StoreMethod<[page: PageRequest], Page<UnansweredLead> & { readonly total: number }>
}

/** Why leads may be the same person, in list order. */
export const DuplicateReason = Schema.Literals(["same_email_hint", "same_name_and_company", "same_phone"])

export type DuplicateReason = typeof DuplicateReason.Type

/** Leads that share a hint. `leadIds` holds up to {@link shownDuplicates}, sorted by id; `count` is the total. */
export interface DuplicateGroup {
  readonly reason: DuplicateReason
  /** The shared value in its normal form. */
  readonly key: string
  readonly leadIds: ReadonlyArray<string>
  readonly count: number
}

/** Maximum number of leads listed per group. */
export const shownDuplicates = 50

/** Shorter phone numbers are not compared. */
export const minPhoneDigits = 7

/** Position of a group in the list, for cursors. */
export const groupPosition = ({ key, reason }: DuplicateGroup): Position => [
  DuplicateReason.literals.indexOf(reason),
  key
]

/** Looks for duplicates. */
export interface Duplicates {
  /** Groups of two or more leads, sorted by reason and then by the UTF-8 bytes of the key; of many leads a page may hold fewer than its limit. */
  readonly duplicates: StoreMethod<[page: PageRequest], Page<DuplicateGroup>>
}
