/** Everything that a reviewer of one item needs. */
import * as Schema from "effect/Schema"
import { Email } from "../email/Email.ts"
import type { ActorIdentity } from "../kernel/command/Actor.ts"
import type { Scope } from "../kernel/command/Permission.ts"
import { hasScope } from "../kernel/command/Policy.ts"
import { FindingSeverity } from "../kernel/schema/Finding.ts"
import { shorten, shortLength } from "../kernel/schema/TextRules.ts"
import { Instant } from "../kernel/schema/Time.ts"
import { MessageChannel } from "../leads/Lead.ts"
import { LeadStatus } from "../leads/LeadStatus.ts"
import { type FactRecords, factOf } from "../outreach/drafts/check/references.ts"
import type { DraftRow } from "../outreach/drafts/DraftRow.ts"
import { Evidence, evidenceOf, Provenance } from "../outreach/drafts/Evidence.ts"
import { LinkedInDraft } from "../outreach/drafts/LinkedInDraft.ts"
import { QueueEntry } from "../outreach/transmission/QueueEntry.ts"
import { Approval } from "../workspace/approvals/Approval.ts"
import { Problem } from "./problemOf.ts"
import { ReviewItem } from "./ReviewItem.ts"
import { Viewers } from "./ReviewRepo.ts"

/** See above. */
const ReviewEvidence = Schema.Array(
  Schema.Struct({
    ...Evidence.value.fields,
    facts: Schema.Array(Schema.NullOr(Schema.String)).annotate({
      description: `The facts of the references, each cut to ${shortLength} characters; null if unknown or not covered by your scopes`
    })
  })
)

const scopeOf = (reference: string): Scope => {
  if (reference.startsWith("offer.")) return "offers:read"
  return reference.startsWith("brief.") ? "missions:read" : "leads:read"
}

/** The evidence of a draft, with the facts that the actor may read. */
export const reviewEvidence = (actor: ActorIdentity, row: DraftRow, records: FactRecords): typeof ReviewEvidence.Type =>
  evidenceOf(row).map((item) => ({
    ...item,
    facts: item.references.map((reference) => {
      const fact = hasScope(actor, scopeOf(reference)) ? factOf(reference, records) : undefined
      return fact === undefined ? null : shorten(fact.replaceAll(/\s+/g, " "))
    })
  }))

const text = Schema.String

const textOrNull = Schema.NullOr(Schema.String)

const instantOrNull = Schema.NullOr(Instant)

const offset = Schema.NullOr(Schema.Int)

/** See above. */
export const ReviewDetails = Schema.Struct({
  item: ReviewItem,
  draft: Schema.NullOr(LinkedInDraft).annotate({ description: "The draft of a message; otherwise null" }),
  content_hash: textOrNull.annotate({
    description: "Send it with the decision, so that only what was read is decided"
  }),
  findings: Schema.Array(
    Schema.Struct({
      variation_index: offset.annotate({ description: "Null for the approved text" }),
      severity: FindingSeverity,
      code: text,
      message: text,
      hint: text.annotate({ description: "How to fix it" }),
      start: offset.annotate({ description: "Where it begins, in UTF-16 units; null if it is about the whole text" }),
      end: offset
    })
  ),
  max_characters: Schema.NullOr(Schema.Int).annotate({ description: "Longest text that LinkedIn accepts in any case" }),
  lead: Schema.NullOr(
    Schema.Struct({
      lead_id: text,
      name: text,
      job_title: textOrNull,
      company_name: textOrNull,
      headline: textOrNull,
      location: textOrNull,
      linkedin_url: textOrNull,
      email: textOrNull,
      status: LeadStatus,
      posts: Schema.Array(Schema.Struct({ text, date: text })),
      score: Schema.Finite,
      score_reasons: Schema.Array(text)
    })
  ),
  thread: Schema.Array(
    Schema.Struct({ direction: Schema.Literals(["inbound", "outbound"]), channel: MessageChannel, text, at: Instant })
  ).annotate({ description: "The latest 20 messages, oldest first" }),
  mission: Schema.NullOr(
    Schema.Struct({
      mission_id: text,
      handle: text,
      name: text,
      status: text,
      language: text,
      brief: Schema.Struct({
        objective: textOrNull,
        description: textOrNull,
        target_audience: textOrNull,
        why_we_contact_them: textOrNull,
        desired_action: textOrNull,
        key_message: textOrNull,
        tone_instructions: textOrNull
      })
    })
  ),
  offer: Schema.NullOr(
    Schema.Struct({
      offer_id: text,
      name: text,
      proof: Schema.Array(text).annotate({ description: "References and their results" })
    })
  ),
  departure: Schema.NullOr(
    Schema.Struct({
      leaves_at: instantOrNull.annotate({ description: "Forecast; null if it depends on a person" }),
      reasons: Schema.Array(text),
      position_in_line: offset,
      left_today: offset.annotate({
        description: "What the account may still send in its 24 hours; null without a limit"
      })
    })
  ).annotate({ description: "When an approved item is sent, and why; null if it is not queued" }),
  review: Schema.Struct({
    snoozed_until: instantOrNull,
    flagged: Schema.Boolean,
    flag_note: textOrNull,
    rejection: Schema.NullOr(Schema.Struct({ reason: text, by: text, at: Instant })),
    rewrite: Schema.NullOr(Schema.Struct({ instructions: text, by: text, at: Instant }))
  }),
  provenance: Provenance,
  evidence: ReviewEvidence,
  viewers: Viewers,
  subject: textOrNull.annotate({ description: "Of an email" }),
  email: Schema.NullOr(Email),
  invitation: Schema.NullOr(QueueEntry),
  approval: Schema.NullOr(
    Schema.Struct({ request: Approval, input: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)) })
  ),
  problem: Schema.NullOr(Problem)
})

export type ReviewDetails = typeof ReviewDetails.Type
