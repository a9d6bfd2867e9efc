/** Everything that a reviewer of one item needs. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Email } from "../email/Email.ts"
import { Delegation } from "../kernel/command/Delegation.ts"
import { FindingSeverity } from "../kernel/schema/Finding.ts"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { snakeFields } from "../kernel/schema/snakeCase.ts"
import { shortLength } from "../kernel/schema/TextRules.ts"
import { WrittenFollowUp } from "../leads/followUp.ts"
import { MessageChannel } from "../leads/Lead.ts"
import { LeadStatus } from "../leads/LeadStatus.ts"
import { ProspectContext } from "../leads/ProspectContext.ts"
import { briefTexts } from "../missions/Mission.ts"
import { changedWords, isApprovalChange } from "../outreach/approval.ts"
import { Evidence, Provenance } from "../outreach/Evidence.ts"
import { LinkedInDraft } from "../outreach/LinkedInDraft.ts"
import { QueueEntry } from "../outreach/QueueEntry.ts"
import { clauseOf, QueueReason, waitingSentence } from "../outreach/reasons.ts"
import { Approval } from "../workspace/approvals/Approval.ts"
import { type ReviewEntry, reviewKinds, Viewers } from "./ReviewRepo.ts"

const Problem = Schema.Struct({
  what: Schema.String,
  guidance: Schema.String,
  choices: Schema.Array(
    Schema.Struct({
      label: Schema.String,
      command: Schema.String,
      input: Schema.Record(Schema.String, Schema.String)
    })
  ).annotate({ description: "Commands that settle it; empty if only the cause can be fixed" })
})
type Problem = typeof Problem.Type

const why = (reason: string | null): string =>
  reason === null ? "" : `: ${clauseOf(reason) ?? reason.replace(/\.$/, "")}`

const ambiguous = ({ itemId, kind, queueId }: ReviewEntry): Problem => {
  const settle = (outcome: "sent" | "not_sent") =>
    kind === "email"
      ? { command: "email.resolve", input: { email_id: itemId, outcome } }
      : { command: "linkedin.queue.resolve", input: { queue_id: queueId ?? itemId, outcome } }
  return {
    what: `It is unknown whether the ${kind} was sent.`,
    guidance:
      kind === "email"
        ? "Look for it in the sent folder of the sender's mailbox, then choose what you found. It is never sent again automatically."
        : `Open the ${kind === "invitation" ? "list of sent invitations" : "conversation"} on LinkedIn with the sender's ` +
          "account, then choose what you found. It is never sent again automatically.",
    choices: [
      { label: "It was sent", ...settle("sent") },
      { label: "It was not sent", ...settle("not_sent") }
    ]
  }
}

const failed = ({ itemId, kind, reason }: ReviewEntry): Problem => {
  const what = `The ${kind} was not sent${why(reason)}.`
  if (kind !== "message") {
    return { what, guidance: `Nothing was sent. Fix the cause, then send a new ${kind}.`, choices: [] }
  }
  return {
    what,
    guidance: "The draft is under review again. Fix the cause and approve it again, or cancel it.",
    choices: [{ label: "Cancel the draft", command: "linkedin.draft.cancel", input: { draft_id: itemId } }]
  }
}

/** What is wrong with an item that could not be sent, and what a person can do; null when nothing is. */
export const problemOf = (entry: ReviewEntry): Problem | null => {
  const { agent, itemId, kind, reason, state } = entry
  if (kind === "approval" || kind === "reply") return null
  if (state === "ambiguous") return ambiguous(entry)
  if (state === "failed") return failed(entry)
  if (state === "in_review" && isApprovalChange(reason)) {
    return {
      what: `The approval was withdrawn, as ${changedWords([reason])}.`,
      guidance: "Check who it goes to, who sends it and what it says, then approve it again.",
      choices: []
    }
  }
  if (state !== "blocked") return null
  return {
    what: `The message waits, as the agent ${agent?.handle ?? ""} has no LinkedIn account.`,
    guidance: "Link an account with linkedin.account.link, then approve the message again.",
    choices: [{ label: "Back to review", command: "linkedin.draft.reopen", input: { draft_id: itemId } }]
  }
}

const ReviewEvidence = Schema.Array(
  Schema.Struct({
    ...Evidence.value.fields,
    facts: Schema.Array(Schema.NullOr(Schema.String)).annotate({
      description: `The facts of the references, each cut to ${shortLength} characters; null if unknown or not covered by your scopes`
    })
  })
)

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)
const instantOrNull = Schema.NullOr(Instant)
const offset = Schema.NullOr(Schema.Int)

/** How a lead and a mission are named wherever they are reviewed. */
const leadNames = { lead_id: text, name: text, job_title: textOrNull, company_name: textOrNull }
const missionNames = { mission_id: text, handle: text, name: text }
const AgentNames = Schema.NullOr(Schema.Struct({ agent_id: text, handle: text, name: text }))

const previewLength = 140

/** An item of the review queue. */
export const ReviewItem = Schema.Struct({
  item_id: text.annotate({
    description: "Id of the draft, invitation, email or approval request; for a reply, of the lead"
  }),
  kind: Schema.Literals(reviewKinds),
  state: text.annotate({
    description:
      "in_review, snoozed, rewriting, queued, waiting_relation, sending, sent, failed, ambiguous, blocked, cancelled, " +
      "rejected; pending, accepted and withdrawn for invitations; pending, approved, rejected and expired for approval " +
      "requests; waiting, snoozed, answered and closed (NotInterested or DoNotContact) for replies"
  }),
  lead: Schema.NullOr(Schema.Struct({ ...leadNames, score: Schema.Finite })),
  agent: AgentNames,
  mission: Schema.NullOr(Schema.Struct(missionNames)),
  preview: text.annotate({
    description: `The first ${previewLength} characters; for approval requests, the title of the command`
  }),
  findings: Schema.Struct({ errors: Schema.Int, warnings: Schema.Int }).annotate({
    description: "Findings of a message, in all its variations until one is approved"
  }),
  flagged: Schema.Boolean,
  snoozed_until: instantOrNull,
  rewrite_requested: Schema.Boolean,
  leaves_at: instantOrNull.annotate({ description: "Forecast for approved items; null if unknown" }),
  why: textOrNull.annotate({ description: "Why it waits, in words; null if that is not known" }),
  problem: textOrNull.annotate({ description: "What is wrong; review.get says what can be done" }),
  created_at: Instant,
  updated_at: Instant
})
export type ReviewItem = typeof ReviewItem.Type

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
  titleOf: (commandId: string) => string,
  departure?: { readonly leaves_at: string | null; readonly reason: QueueReason | null } | null
): ReviewItem => {
  const { agent, lead, mission } = entry
  const counted = (severity: FindingSeverity) => findings.filter((finding) => finding.severity === severity).length
  return {
    item_id: entry.itemId,
    kind: entry.kind,
    ...snakeFields(entry, ["state", "flagged", "snoozedUntil", "rewriteRequested", "createdAt", "updatedAt"]),
    lead: lead && {
      lead_id: lead.id,
      name: lead.name,
      job_title: lead.jobTitle || null,
      company_name: lead.company || null,
      score: lead.score
    },
    agent: agent && { agent_id: agent.id, handle: agent.handle, name: agent.name },
    mission: mission && { mission_id: mission.id, handle: mission.handle, name: mission.name },
    preview: entry.kind === "approval" ? titleOf(entry.text) : previewOf(entry.text),
    findings: { errors: counted("error"), warnings: counted("warning") },
    leaves_at: departure?.leaves_at ?? null,
    why: problemOf(entry)?.what ?? (departure?.reason ? waitingSentence(departure.reason) : null),
    problem: problemOf(entry)?.what ?? null
  }
}

/** A sentence: `start`, then, unless `end` is null, a time in the reader's zone and `end`. */
export const Summary = Schema.Struct({ start: text, end: textOrNull }).annotate({
  description: "A sentence: start, then, unless end is null, the time in the reader's zone, then end"
})

/** The output of review.get. */
export const ReviewDetails = Schema.Struct({
  item: ReviewItem,
  draft: Schema.NullOr(LinkedInDraft).annotate({
    description: "The draft of a message; of a reply, the lead's open draft; otherwise null"
  }),
  draft_with: Schema.NullOr(
    Schema.Struct({ mission: Schema.NullOr(Schema.Struct(missionNames)), agent: AgentNames })
  ).annotate({
    description:
      "Of a reply: the mission and the agent of a new draft, those of the last one sent if they are still there"
  }),
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
      ...leadNames,
      headline: textOrNull,
      location: textOrNull,
      linkedin_url: textOrNull,
      email: textOrNull,
      status: LeadStatus,
      ...Struct.pick(ProspectContext.fields, ["suppression", "draft_request"]),
      posts: Schema.Array(Schema.Struct({ text, date: text })),
      score: Schema.Finite,
      score_reasons: Schema.Array(text)
    })
  ),
  thread: Schema.Array(
    Schema.Struct({
      direction: Schema.Literals(["inbound", "outbound"]),
      channel: MessageChannel,
      sender_name: textOrNull,
      text,
      at: Instant
    })
  ).annotate({ description: "The latest 20 messages, oldest first" }),
  mission: Schema.NullOr(
    Schema.Struct({
      ...missionNames,
      status: text,
      language: text,
      brief: Schema.Struct(Struct.omit(briefTexts, ["cta_url"]))
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
      left_today: offset.annotate({ description: "What the account may still send in 24 hours; null without a limit" }),
      summary: Summary,
      reason: QueueReason,
      who: text.annotate({ description: "Who can change it" }),
      command: textOrNull.annotate({ description: "The command that changes it; null without one" })
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
  follow_up: WrittenFollowUp,
  viewers: Viewers,
  subject: textOrNull.annotate({ description: "Of an email" }),
  email: Schema.NullOr(Email),
  invitation: Schema.NullOr(QueueEntry),
  approval: Schema.NullOr(
    Schema.Struct({
      request: Approval,
      input: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
      names: Schema.Record(Schema.String, text).annotate({
        description:
          "By id in input: the names of leads, missions and agents, and of the leads of drafts, as far as your scopes go"
      })
    })
  ),
  problem: Schema.NullOr(Problem)
})
export type ReviewDetails = typeof ReviewDetails.Type
