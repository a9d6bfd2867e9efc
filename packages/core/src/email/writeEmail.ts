/** Storing an email for review, or queueing it, as its mission says. */

import * as Effect from "effect/Effect"
import type { AgentRow } from "../agents/Agent.ts"
import { AgentsRepo } from "../agents/AgentsRepo.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput, type StoreFailure } from "../kernel/failure/failures.ts"
import { Ids, isoFromMillis, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { holdLead } from "../leads/findLead.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { openMission } from "../outreach/drafts/createDraft.ts"
import { stepNow } from "../outreach/drafts/Evidence.ts"
import { refuseSuppressed } from "../outreach/drafts/readDraft.ts"
import { announce } from "../outreach/transmission/carryOut.ts"
import { readEmail } from "../outreach/transmission/readTransmission.ts"
import { SendOptions, secondsAfter } from "../outreach/transmission/SendOptions.ts"
import { type EmailRow, type EmailText, freshRow } from "../outreach/transmission/Transmission.ts"
import { TransmissionsRepo } from "../outreach/transmission/TransmissionsRepo.ts"
import { newDelivery } from "../webhooks/delivery/createDeliveries.ts"
import { WebhooksRepo } from "../webhooks/WebhooksRepo.ts"
import { ensureReviewWebhook } from "../webhooks/writeWebhook.ts"
import { type EmailView, emailOf } from "./Email.ts"

// Requesting a decision from the mission's review webhook.
//
// The URL becomes a webhook of its own on first use, so that its requests are signed, retried and listed like all
// deliveries; webhook.rotate-secret returns its secret.

/** How long the webhook may take to decide, in milliseconds. */
export const reviewMillis = 72 * 3_600_000

/** Queues the request. Fails with INVALID_INPUT for a forbidden URL. */
const requestReview = Effect.fnUntraced(function* (
  view: EmailView,
  url: string
): Effect.fn.Return<void, StoreFailure | InvalidInput, Actor | Ids | WebhooksRepo> {
  const { kind, organizationId, userId } = yield* Actor
  const webhook = yield* ensureReviewWebhook(url)
  const eventId = yield* (yield* Ids).next("evt")
  const { agent, body_html, body_text, content_hash, expires_at, lead, mission, subject } = emailOf(view)
  const row = yield* newDelivery({
    organization_id: organizationId,
    webhook_id: webhook.webhook_id,
    event_id: eventId,
    event_type: "email.review.requested",
    payload: {
      id: eventId,
      type: "email.review.requested",
      created_at: yield* now,
      organization_id: organizationId,
      sequence: 0,
      actor: { kind, id: userId },
      subject: { type: "email", id: view.row.id },
      data: {
        review_id: view.row.id,
        mission,
        agent,
        lead,
        subject,
        body_text,
        body_html,
        content_hash,
        expires_at
      }
    }
  })
  yield* (yield* WebhooksRepo).insertDelivery(row)
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
export const afterHold = (at: string) => Effect.map(SendOptions, ({ holdSeconds }) => secondsAfter(at, holdSeconds))

const agentOf = Effect.fnUntraced(function* (mission: MissionRow) {
  const { organizationId } = yield* Actor
  const agent = mission.agentId === null ? undefined : yield* (yield* AgentsRepo).find(organizationId, mission.agentId)
  return (
    agent ??
    (yield* new InvalidInput({ message: "mission_id: the mission has no agent. Set one with mission.update." }))
  )
})

const senderOf = (agent: AgentRow, wanted: string | undefined): Effect.Effect<string, InvalidInput> => {
  const known = agent.emailAccounts.map(({ email }) => email)
  const chosen =
    wanted === undefined ? known[0] : known.find((address) => address.toLowerCase() === wanted.toLowerCase())
  if (chosen !== undefined) return Effect.succeed(chosen)
  return Effect.fail(
    new InvalidInput({
      message:
        known.length === 0
          ? "mission_id: the mission's agent has no email account. Add one with agent.update."
          : "from_email: not an email account of the mission's agent. Leave it out, or add the account with agent.update."
    })
  )
}

/**
 * The lead to write to, held, who may be contacted at an address. Fails with NOT_FOUND, LEAD_SUPPRESSED, INVALID_INPUT
 * (no address), and with CONTENT_CHANGED where the address is not the expected one.
 */
export const recipientOf = Effect.fnUntraced(function* (leadId: LeadId, expected: string | undefined) {
  const { row: lead } = yield* holdLead(leadId)
  yield* refuseSuppressed(lead)
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
  if (!mission.channels.includes("EMAIL")) {
    return yield* new InvalidInput({
      message: "mission_id: the mission does not use the channel EMAIL. Add it with mission.update."
    })
  }
  const agent = yield* agentOf(mission)
  const from = yield* senderOf(agent, request.from)
  const at = yield* now
  const strategy = mission.emailReviewStrategy
  const row: EmailRow = {
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
    strategy,
    state: strategy === "AUTO" ? "queued" : "in_review",
    expiresAt: strategy === "WEBHOOK" ? isoFromMillis(Date.parse(at) + reviewMillis) : null,
    decision: null,
    decidedBy: null,
    decidedAt: null,
    notBefore: strategy === "AUTO" ? yield* afterHold(at) : null,
    messageId: null,
    createdBy: userId,
    steps: [yield* stepNow("created", at)],
    createdAt: at,
    updatedAt: at
  }
  yield* (yield* TransmissionsRepo).save(organizationId, [row])
  const view = yield* readEmail(row.id)
  if (strategy === "WEBHOOK") yield* requestReview(view, mission.emailReviewWebhookUrl)
  const type = strategy === "AUTO" ? "email.queued" : "email.review.requested"
  yield* announce(type, { draft: null, row }, { strategy, expires_at: row.expiresAt })
  return view
})
