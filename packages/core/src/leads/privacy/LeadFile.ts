/** All data about one person. */

import * as Schema from "effect/Schema"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import type { LeadRow } from "../Lead.ts"

const text = Schema.String

const textOrNull = Schema.NullOr(Schema.String)

const instantOrNull = Schema.NullOr(Instant)

const anything = Schema.Record(Schema.String, Schema.Unknown)

const rows = <F extends Schema.Struct.Fields>(fields: F) => Schema.Array(Schema.Struct(fields))

/** The records by table, including those of merged leads. */
export const LeadRecords = Schema.Struct({
  identifiers: rows({ lead_id: text, kind: text, value: text, derived: Schema.Boolean }),
  missions: rows({ lead_id: text, mission_id: text, name: text, linked_at: Instant }),
  messages: rows({
    message_id: text,
    lead_id: text,
    direction: text,
    channel: text,
    content: text,
    sender_name: textOrNull,
    external_id: textOrNull,
    date: Instant
  }),
  notes: rows({ note_id: text, lead_id: text, text, user_id: text, actor_kind: text, created_at: Instant }),
  drafts: rows({
    draft_id: text,
    lead_id: text,
    agent_id: text,
    mission_id: textOrNull,
    status: text,
    variations: Schema.Array(text),
    selected_body_text: textOrNull,
    flag_note: textOrNull,
    rejection: textOrNull.annotate({ description: "Why a reviewer rejected it" }),
    rewrite: textOrNull.annotate({ description: "How a reviewer asked to rewrite it" }),
    provenance: Schema.Array(anything).annotate({ description: "Who wrote, changed and reviewed it" }),
    evidence: Schema.Array(anything).annotate({ description: "The facts that its claims rest on" }),
    approved_at: instantOrNull,
    cancelled_at: instantOrNull,
    dispatched_at: instantOrNull,
    created_at: Instant,
    updated_at: Instant
  }),
  queue: rows({
    queue_id: text,
    draft_id: text,
    lead_id: text,
    account_id: text,
    state: text,
    reason: textOrNull,
    body_text: text,
    invitation_note: textOrNull,
    invited_at: instantOrNull,
    created_at: Instant,
    updated_at: Instant
  }),
  invitations: rows({
    invitation_id: text,
    lead_id: text,
    account_id: text,
    agent_id: text,
    draft_id: textOrNull,
    state: text,
    reason: textOrNull,
    note: textOrNull,
    sent_at: instantOrNull,
    ended_at: instantOrNull,
    created_at: Instant,
    updated_at: Instant
  }),
  emails: rows({
    email_id: text,
    lead_id: text,
    agent_id: text,
    mission_id: textOrNull,
    state: text,
    from: text,
    to: text,
    subject: text,
    body_text: text,
    body_html: textOrNull,
    provenance: Schema.Array(anything).annotate({ description: "Who wrote it and decided on it" }),
    sent_at: instantOrNull,
    created_at: Instant,
    updated_at: Instant
  }),
  transmissions: rows({
    queue_id: text,
    number: Schema.Int,
    account_id: text,
    action: text,
    outcome: textOrNull,
    detail: textOrNull,
    started_at: Instant,
    ended_at: instantOrNull
  }),
  relations: rows({
    account_id: text,
    lead_id: text,
    connected: Schema.Boolean,
    chat_id: textOrNull,
    invited_at: instantOrNull,
    checked_at: Instant
  }),
  imports: rows({
    import_id: text,
    lead_id: text,
    type: text,
    name: text,
    position: Schema.Int,
    outcome: text,
    created_at: Instant
  }),
  suppressions: rows({ kind: text, value: text, reason: text, until: instantOrNull, created_at: Instant }),
  events: rows({
    event_id: text,
    type: text,
    subject_type: text,
    subject_id: text,
    actor_kind: text,
    actor_id: text,
    data: anything,
    created_at: Instant
  })
})

export type LeadRecords = typeof LeadRecords.Type

/** All data about a person: the lead, then the leads merged into it, and their records. */
export interface LeadFile {
  readonly leads: readonly [LeadRow, ...ReadonlyArray<LeadRow>]
  readonly records: LeadRecords
}

/** Event data that stays after an erasure: ids and states that name nobody. */
export const keptEventData = [
  "account_id",
  "agent_id",
  "channel",
  "connected",
  "content_hash",
  "decision",
  "draft_id",
  "email_id",
  "expires_at",
  "from",
  "import_id",
  "invitation_id",
  "is_first",
  "lead_id",
  "message_id",
  "mission_id",
  "queue_id",
  "review_id",
  "status",
  "strategy",
  "to",
  "tombstones"
] as const

/** The erased leads, and the number of tombstones: one per identifier. */
export interface Erasure {
  readonly leadIds: ReadonlyArray<string>
  readonly tombstones: number
}
