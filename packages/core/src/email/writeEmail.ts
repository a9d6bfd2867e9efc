/** Storing an email for review or queueing it, as its mission says, and deciding on it. */

import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { type AgentRow, AgentsRepo } from "../agents/Agent.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import { sha256Hex } from "../kernel/schema/Hash.ts"
import { changedAt, Ids, isoFromMillis, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { holdLead } from "../leads/findLead.ts"
import { endDraftRequest } from "../leads/recordMessage.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { refuseFinished, refuseWithoutEmail } from "../missions/MissionStatus.ts"
import { approvalOfEmail } from "../outreach/approval.ts"
import { bindFollowUps } from "../outreach/bindFollowUps.ts"
import { announce, apply, recordDelivery } from "../outreach/carryOut.ts"
import { openMission } from "../outreach/createDraft.ts"
import { findSuppression, refuseSuppressed } from "../outreach/DraftsRepo.ts"
import { refuseUndisclosed, wordingOfEmail } from "../outreach/disclosure.ts"
import { stepNow, withStep } from "../outreach/Evidence.ts"
import { emailHashOf, emailOver, type Life, lifeOf } from "../outreach/Life.ts"
import { SendOptions, secondsAfter } from "../outreach/SendOptions.ts"
import { leavingAt, scheduledAt } from "../outreach/schedule.ts"
import { type EmailDecision, type EmailRow, type EmailText, freshRow } from "../outreach/Transmission.ts"
import { holdEmail, readEmail, TransmissionsRepo } from "../outreach/TransmissionsRepo.ts"
import { deliverAlone, ensureReviewWebhook } from "../webhooks/writeWebhook.ts"
import { type EmailView, emailOf } from "./Email.ts"

// Requesting a decision from the mission's review webhook.
//
// The URL becomes a webhook of its own on first use, so that its requests are signed, retried and listed like all
// deliveries; webhook.rotate-secret returns its secret.

/** How long the webhook may take to decide, in milliseconds. */
export const reviewMillis = 72 * 3_600_000

/** Queues the request. Fails with INVALID_INPUT for a forbidden URL. */
const requestReview = Effect.fnUntraced(function* (view: EmailView, url: string) {
  const { id } = view.row
  const shown = ["mission", "agent", "lead", "subject", "body_text", "body_html", "content_hash", "expires_at"] as const
  const data = { review_id: id, ...Struct.pick(emailOf(view), shown) }
  yield* deliverAlone(yield* ensureReviewWebhook(url), "email.review.requested", { type: "email", id }, data)
})

/** The request. `mission` is an id or a handle, `from` an address of the mission's agent. */
interface EmailRequest extends EmailText {
  readonly leadId: LeadId
  readonly mission: string
  readonly from: string | undefined
  /** The address that the caller expects. */
  readonly to: string | undefined
}

/** When an approved email is due: after the hold. */
const afterHold = (at: string) => Effect.map(SendOptions, ({ holdSeconds }) => secondsAfter(at, holdSeconds))

const agentOf = Effect.fnUntraced(function* (mission: MissionRow) {
  const { organizationId } = yield* Actor
  const agent = mission.agentId === null ? undefined : yield* (yield* AgentsRepo).find(organizationId, mission.agentId)
  return (
    agent ??
    (yield* new InvalidInput({ message: "mission_id: the mission has no agent. Set one with mission.update." }))
  )
})

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The mailbox that writes to a lead: always the same one, so that the person has one counterpart; the first time any, by the lead's id. */
const mailboxFor = Effect.fnUntraced(function* (leadId: LeadId, known: ReadonlyArray<string>) {
  const { organizationId } = yield* Actor
  const written = known.length < 2 ? [] : yield* (yield* TransmissionsRepo).ofLead(organizationId, leadId)
  const before = written.flatMap((row) =>
    row.kind === "email" ? known.filter((one) => isSame(one, row.fromAddress)) : []
  )
  return before[0] ?? known[Number.parseInt(sha256Hex(leadId).slice(0, 8), 16) % Math.max(1, known.length)]
})

const senderOf = Effect.fnUntraced(function* ({ emailAccounts }: AgentRow, wanted: string | undefined, leadId: LeadId) {
  const known = emailAccounts.map(({ email }) => email)
  const chosen =
    wanted === undefined ? yield* mailboxFor(leadId, known) : known.find((address) => isSame(address, wanted))
  if (chosen !== undefined) return chosen
  return yield* new InvalidInput({
    message:
      known.length === 0
        ? "mission_id: the mission's agent has no email account. Add one with agent.update."
        : "from_email: not an email account of the mission's agent. Leave it out, or add the account with agent.update."
  })
})

/**
 * The lead to write to, held, who may be contacted at an address. Fails with NOT_FOUND, LEAD_SUPPRESSED, INVALID_INPUT
 * (no address), and with CONTENT_CHANGED where the address is not the expected one.
 */
export const recipientOf = Effect.fnUntraced(function* (leadId: LeadId, expected: string | undefined) {
  const { row: lead } = yield* holdLead(leadId)
  const suppressed = yield* findSuppression(lead, [{ kind: "bounced", value: lead.email.toLowerCase() }])
  if (suppressed !== undefined) return yield* suppressed
  if (lead.email === "") {
    return yield* new InvalidInput({ message: "lead_id: the lead has no email address. Add one with lead.upsert." })
  }
  if (expected !== undefined && expected.toLowerCase() !== lead.email.toLowerCase()) {
    return yield* new ContentChanged({
      message: "The lead's email address has changed since the email was written. Read lead.get and send it again."
    })
  }
  return lead
})

/**
 * Stores an e-mail for review, or queues it when its mission wants no review. Fails with NOT_FOUND, MISSION_ARCHIVED,
 * LEAD_SUPPRESSED, CONTENT_CHANGED (another address), and with INVALID_INPUT where lead, mission or agent have no way to
 * send e-mail.
 */
export const writeEmail = Effect.fnUntraced(function* (request: EmailRequest) {
  const { organizationId, userId } = yield* Actor
  const lead = yield* recipientOf(request.leadId, request.to)
  const mission = yield* openMission(request.mission)
  yield* Effect.fromResult(refuseWithoutEmail(mission, "mission_id"))
  const agent = yield* agentOf(mission)
  const from = yield* senderOf(agent, request.from, lead.id)
  const at = yield* now
  const planned: EmailRow = {
    ...freshRow,
    kind: "email",
    id: yield* (yield* Ids).next("eml"),
    organizationId,
    missionId: mission.id,
    agentId: agent.id,
    accountId: null,
    draftId: null,
    leadId: lead.id,
    fromAddress: from,
    toAddress: lead.email,
    subject: request.subject,
    bodyText: request.bodyText,
    bodyHtml: request.bodyHtml,
    strategy: mission.emailReviewStrategy,
    state: "in_review",
    decision: null,
    decidedBy: null,
    decidedAt: null,
    approved: null,
    notBefore: null,
    messageId: null,
    followUp: null,
    createdBy: userId,
    steps: [yield* stepNow("created", at)],
    createdAt: at,
    updatedAt: at
  }
  const [written = planned] = yield* bindFollowUps([planned], [mission], "EMAIL", at)
  // A person reads what a step asks for, also where it was due when somebody began to write.
  const isNext = written.followUp !== null || (mission.steps.length > 0 && lead.lastOutboundAt !== null)
  const strategy = isNext && planned.strategy === "AUTO" ? "MANUAL" : planned.strategy
  const expiresAt = strategy === "WEBHOOK" ? isoFromMillis(Date.parse(at) + reviewMillis) : null
  const row: EmailRow =
    strategy === "AUTO"
      ? { ...written, state: "queued", notBefore: yield* afterHold(at), approved: approvalOfEmail(written) }
      : { ...written, strategy, expiresAt }
  yield* (yield* TransmissionsRepo).save(organizationId, [row])
  yield* endDraftRequest(lead)
  const view = yield* readEmail(row.id)
  if (strategy === "WEBHOOK") yield* requestReview(view, mission.emailReviewWebhookUrl)
  const type = strategy === "AUTO" ? "email.queued" : "email.review.requested"
  yield* announce(type, { draft: null, row }, { strategy, expires_at: row.expiresAt })
  return view
})

/** A reviewer's decision, as email.review.decide takes it. */
interface ReviewDecision {
  readonly decision: EmailDecision
  readonly content_hash: string
  readonly subject?: string
  readonly body_text?: string
  readonly not_before?: string
  readonly reason?: string
}

const actions = { approve: "approved", edit: "approved_with_edits", reject: "rejected" } as const

const emailIn = (view: EmailView, { row }: Life): EmailView => (row?.kind === "email" ? { ...view, row } : view)

/** The texts as the reviewer wants them. Changing the text drops the HTML version. */
const edited = Effect.fnUntraced(function* (row: EmailRow, { body_text: bodyText, decision, subject }: ReviewDecision) {
  const isGiven = bodyText !== undefined || subject !== undefined
  if (isGiven && decision !== "edit") {
    const message = "decision: subject and body_text are only allowed with edit. Send edit, or leave them out."
    return yield* new InvalidInput({ message })
  }
  if (!isGiven && decision === "edit") {
    return yield* new InvalidInput({
      message: "decision: edit requires subject or body_text. Send one, or approve."
    })
  }
  const isChanged = bodyText !== undefined && bodyText !== row.bodyText
  return {
    subject: subject ?? row.subject,
    bodyText: bodyText ?? row.bodyText,
    bodyHtml: isChanged ? null : row.bodyHtml
  }
})

/**
 * Decides on an email under review; approving and editing queue it. A queued one can be approved for another time. Fails with
 * NOT_FOUND, WRONG_STATE (already decided), CONTENT_CHANGED (hash does not match), INVALID_INPUT and, unless it rejects,
 * LEAD_SUPPRESSED, MISSION_ARCHIVED, WRONG_STATE (completed) or DISCLOSURE_REQUIRED.
 */
export const decideReview = Effect.fnUntraced(function* (id: string, said: ReviewDecision) {
  const { userId } = yield* Actor
  const view = yield* holdEmail(id)
  const { mission, row: before } = view
  if (before.strategy === "AUTO") return yield* new NotFound({ kind: "review", id })
  const isMoved = before.state === "queued" && said.decision === "approve" && said.not_before !== undefined
  if (before.state !== "in_review" && !isMoved) return yield* emailOver(before)
  if (said.content_hash !== emailHashOf(before)) {
    return yield* new ContentChanged({
      message: "content_hash: does not match this email. Read it again with email.review.list."
    })
  }
  const isRejected = said.decision === "reject"
  if (!isRejected) {
    yield* refuseSuppressed(view.lead)
    if (mission !== null) yield* Effect.fromResult(refuseFinished(mission.status))
  }
  const at = changedAt(before.updatedAt, yield* now)
  const written = yield* edited(before, said)
  const steps = withStep(before.steps, yield* stepNow(actions[said.decision], at))
  const undisclosed = refuseUndisclosed(view.rules, view.lead, wordingOfEmail({ ...written, steps }))
  if (!isRejected && undisclosed !== undefined) return yield* undisclosed
  const wanted = yield* Effect.fromResult(scheduledAt(said.not_before, view, at))
  if (isRejected && wanted !== undefined) {
    return yield* new InvalidInput({ message: "not_before cannot be used with reject. Leave it out." })
  }
  const leaving = leavingAt(at, (yield* SendOptions).holdSeconds, wanted)
  const notBefore = isRejected ? null : leaving.notBefore
  const reason = leaving.reason ?? said.reason ?? null
  const decided = { decision: said.decision, decidedBy: userId, decidedAt: at, reason, notBefore }
  const approved = isRejected ? null : approvalOfEmail({ ...before, ...written })
  const email = { ...written, steps, ...decided, approved }
  return emailIn(view, yield* apply(lifeOf(view), { _tag: "Judge", isRejected, email }, at))
})

/** Cancels an unsent email. Fails with NOT_FOUND, and with WRONG_STATE when it was sent, may have been, or is final. */
export const cancelEmail = Effect.fnUntraced(function* (id: string, reason: string | undefined) {
  const view = yield* holdEmail(id)
  if (view.row.state !== "in_review" && view.row.state !== "queued") return yield* emailOver(view.row)
  return emailIn(view, yield* apply(lifeOf(view), { _tag: "Cancel", reason: reason ?? null }, yield* now))
})

/** Settles an email of unknown outcome. Fails with NOT_FOUND or WRONG_STATE. */
export const resolveEmail = Effect.fnUntraced(function* (id: string, outcome: "sent" | "not_sent") {
  const view = yield* holdEmail(id)
  if (view.row.state !== "ambiguous") return yield* emailOver(view.row)
  const at = yield* now
  const sent = outcome === "sent" ? yield* recordDelivery(view, null, at) : undefined
  const event = { _tag: "Settle", sent, reason: "Checked manually: it was not sent." } as const
  return emailIn(view, yield* apply(lifeOf(view), event, at))
})
