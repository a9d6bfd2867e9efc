/** The rights of people, to be left alone, informed and erased: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { StoreMethod } from "../../kernel/failure/failures.ts"
import { Instant, type InstantText, type LeadId } from "../../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { DraftInFlight } from "../failures.ts"
import type { LeadRow } from "../Lead.ts"
import type { Suppressible, SuppressionMatch, SuppressionRow } from "../suppression/Suppression.ts"

const text = Schema.String

const textOrNull = Schema.NullOr(Schema.String)

const instantOrNull = Schema.NullOr(Instant)

const anything = Schema.Record(Schema.String, Schema.Unknown)

const rows = <F extends Schema.Struct.Fields>(fields: F) => Schema.Array(Schema.Struct(fields))

/** Fields of one schema. */
const each = <S extends Schema.Top, const N extends ReadonlyArray<string>>(schema: S, names: N) =>
  Object.fromEntries(names.map((name) => [name, schema])) as { readonly [Name in N[number]]: S }

/** The records by table, including those of merged leads. */
export const LeadRecords = Schema.Struct({
  identifiers: rows({ lead_id: text, kind: text, value: text, derived: Schema.Boolean }),
  missions: rows({ lead_id: text, mission_id: text, name: text, linked_at: Instant }),
  messages: rows({
    ...each(text, ["message_id", "lead_id", "direction", "channel", "content"]),
    ...each(textOrNull, ["sender_name", "external_id"]),
    mail: Schema.NullOr(
      Schema.Struct({ ...each(text, ["subject", "quoted", "mailbox"]), attachments: Schema.Array(text) })
    ),
    date: Instant
  }),
  notes: rows({ note_id: text, lead_id: text, text, user_id: text, actor_kind: text, created_at: Instant }),
  drafts: rows({
    ...each(text, ["draft_id", "lead_id", "agent_id"]),
    mission_id: textOrNull,
    status: text,
    variations: Schema.Array(text),
    ...each(textOrNull, ["selected_body_text", "flag_note"]),
    rejection: textOrNull.annotate({ description: "Why a reviewer rejected it" }),
    rewrite: textOrNull.annotate({ description: "How a reviewer asked to rewrite it" }),
    provenance: Schema.Array(anything).annotate({ description: "Who wrote, changed and reviewed it" }),
    evidence: Schema.Array(anything).annotate({ description: "The facts that its claims rest on" }),
    ...each(instantOrNull, ["approved_at", "cancelled_at", "dispatched_at"]),
    ...each(Instant, ["created_at", "updated_at"])
  }),
  queue: rows({
    ...each(text, ["queue_id", "draft_id", "lead_id", "account_id", "state"]),
    reason: textOrNull,
    body_text: text,
    invitation_note: textOrNull,
    invited_at: instantOrNull,
    ...each(Instant, ["created_at", "updated_at"])
  }),
  invitations: rows({
    ...each(text, ["invitation_id", "lead_id", "account_id", "agent_id"]),
    draft_id: textOrNull,
    state: text,
    ...each(textOrNull, ["reason", "note"]),
    ...each(instantOrNull, ["sent_at", "ended_at"]),
    ...each(Instant, ["created_at", "updated_at"])
  }),
  emails: rows({
    ...each(text, ["email_id", "lead_id", "agent_id"]),
    mission_id: textOrNull,
    ...each(text, ["state", "from", "to", "subject", "body_text"]),
    body_html: textOrNull,
    reason: textOrNull,
    provenance: Schema.Array(anything).annotate({ description: "Who wrote it and decided on it" }),
    sent_at: instantOrNull,
    ...each(Instant, ["created_at", "updated_at"])
  }),
  transmissions: rows({
    queue_id: text,
    number: Schema.Int,
    ...each(text, ["account_id", "action"]),
    ...each(textOrNull, ["outcome", "detail"]),
    started_at: Instant,
    ended_at: instantOrNull
  }),
  relations: rows({
    ...each(text, ["account_id", "lead_id"]),
    connected: Schema.Boolean,
    chat_id: textOrNull,
    invited_at: instantOrNull,
    checked_at: Instant
  }),
  imports: rows({
    import_id: text,
    lead_id: textOrNull.annotate({ description: "Null for a refused row that names the person" }),
    ...each(text, ["type", "name"]),
    position: Schema.Int,
    outcome: text,
    created_at: Instant,
    cells: Schema.NullOr(anything).annotate({ description: "The cells of a refused row" })
  }),
  suppressions: rows({ kind: text, value: text, reason: text, until: instantOrNull, created_at: Instant }),
  events: rows({
    ...each(text, ["event_id", "type", "subject_type", "subject_id", "actor_kind", "actor_id"]),
    data: anything,
    created_at: Instant
  }),
  requests: rows({
    ...each(text, ["approval_request_id", "command_id", "state"]),
    input: Schema.NullOr(anything).annotate({ description: "What about the person waits for a decision" }),
    ...each(text, ["reason", "problem"]),
    created_at: Instant
  }).annotate({ description: "Requests for approval that name the person" }),
  responses: rows({ route: text, response: anything, created_at: Instant }).annotate({
    description: "What of responses, kept for retries, is about the person"
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

/** The rows as stored now, and how many of them were written. */
export interface AddedSuppressions {
  readonly rows: ReadonlyArray<SuppressionRow>
  readonly written: number
}

/** What was removed. `tombstones` counts all those of each erasure that an identifier belonged to. */
export interface LiftedSuppressions {
  readonly rows: ReadonlyArray<SuppressionRow>
  readonly tombstones: number
}

/** Stores suppressions and tombstones, and works on the records of every domain. Fails with UNAVAILABLE when the store is unreachable. */
export class PrivacyRepo extends Context.Service<
  PrivacyRepo,
  {
    /**
     * The entries and tombstones that match any of the targets, including expired ones. Those of a lead id: the entries of the
     * lead, followed to the one it was merged into, of an identifier that it holds, and of the domain of an email address.
     */
    readonly findSuppressions: StoreMethod<[identifiers: ReadonlyArray<Suppressible>], ReadonlyArray<SuppressionMatch>>
    /** Adds entries. An existing one is only ever extended; with the same expiry, the new reason replaces the old one. */
    readonly addSuppressions: StoreMethod<[rows: ReadonlyArray<SuppressionRow>], AddedSuppressions>
    /** Removes the entries of the identifiers and of the lead, and the tombstones of the person who had one of them. */
    readonly liftSuppressions: StoreMethod<
      [identifiers: ReadonlyArray<Suppressible>, leadId: LeadId | undefined],
      LiftedSuppressions
    >
    /** Newest first, with the total, and the number of tombstones. */
    readonly listSuppressions: StoreMethod<
      [page: PageRequest],
      Page<SuppressionRow> & { readonly total: number; readonly tombstones: number }
    >
    /** All data about a lead; undefined when not found. Of documents that name others too, only the part about the lead. */
    readonly readFile: StoreMethod<[leadId: LeadId], LeadFile | undefined>
    /**
     * Erases a locked lead and the leads merged into it: deletes identifiers, missions, notes, messages, drafts, queue and
     * relations, and stored responses and requests that {@link mentions} finds; events keep ids and states, transmissions
     * their times, import rows their outcome, unsubscribe tokens their e-mail. Identifiers become tombstones. Fails with
     * DRAFT_IN_FLIGHT while a message to the person is being sent. Undefined when not found.
     */
    readonly erase: StoreMethod<[leadId: LeadId, at: string], Erasure | undefined, DraftInFlight>
    /** Leads that last changed before an instant, in the order of their last change. Merged ones are among them. */
    readonly unchangedSince: StoreMethod<
      [before: InstantText, page: PageRequest],
      Page<Pick<LeadRow, "id" | "lawfulBasis" | "mergedInto" | "updatedAt">>
    >
  }
>()("@svc/core/leads/PrivacyRepo") {}
