/** Writing an e-mail: it is reviewed or queued, as its mission says. Source: G2, G3. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { AgentRow } from "../agents/Agent.ts"
import { AgentsRepo } from "../agents/AgentsRepo.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { holdLead } from "../leads/holdLead.ts"
import { openMission } from "../linkedin/createDraft.ts"
import { refuseSuppressed } from "../linkedin/readDraft.ts"
import { SendOptions } from "../linkedin/SendOptions.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { isoFromMillis, now } from "../Time.ts"
import type { EmailRow, EmailText, EmailView } from "./EmailRow.ts"
import { EmailsRepo } from "./EmailsRepo.ts"
import { announceEmail } from "./emailEvents.ts"
import { requestReview, reviewMillis } from "./requestReview.ts"

/** What a caller writes. `mission` is an id or a handle, `from` an address of the mission's agent. */
export interface EmailRequest extends EmailText {
  readonly leadId: string
  readonly mission: string
  readonly from: string | undefined
}

/** When an approved e-mail may leave: after the time to change one's mind. */
export const afterHold = (at: string) =>
  Effect.map(SendOptions, ({ holdSeconds }) => isoFromMillis(Date.parse(at) + holdSeconds * 1_000))

/** Reads an e-mail. Fails with NOT_FOUND. */
export const readEmail = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<EmailView, Failure, Actor | EmailsRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* EmailsRepo).find(organizationId, id)) ?? (yield* notFound("e-mail", id))
})

/** Holds an e-mail. Fails with NOT_FOUND. */
export const holdEmail = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<EmailView, Failure, Actor | EmailsRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* EmailsRepo).hold(organizationId, id)) ?? (yield* notFound("e-mail", id))
})

const agentOf = Effect.fnUntraced(function* (
  mission: MissionRow
): Effect.fn.Return<AgentRow, Failure, Actor | AgentsRepo> {
  const { organizationId } = yield* Actor
  const agent = mission.agentId === null ? undefined : yield* (yield* AgentsRepo).find(organizationId, mission.agentId)
  return (
    agent ?? (yield* fail("INVALID_INPUT", "mission_id: the mission has no agent. Give it one with mission.update."))
  )
})

const senderOf = (agent: AgentRow, wanted: string | undefined): Effect.Effect<string, Failure> => {
  const known = agent.emailAccounts.map(({ email }) => email)
  const chosen =
    wanted === undefined ? known[0] : known.find((address) => address.toLowerCase() === wanted.toLowerCase())
  if (chosen !== undefined) return Effect.succeed(chosen)
  return Effect.fail(
    fail(
      "INVALID_INPUT",
      known.length === 0
        ? "mission_id: the mission's agent has no e-mail account. Add one with agent.update."
        : "from_email: is no e-mail account of the mission's agent. Leave it out, or add the account with agent.update."
    )
  )
}

/**
 * Stores an e-mail for review, or queues it when its mission wants no review. Fails with NOT_FOUND, MISSION_ARCHIVED,
 * LEAD_SUPPRESSED, and with INVALID_INPUT where lead, mission or agent have no way to send e-mail.
 */
export const writeEmail = Effect.fnUntraced(function* (request: EmailRequest) {
  const { organizationId, userId } = yield* Actor
  const emails = yield* EmailsRepo
  const { row: lead } = yield* holdLead(request.leadId)
  yield* refuseSuppressed(lead)
  if (lead.email === "") {
    return yield* fail("INVALID_INPUT", "lead_id: the lead has no e-mail address. Add one with lead.upsert.")
  }
  const mission = yield* openMission(request.mission)
  if (!mission.channels.includes("EMAIL")) {
    return yield* fail(
      "INVALID_INPUT",
      "mission_id: the mission does not use the channel EMAIL. Add it with mission.update."
    )
  }
  const agent = yield* agentOf(mission)
  const from = yield* senderOf(agent, request.from)
  const at = yield* now
  const strategy = mission.emailReviewStrategy
  const row: EmailRow = {
    id: yield* (yield* Ids).next("eml"),
    organizationId,
    missionId: mission.id,
    agentId: agent.id,
    leadId: lead.id,
    fromAddress: from,
    toAddress: lead.email,
    subject: request.subject,
    bodyText: request.bodyText,
    bodyHtml: request.bodyHtml,
    strategy,
    state: strategy === "AUTO" ? "queued" : "in_review",
    reason: null,
    expiresAt: strategy === "WEBHOOK" ? isoFromMillis(Date.parse(at) + reviewMillis) : null,
    decision: null,
    decidedBy: null,
    decidedAt: null,
    attempts: 0,
    notBefore: strategy === "AUTO" ? yield* afterHold(at) : null,
    messageId: null,
    sentAt: null,
    createdBy: userId,
    createdAt: at,
    updatedAt: at
  }
  yield* emails.insert(row)
  const view = yield* readEmail(row.id)
  if (strategy === "WEBHOOK") yield* requestReview(view, mission.emailReviewWebhookUrl)
  if (strategy !== "AUTO") {
    yield* announceEmail("email.review.requested", row, { strategy, expires_at: row.expiresAt })
  }
  return view
})
