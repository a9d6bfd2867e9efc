/**
 * The kind `email`.
 *
 * The intent to send is stored first, under a lease, and an email in that state is never sent again: if its process dies, it
 * becomes ambiguous, and a person checks. Emails are sent within the agent's working hours.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { eachDue, type Lease, type Round, repeatRound, runAsService } from "../../kernel/background/Worker.ts"
import { type EmailId, type InstantText, now } from "../../kernel/schema/IdsAndTime.ts"
import { countEmailSend } from "../../kernel/telemetry/instruments.ts"
import type { LeadStatus } from "../../leads/LeadStatus.ts"
import { isApprovalChange, senderOf } from "../../outreach/approval.ts"
import { apply, decide, recordDelivery } from "../../outreach/carryOut.ts"
import * as Dispatch from "../../outreach/dispatchKind.ts"
import { eligibility, type Refused, refusalOf } from "../../outreach/eligibility.ts"
import { readFacts } from "../../outreach/gate.ts"
import { type Event, lifeOf } from "../../outreach/Life.ts"
import { newAttempt, type SendAttempt } from "../../outreach/pacing/UsageLimits.ts"
import type { AccountsRepo } from "../../outreach/provider/AccountsRepo.ts"
import type { LinkedInGateway } from "../../outreach/provider/LinkedInGateway.ts"
import { isSendingHeld, mayHaveLeft, secondsAfter } from "../../outreach/SendOptions.ts"
import type { EmailRow } from "../../outreach/Transmission.ts"
import { type Due, holdEmail, TransmissionsRepo } from "../../outreach/TransmissionsRepo.ts"
import type { DomainCheck } from "../DomainCheck.ts"
import { type EmailView, messageIdOf } from "../Email.ts"
import { type EmailGateway, type EmailOutcome, type OutgoingEmail, sendEmail } from "../EmailGateway.ts"
import { type MailboxesRepo, mailboxSender } from "../MailboxesRepo.ts"
import { referencesOf } from "../thread.ts"
import { offerUnsubscribing } from "../unsubscribe.ts"
import { holdMailbox, isUnauthenticatedSender, precheck, readPace, recheckSeconds } from "./mailboxPace.ts"

/** Seconds until the next attempt after a temporary refusal. */
const waits = [60, 300, 900, 1_800, 3_600] as const

/** Maximum number of attempts: about two days. */
const maxAttempts = 50

/** What the outcome of an attempt is to the state machine. */
const eventFor = ({ attempts: attempt, failures }: EmailRow, outcome: EmailOutcome, at: InstantText): Event => {
  if (outcome._tag === "Confirmed") {
    return { _tag: "Confirm", attempt, externalId: outcome.messageId, recordedAs: null, isFirst: false }
  }
  const { reason } = outcome
  if (outcome._tag === "Unknown") return { _tag: "Lose", attempt, detail: reason }
  if (outcome._tag === "Refused" || attempt >= maxAttempts)
    return { _tag: "Fail", attempt, reason: "invalid", detail: reason }
  const wait = waits[Math.min(attempt, waits.length) - 1] ?? 60
  // It counts bounces, which a busy server does not undo.
  return { _tag: "Retry", attempt, reason, notBefore: secondsAfter(at, wait), failures }
}

/** What sending emails needs. */
export type EmailNeeds =
  | Exclude<Dispatch.DispatchNeeds, AccountsRepo | LinkedInGateway>
  | DomainCheck
  | EmailGateway
  | MailboxesRepo

/** An email in state `sending`, with the facts when it was claimed. */
interface EmailClaim {
  readonly view: EmailView
  /** What is transmitted. */
  readonly email: OutgoingEmail
  readonly attempt: SendAttempt
  readonly lease: Lease
  readonly at: string
  readonly leadStatus: LeadStatus
}

/** A blocked email is cancelled, fails, or returns to review: after a change, with the addresses of now. */
const blockOf = (view: EmailView, { reason }: Refused): Event => {
  const { agent, lead, mission, row } = view
  if (mission === null) return { _tag: "Cancel", reason: "mission_deleted" }
  if (isApprovalChange(reason) && lead.email !== "") {
    const email = { toAddress: lead.email, fromAddress: senderOf(view) ?? row.fromAddress }
    return { _tag: "Withdraw", reason, email }
  }
  if (reason === "no_account") return { _tag: "Block", reason: agent.deleted ? "agent_deleted" : reason, detail: "" }
  const isForPerson = reason === "lead_replied" || reason === "lead_not_interested" || reason === "no_disclosure"
  return isForPerson ? { _tag: "Withdraw", reason } : { _tag: "Cancel", reason }
}

/** The email for the gateway, in its thread. */
const outgoing = Effect.fnUntraced(function* (view: EmailView) {
  const { agent, lead, row } = view
  return {
    references: yield* referencesOf(view),
    unsubscribe: yield* offerUnsubscribing(view),
    messageId: messageIdOf(row),
    from: { name: agent.name, address: row.fromAddress },
    to: { name: lead.name, address: row.toAddress },
    subject: row.subject,
    text: row.bodyText,
    html: row.bodyHtml
  }
})

const claim = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdEmail(due.id)
  const { lead, row } = view
  const at = yield* now
  if (row.state !== "queued" || row.fence !== due.fence || row.notBefore === null || row.notBefore > at)
    return undefined
  const decidedAt = row.decidedAt ?? row.createdAt
  const gate = yield* readFacts(view, undefined, { at: decidedAt })
  const { isBusy, uses: pace } = yield* readPace(row, at)
  const own = {
    action: "email",
    isUnauthenticated: yield* isUnauthenticatedSender(view),
    isBusy: isBusy && row.followUp !== null,
    ...(pace && { uses: pace })
  } as const
  const answer = eligibility({ ...gate, ...own }, at)
  if (answer._tag === "Later" && answer.reason === "usage_limit" && answer.when !== null) {
    yield* holdMailbox(row, pace, answer.when, at)
  }
  const event = answer._tag === "No" ? blockOf(view, answer) : yield* nextOf(view, answer, decidedAt, at)
  const life = event && (yield* apply(lifeOf(view), event, at))
  if (life?.row?.kind !== "email" || life.row.state !== "sending") return undefined
  const claimed = { ...view, row: life.row }
  const attempt = newAttempt({ ...row, id: mailboxSender(row.fromAddress) }, "email", row.id, life.row.attempts, at)
  yield* (yield* TransmissionsRepo).saveAttempt(attempt)
  return { view: claimed, email: yield* outgoing(claimed), attempt, lease: due, at, leadStatus: lead.status }
})

/** What happens to an email that may be sent, now or later; undefined to leave it as it is. */
const nextOf = Effect.fnUntraced(function* (
  { row }: EmailView,
  answer: Exclude<ReturnType<typeof eligibility>, Refused>,
  decidedAt: InstantText,
  at: InstantText
): Effect.fn.Return<Event | undefined> {
  // No conversation tells whether it left before the database was restored or failed over: a person decides anew.
  if (yield* mayHaveLeft(decidedAt, row.notBefore ?? decidedAt))
    return { _tag: "Withdraw", reason: "database_restored" }
  if (answer._tag === "Now") return { _tag: "Start" }
  const again = secondsAfter(at, recheckSeconds)
  const { reason, when } = answer
  // It stays due, and its mailbox is looked at again.
  if (reason === "usage_limit") return { _tag: "Wait", reason, notBefore: row.notBefore, isHeld: false }
  if (when === null && reason === "mission_paused") return undefined
  // Nothing ends an absence earlier that does not also return it to review.
  const isCertain = when !== null && (when < again || reason === "lead_away" || reason === "follow_up_early")
  return { _tag: "Wait", reason, notBefore: isCertain ? when : again, isHeld: false }
})

/** Outcomes as attempts keep them. */
const kept = { Confirmed: "confirmed", Refused: "refused", Unavailable: "unavailable", Unknown: "unknown" } as const

const record = Effect.fnUntraced(function* (
  { at, attempt, leadStatus, view: claimed }: EmailClaim,
  outcome: EmailOutcome
) {
  const view = yield* holdEmail(claimed.row.id)
  const life = lifeOf(view)
  const endedAt = yield* now
  const event = eventFor(claimed.row, outcome, endedAt)
  const isConfirmed = outcome._tag === "Confirmed"
  const detail = "reason" in outcome ? outcome.reason.slice(0, 500) : null
  yield* (yield* TransmissionsRepo).saveAttempt({ ...attempt, outcome: kept[outcome._tag], detail, endedAt })
  if (Result.isFailure(decide(life, event, endedAt))) return isConfirmed
  const delivery = outcome._tag === "Confirmed" ? yield* recordDelivery(view, outcome.messageId, endedAt) : {}
  const after = yield* apply(life, { ...event, ...delivery }, endedAt)
  // If nothing was sent, changes made while the mail server was asked still count.
  const facts = after.row?.state === "queued" ? yield* readFacts(view, undefined, { at, leadStatus }) : {}
  const block = refusalOf(facts, at)
  if (block !== undefined) yield* apply(after, blockOf(view, block), endedAt)
  return isConfirmed
})

const markLost = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdEmail(due.id)
  if (view.row.state !== "sending" || view.row.fence !== due.fence) return
  yield* apply(lifeOf(view), { _tag: "Lose", detail: Dispatch.lost }, yield* now)
})

/** Outcomes in metrics. */
const counted = { Confirmed: "accepted", Refused: "refused", Unavailable: "refused", Unknown: "unknown" } as const

/** Emails as a {@link TransmissionKind}. Unknown outcomes are settled by a person, who checks the mailbox. */
export const emails: Dispatch.TransmissionKind<EmailClaim, EmailOutcome, never, EmailNeeds> = {
  name: "email",
  precheck,
  claim,
  transmit: ({ email }) => Effect.tap(sendEmail(email), ({ _tag }) => countEmailSend(counted[_tag])),
  record,
  markLost
}

const machine = Dispatch.machineOf(emails)

/** The webhook did not decide in time, so people must. */
const expire = Effect.fnUntraced(function* (emailId: EmailId) {
  const view = yield* holdEmail(emailId)
  const at = yield* now
  if (view.row.state !== "in_review" || view.row.expiresAt === null || view.row.expiresAt > at) return
  const reason = "The webhook did not decide in time. Decide with email.review.decide."
  yield* apply(lifeOf(view), { _tag: "Expire", reason }, at)
})

/** One round; returns how many emails were accepted. Fails with UNAVAILABLE when the store is unreachable. */
export const dispatchEmails = Effect.fnUntraced(function* (round: Round = {}) {
  const isHeld = yield* isSendingHeld
  let accepted = 0
  yield* eachDue(
    "emails",
    { concurrency: 8, limit: 50, ...round, batch: 2, ...(isHeld && { recheckSeconds: 0 }) },
    Effect.fnUntraced(function* (organizationId, share) {
      const lost = yield* machine.blockLost(organizationId, share)
      const { expired } = yield* TransmissionsRepo
      const reviews = yield* expired({ organizationId, now: yield* now, limit: share.limit })
      yield* Effect.forEach(
        reviews,
        (id) =>
          Effect.catchCause(runAsService(organizationId, expire(id)), (cause) =>
            Effect.logError("Expiring an email review failed", { email: id }, cause)
          ),
        { ...share, discard: true }
      )
      const found = Math.max(lost, reviews.length)
      // Nothing is leased while sending is held: a claim would only put it back, round after round.
      if (isHeld) return found
      const { done, taken } = yield* machine.sendDue(organizationId, share)
      accepted += done
      return Math.max(found, taken)
    })
  )
  return accepted
})

/** Works as long as the layer lives. */
export const emailWorkerLayer: Layer.Layer<never, never, EmailNeeds> = Layer.effectDiscard(
  repeatRound("e-mails", dispatchEmails(), "1 second")
)
