/** `review.explain`: what waits for a person, in an item or in a mission, until when, why, and who can change it. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { hasScope } from "../kernel/command/Policy.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { Instant, now } from "../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { lookupFailures } from "../leads/failures.ts"
import { readLead } from "../leads/findLead.ts"
import { LeadsRepo, type LeadView } from "../leads/LeadsRepo.ts"
import { activeSuppression } from "../leads/suppression/Suppression.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { openDraftsOf } from "../outreach/DraftsRepo.ts"
import { asSentence, type Cause, causeOf, QueueReason, remedyInput, sentenceOf, whoCan } from "../outreach/reasons.ts"
import { TransmissionsRepo } from "../outreach/TransmissionsRepo.ts"
import { aroundTime, departureReader, readApproved } from "./departure.ts"
import { problemOf, Summary } from "./ReviewDetails.ts"
import * as Review from "./ReviewRepo.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(text)

const Wait = Schema.Struct({
  item_id: text.annotate({ description: "As in review.list; of a lead or a mission, its id" }),
  kind: text.annotate({ description: "A kind of review.list, lead or mission" }),
  name: textOrNull.annotate({ description: "Name of the lead or the mission" }),
  state: text,
  items: Schema.Int.annotate({ description: "How many of a mission wait for the same reason" }),
  reason: Schema.NullOr(QueueReason).annotate({ description: "A code of the table of reasons; null for other states" }),
  until: Schema.NullOr(Instant).annotate({ description: "When it is sent or ends; null if that depends on a person" }),
  summary: Summary,
  who: text.annotate({ description: "Who can change it" }),
  command: textOrNull.annotate({ description: "The command that changes it; null without one" }),
  input: Schema.Record(text, text).annotate({ description: "What the command is told" })
})
type Wait = typeof Wait.Type

const byReviewer = (sentence: string, command: string): Cause => ({ sentence, who: "reviewer", command })

/** What is said of an item that no transmission carries, by state. */
const states: Readonly<Record<string, Cause>> = {
  in_review: byReviewer("Waits for review.", "linkedin.draft.approve"),
  snoozed: byReviewer("Snoozed for later.", "linkedin.draft.approve"),
  rewriting: byReviewer("Waits for a new version by its writer.", "linkedin.draft.update"),
  cancelled: byReviewer("Cancelled.", "linkedin.draft.reopen"),
  rejected: byReviewer("Rejected by a reviewer.", "linkedin.draft.reopen"),
  waiting: byReviewer("Waits for an answer to the lead.", "linkedin.draft.create"),
  sending: causeOf("sending"),
  blocked: causeOf("no_account"),
  pending: causeOf("invitation_pending", "Waits until the lead accepts the invitation."),
  ambiguous: causeOf("outcome_unknown")
}

const emailCommands: Readonly<Record<string, string>> = {
  "linkedin.draft.approve": "email.review.decide",
  "linkedin.queue.resolve": "email.resolve"
}

/** The command that does the same with an item of another kind than a message; null without one. */
const commandFor = (kind: Review.ReviewKind, command: string | null): string | null => {
  if (kind === "email" && command?.startsWith("linkedin.")) return emailCommands[command] ?? null
  return kind === "invitation" && command?.startsWith("linkedin.draft.") ? null : command
}

const isReason = Schema.is(QueueReason)

/** What is said of an item that is not queued. */
const causeOfEntry = (entry: Review.ReviewEntry, code: QueueReason | null): Cause => {
  const { kind, state } = entry
  if (kind === "approval" && state === "pending") return byReviewer("Waits for a decision.", "approval.resolve")
  const over: Cause = { sentence: asSentence(state), who: "nobody", command: null }
  const cause = (state === "failed" && code !== null ? causeOf(code) : states[state]) ?? over
  const because = state === "cancelled" && code !== null ? `Cancelled: ${causeOf(code).sentence}` : cause.sentence
  return { ...cause, sentence: problemOf(entry)?.what ?? because }
}

/** Makes what is said, with everything that it asks read once. */
const waitsAt = Effect.fnUntraced(function* (at: string) {
  const { organizationId } = yield* Actor
  const { departureFor, mayRun } = yield* departureReader(at)
  const { find } = yield* TransmissionsRepo
  const said = (
    cause: Cause,
    about: Pick<Wait, "item_id" | "kind" | "name" | "state"> & Partial<Wait>,
    ids: Readonly<Record<string, string | null>>
  ): Wait => ({
    items: 1,
    reason: null,
    until: null,
    summary: aroundTime(cause.sentence, null),
    who: whoCan(cause, mayRun),
    command: cause.command,
    input: remedyInput(cause.command, ids),
    ...about
  })
  const ofEntry = Effect.fnUntraced(function* (entry: Review.ReviewEntry) {
    const { agent, itemId: item_id, kind, lead, mission, queueId, reason, snoozedUntil, state } = entry
    const view = queueId === null ? undefined : yield* find(organizationId, queueId)
    const departure = view === undefined ? null : departureFor(view)
    const code = departure?.reason ?? (reason !== null && isReason(reason) && state !== "in_review" ? reason : null)
    const own = departure !== null && code !== null ? causeOf(code) : causeOfEntry(entry, code)
    const command = commandFor(kind, departure === null ? own.command : departure.command)
    const snoozed = { until: snoozedUntil, summary: { start: "Snoozed until ", end: "." } }
    const item = { draft_id: item_id, email_id: item_id, review_id: item_id, approval_request_id: item_id }
    const ids = {
      ...item,
      queue_id: queueId,
      account_id: view?.row.accountId ?? null,
      mission_id: mission?.handle ?? null
    }
    const sent = departure && { until: departure.leaves_at, summary: departure.summary, who: departure.who }
    const about = { item_id, kind, state, name: lead?.name ?? null, reason: code }
    return said(
      { ...own, command },
      { ...about, ...(sent ?? (state === "snoozed" ? snoozed : {})) },
      { ...ids, lead_id: lead?.id ?? null, agent_handle: agent?.handle ?? null }
    )
  })
  return { said, ofEntry }
})

const listed = 20

/** Everything about a lead that waits; why nothing does otherwise. */
const explainLead = Effect.fnUntraced(function* ({
  row: { id, lastOutboundAt, name, status },
  suppressions
}: LeadView) {
  const at = yield* now
  const { organizationId } = yield* Actor
  const { ofEntry, said } = yield* waitsAt(at)
  const states = ["in_review", "queued", "sending", "pending", "ambiguous", "failed"] as const
  const live = { leadId: id, kinds: ["invitation", "email"], states, order: "newest" } as const
  const drafts = yield* openDraftsOf(id, listed)
  const others = yield* (yield* TransmissionsRepo).list(organizationId, live, { limit: listed })
  const ids = [...[...drafts, ...others.items].map(({ row }) => row.id), id]
  const { find } = yield* Review.ReviewRepo
  const entries = yield* Effect.forEach(ids, (itemId) => find(organizationId, itemId, at))
  const waits = yield* Effect.forEach(
    entries.flatMap((entry) => (entry === undefined || entry.state === "answered" ? [] : [entry])),
    ofEntry
  )
  const about = { item_id: id, kind: "lead", name, state: status }
  const entry = activeSuppression(suppressions, at)
  if (entry !== undefined || status === "DoNotContact") {
    const cause = causeOf("lead_suppressed", `Won't send while the lead is suppressed: ${entry?.reason ?? status}`)
    return [
      said(cause, { ...about, reason: "lead_suppressed", until: entry?.until ?? null }, { lead_id: id }),
      ...waits
    ]
  }
  const why = lastOutboundAt === null ? "no draft yet" : "no open draft"
  const idle = byReviewer(`Nothing waits: ${why}. Status: ${status}.`, "linkedin.draft.create")
  return waits.length > 0 ? waits : [said(idle, about, { lead_id: id })]
})

/** How many of a mission's items wait for which reason, and what holds the mission itself. */
const explainMission = Effect.fnUntraced(function* ({ handle, id, name, status }: MissionRow) {
  const at = yield* now
  const { organizationId } = yield* Actor
  const { said } = yield* waitsAt(at)
  const { items, waits } = yield* readApproved(id, at)
  const { ambiguous, toReview } = yield* (yield* MissionsRepo).waiting(organizationId, id)
  const about = { item_id: id, kind: "mission", name, state: status }
  const groups = new Map<QueueReason, Wait>()
  for (const { agent, row } of items) {
    const departure = waits.get(row.id)
    if (!departure) continue
    const { leaves_at, reason } = departure
    const known = groups.get(reason)
    const until = known?.until && leaves_at && known.until < leaves_at ? known.until : leaves_at
    const summary = until === null ? departure.summary : aroundTime(causeOf(reason).sentence, until)
    const group = { ...about, items: (known?.items ?? 0) + 1, reason, until, summary }
    const ids = { mission_id: handle, agent_handle: agent.handle, account_id: row.accountId }
    groups.set(reason, said(causeOf(reason), group, ids))
  }
  const code = status === "ARCHIVED" ? "mission_archived" : "mission_paused"
  const held = causeOf(code, `Won't send while the mission is ${status.toLowerCase().replace("draft", "a draft")}.`)
  const idle: Cause = { sentence: "Nothing waits to send.", who: "nobody", command: null }
  const own = status === "ACTIVE" ? idle : held
  const counted = (items: number, sentence: string) =>
    items === 0 ? [] : [said(byReviewer(sentence, "review.list"), { ...about, items }, { mission_id: handle })]
  return [
    ...(groups.size === 0 ? [said(own, { ...about, items: 0 }, { mission_id: handle })] : groups.values()),
    ...counted(toReview, "Waits for review."),
    ...counted(ambiguous, sentenceOf("outcome_unknown"))
  ]
})

/** The field that identifies a lead, by what a text looks like; undefined for other texts. */
const leadField = (about: string): "lead_id" | "email" | "linkedin_url" | "sales_nav_id" | undefined => {
  if (/linkedin\.com\/sales\/|^urn:li:/i.test(about)) return "sales_nav_id"
  if (/linkedin\.com\//i.test(about)) return "linkedin_url"
  if (/^[^\s/]+@[^\s/]+$/.test(about)) return "email"
  return about.startsWith("ld_") ? "lead_id" : undefined
}

const explain = Effect.fnUntraced(function* (about: string) {
  const actor = yield* Actor
  const { organizationId } = actor
  const at = yield* now
  const field = leadField(about)
  if (field !== undefined && hasScope(actor, "leads:read"))
    return yield* explainLead(yield* readLead({ [field]: about }))
  const carried = about.startsWith("que_")
    ? yield* (yield* TransmissionsRepo).find(organizationId, about as `que_${string}`)
    : undefined
  const itemId = carried?.row.draftId ?? about
  const entry = yield* Effect.catchTag(Review.readEntry(itemId, at), "NotFound", () => Effect.undefined)
  const { ofEntry, said } = yield* waitsAt(at)
  if (entry !== undefined) return [yield* ofEntry(entry)]
  const mission = hasScope(actor, "missions:read")
    ? yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, about)
    : undefined
  if (mission !== undefined) return yield* explainMission(mission)
  const named = hasScope(actor, "leads:read")
    ? (yield* (yield* LeadsRepo).search(organizationId, { query: about }, "name", { limit: listed }, at)).items
    : []
  const [only] = named
  if (only !== undefined && named.length === 1) return yield* explainLead(yield* readLead({ lead_id: only.id }))
  const message = "Nothing found by this id, handle, email, URL or name. Search with lead.search."
  if (only === undefined) return yield* new NotFound({ kind: "lead", message })
  return named.map(({ company, id: item_id, jobTitle, name, status: state }) => {
    const sentence = `One of ${named.length} leads: ${[jobTitle, company].filter((part) => part !== "").join(" at ")}.`
    return said(byReviewer(sentence, "lead.get"), { item_id, kind: "lead", name, state }, { lead_id: item_id })
  })
})

/** `review.explain`: says why something waits. */
export const ExplainWaiting = Command.make({
  id: "review.explain",
  title: "Explain why something waits",
  summary: "Explain why a lead, message or mission waits",
  description:
    "Returns what waits for a lead, in an item of review.list or in a mission, until when and why, who can change it, and " +
    "the command that does. If nothing waits, it says why. Of a name that several leads have, it lists the leads.",
  whenToUse: "When an approved message was not sent, or to see what holds a person or a mission.",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({
    about: nonEmptyLine(
      500,
      "Lead id, email, LinkedIn URL or name; id of a draft, queue item, email, invitation or request; mission id or handle"
    )
  }),
  output: Schema.Struct({ waits: Schema.Array(Wait) }),
  failures: lookupFailures,
  outputNotes: ["Of a mission, the first 500 approved items are counted; until is when the first one is sent."],
  relatedCommands: ["review.get", "review.list", "linkedin.queue.list", "lead.get"],
  relatedResources: ["svc://linkedin/queue", "svc://linkedin/usage"],
  examples: [
    { title: "A person", input: { about: "grace@example.com" } },
    { title: "A mission", input: { about: "spring-outreach" } }
  ],
  run: ({ about }) => Effect.map(explain(about.trim()), (waits) => ({ waits }))
})
