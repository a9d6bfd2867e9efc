/** An item of the review queue as it is shown. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Delegation } from "../kernel/command/Delegation.ts"
import type { FindingSeverity } from "../kernel/schema/Finding.ts"
import { Instant } from "../kernel/schema/Time.ts"
import { problemOf } from "./problemOf.ts"
import { type ReviewEntry, reviewKinds } from "./ReviewRepo.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)

const previewLength = 140

/** See above. */
export const ReviewItem = Schema.Struct({
  item_id: text.annotate({
    description: "Id of the draft, invitation, email or approval request; for a reply, of the lead"
  }),
  kind: Schema.Literals(reviewKinds),
  state: text.annotate({
    description:
      "in_review, snoozed, rewriting, queued, waiting_relation, sending, sent, failed, ambiguous, blocked, cancelled, " +
      "rejected; pending, accepted and withdrawn for invitations; pending, approved, rejected and expired for approval " +
      "requests; waiting and answered for replies"
  }),
  lead: Schema.NullOr(
    Schema.Struct({
      lead_id: text,
      name: text,
      job_title: textOrNull,
      company_name: textOrNull,
      score: Schema.Finite
    })
  ),
  agent: Schema.NullOr(Schema.Struct({ agent_id: text, handle: text, name: text })),
  mission: Schema.NullOr(Schema.Struct({ mission_id: text, handle: text, name: text })),
  preview: text.annotate({
    description: `The first ${previewLength} characters; for approval requests, the title of the command`
  }),
  findings: Schema.Struct({ errors: Schema.Int, warnings: Schema.Int }).annotate({
    description: "Findings of a message, in all its variations until one is approved"
  }),
  flagged: Schema.Boolean,
  snoozed_until: Schema.NullOr(Instant),
  rewrite_requested: Schema.Boolean,
  leaves_at: Schema.NullOr(Instant).annotate({ description: "Forecast for approved items; null if unknown" }),
  problem: textOrNull.annotate({ description: "What is wrong; review.get says what can be done" }),
  created_at: Instant,
  updated_at: Instant
})
export type ReviewItem = typeof ReviewItem.Type

const orNull = (value: string): string | null => (value === "" ? null : value)

const previewOf = (body: string): string => {
  const line = body
    .slice(0, previewLength * 2)
    .replaceAll(/\s+/g, " ")
    .trim()
  return (line.length > previewLength ? `${line.slice(0, previewLength - 1).trimEnd()}…` : line).toWellFormed()
}

/** The titles of commands, by id. */
export const commandTitles: Effect.Effect<(id: string) => string> = Effect.map(
  Delegation,
  ({ calling }) =>
    (id) =>
      calling?.catalog.find(id)?.title ?? id
)

/** The view of an entry with its findings and when it is sent. */
export const itemOf = (
  entry: ReviewEntry,
  findings: ReadonlyArray<{ readonly severity: FindingSeverity }>,
  leavesAt: string | null,
  titleOf: (commandId: string) => string
): ReviewItem => {
  const { agent, lead, mission } = entry
  const counted = (severity: FindingSeverity) => findings.filter((finding) => finding.severity === severity).length
  return {
    item_id: entry.itemId,
    kind: entry.kind,
    state: entry.state,
    lead: lead && {
      lead_id: lead.id,
      name: lead.name,
      job_title: orNull(lead.jobTitle),
      company_name: orNull(lead.company),
      score: lead.score
    },
    agent: agent && { agent_id: agent.id, handle: agent.handle, name: agent.name },
    mission: mission && { mission_id: mission.id, handle: mission.handle, name: mission.name },
    preview: entry.kind === "approval" ? titleOf(entry.text) : previewOf(entry.text),
    findings: { errors: counted("error"), warnings: counted("warning") },
    flagged: entry.flagged,
    snoozed_until: entry.snoozedUntil,
    rewrite_requested: entry.rewriteRequested,
    leaves_at: leavesAt,
    problem: problemOf(entry)?.what ?? null,
    created_at: entry.createdAt,
    updated_at: entry.updatedAt
  }
}
