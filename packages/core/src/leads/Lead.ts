/**
 * A lead: as callers see it, the spec's closed shape ({@link Lead}), as they write it ({@link LeadUpsertInput}), and as it is
 * stored ({@link LeadRow}) with what belongs to it.
 *
 * Unknown texts are empty strings in the row.
 */

import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { ActorKind } from "../kernel/command/Permission.ts"
import type { InstantText, LeadId, MessageId, MissionId, OrganizationId, UserId } from "../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import type { Identity } from "./identity/Identity.ts"
import { identifierFields, writtenIdentifierFields } from "./identity/IdentityInput.ts"
import { LeadStatus } from "./LeadStatus.ts"
import { leadFields, nameFields } from "./leadFields.ts"
import { maxOwnFields, OwnInput, type OwnValues } from "./ownFields.ts"
import { type Content, emptyContentOf, fieldsWith, inputFieldsOf, outputFieldsOf } from "./projectFields.ts"

const text = Schema.String
const optional = Schema.optionalKey

/** The channel of a message. */
export const MessageChannel = Schema.Literals(["EMAIL", "LINKEDIN"])
export type MessageChannel = typeof MessageChannel.Type

/** A message of a lead. `date` and `timestamp` are the same instant. */
export const Message = Schema.Struct({
  id: text,
  content: text,
  channel: MessageChannel,
  date: text,
  timestamp: optional(text),
  senderName: optional(text),
  isPending: optional(Schema.Boolean)
})
export type Message = typeof Message.Type

/** A lead as callers see it, the spec's closed shape. */
export const Lead = Schema.Struct({
  id: text,
  name: text,
  title: text,
  ...outputFieldsOf(leadFields),
  linkedinUrl: text,
  linkedin_url: text,
  status: LeadStatus,
  lastInteraction: optional(text),
  linkedinProfileEnriched: optional(Schema.Boolean),
  email: optional(text),
  mission: optional(text),
  missions: optional(Schema.Array(text)),
  sentMessages: optional(Schema.Array(Message)),
  receivedMessages: optional(Schema.Array(Message)),
  addedDate: optional(text)
})
export type Lead = typeof Lead.Type

/** What is known of a person: names, identifiers as they are shown, and the fields of the table. */
export interface LeadContent extends Content<typeof fields> {
  /** The address to show and to write to; the identities hold all of them. */
  readonly email: string
  /** Canonical profile URL, or empty. */
  readonly linkedinUrl: string
  /** `token,authType,authToken` of Sales Navigator, which a gateway needs to act on the lead; or empty. */
  readonly salesNavTriple: string
  /** Values of the fields that the organization defined. */
  readonly ownFields: OwnValues
}

/** Who wrote a field last: a caller, or an import. A field that was never written has no entry. */
export type FieldSource = "user" | "import"

/** A person's wish that somebody drafts a message to a lead. */
export interface DraftRequest {
  readonly instructions: string
  readonly missionId: MissionId | null
  readonly userId: UserId
  readonly actorKind: ActorKind
  readonly at: InstantText
}

/** A lead as it is stored. */
export interface LeadRow extends LeadContent {
  readonly id: LeadId
  readonly organizationId: OrganizationId
  readonly status: LeadStatus
  /** An import never overwrites what a user wrote. */
  readonly provenance: Readonly<
    Partial<Record<keyof LeadContent, FieldSource>> & Record<`fields.${string}`, FieldSource>
  >
  /** Dates of the latest message of each direction. */
  readonly lastInboundAt: InstantText | null
  readonly lastOutboundAt: InstantText | null
  /** Until when its conversation is put aside; null when it is not. The next message ends it. */
  readonly snoozedUntil: InstantText | null
  /** Until when the person is away, as an automatic reply said. */
  readonly awayUntil: InstantText | null
  /** Null without one; the next draft, email or sent message ends it. */
  readonly draftRequest: DraftRequest | null
  /** The lead that this one was merged into; null for a live lead. */
  readonly mergedInto: string | null
  readonly createdAt: InstantText
  readonly updatedAt: InstantText
}

const fields = { ...nameFields, ...leadFields }

/** Content with a column of its own, which lists of leads show. */
export const columnFields = [...fieldsWith(fields, "column"), "email", "linkedinUrl"] as const
export type ColumnField = (typeof columnFields)[number]

const empty = { ...emptyContentOf(fields), email: "", linkedinUrl: "", salesNavTriple: "", ownFields: {} }

/** Content with every field empty; events name changed fields in this order. */
export const emptyContent: LeadContent = { ...Struct.pick(empty, columnFields), ...empty }

/** Content that `query` searches, in the order of its lines. */
export const searchedFields = [...fieldsWith(fields, "search"), "email"] as const

/** The text that `query` searches, one field per line. */
export const searchedText = (content: Pick<LeadContent, (typeof searchedFields)[number]>): string =>
  searchedFields.map((field) => content[field]).join("\n")

/** The content of a stored lead. */
export const contentOf = (row: LeadRow): LeadContent => {
  const {
    id: _id,
    organizationId: _org,
    status: _status,
    provenance: _provenance,
    lastInboundAt: _in,
    lastOutboundAt: _out,
    snoozedUntil: _snoozed,
    awayUntil: _away,
    draftRequest: _request,
    mergedInto: _merged,
    createdAt: _created,
    updatedAt: _updated,
    ...content
  } = row
  return content
}

/** When the latest message was sent or received; null without messages. */
export const lastInteractionOf = (row: Pick<LeadRow, "lastInboundAt" | "lastOutboundAt">): string | null =>
  (row.lastInboundAt ?? "") > (row.lastOutboundAt ?? "") ? row.lastInboundAt : row.lastOutboundAt

/** An identifier that a lead holds. */
export interface LeadIdentityRow extends Identity {
  readonly leadId: LeadId
}

/** Membership of a lead in a mission. */
export interface LeadMissionRow {
  readonly missionId: MissionId
  readonly leadId: LeadId
  readonly linkedAt: InstantText
}

/** What a message by e-mail has beside its text. */
export interface MailParts {
  readonly subject: string
  /** The text of earlier mails that it quotes; empty when it quotes none. */
  readonly quoted: string
  /** Names of attached files, which are not kept. */
  readonly attachments: ReadonlyArray<string>
  /** Our address: that it came to, or was sent from. */
  readonly mailbox: string
  /** The domain of the other side and the subject, as `threadOf` returns them: equal for the mails of one thread. */
  readonly thread: string
}

/** A message to or from a lead. Instants are ISO texts; `date` is when it was sent. */
export interface LeadMessageRow {
  readonly id: MessageId
  readonly organizationId: OrganizationId
  readonly leadId: LeadId
  readonly direction: "inbound" | "outbound"
  readonly channel: MessageChannel
  readonly content: string
  readonly senderName: string | null
  /** The provider's id; one message per channel and id. */
  readonly externalId: string | null
  /** Of an e-mail, if known. */
  readonly mail?: MailParts | null
  readonly date: string
}

/**
 * Why a lead is kept; the first that applies. MERGED: merged with another lead. CONTACTED: messages were exchanged or queued.
 * DRAFTED: has a draft or an email in review. NOTED: has a note. SUPPRESSED: must not be contacted, which must be remembered.
 * IN_OTHER_MISSION, IN_OTHER_IMPORT: belongs to another one. AWAITING_APPROVAL: a pending approval request names its id.
 * CHANGED: changed by anything but its import.
 */
export const KeptReason = Schema.Literals([
  "MERGED",
  "CONTACTED",
  "DRAFTED",
  "NOTED",
  "SUPPRESSED",
  "IN_OTHER_MISSION",
  "IN_OTHER_IMPORT",
  "AWAITING_APPROVAL",
  "CHANGED"
])

export type KeptReason = typeof KeptReason.Type

/** Field of commands that identify the lead by its id only. */
export const leadIdField = nonEmptyLine(64, "Id of the lead")

/** Fields of commands that find an existing lead by any identifier. */
export const leadIdentifierFields = {
  lead_id: optional(nonEmptyLine(64, "Id of the lead")),
  prospect_id: optional(nonEmptyLine(64, "Alias of lead_id")),
  ...identifierFields
}

/** The identifiers and values of `lead.upsert`; the command adds its options. */
export const LeadUpsertInput = Schema.Struct({
  ...leadIdentifierFields,
  ...writtenIdentifierFields,
  name: optional(nameFields.name.input),
  first_name: optional(nameFields.firstName.input),
  last_name: optional(nameFields.lastName.input),
  ...inputFieldsOf(leadFields),
  fields: optional(
    Schema.Record(text, Schema.NullOr(OwnInput))
      .check(Schema.isMaxProperties(maxOwnFields))
      .annotate({ description: "Values of your own fields by key. Others stay, null clears. See lead.field.list" })
  ),
  status: optional(LeadStatus.annotate({ description: "Lead status. DoNotContact cannot be left this way" }))
})
export type LeadUpsertInput = typeof LeadUpsertInput.Type
