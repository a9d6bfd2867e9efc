/**
 * The kind `email`.
 *
 * The intent to send is stored first, under a lease, and an email in that state is never sent again: if its process dies, it
 * becomes ambiguous, and a person checks. Emails are sent within the agent's working hours.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Lease } from "../../kernel/background/Lease.ts"
import { runAsService } from "../../kernel/background/ServiceRun.ts"
import { emit } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { Journal } from "../../kernel/journal/Journal.ts"
import type { Transaction } from "../../kernel/journal/Transaction.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import type { Ids } from "../../kernel/schema/Ids.ts"
import type { EmailId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { countEmailSend } from "../../kernel/telemetry/instruments.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadStatus } from "../../leads/LeadStatus.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { PrivacyRepo } from "../../leads/privacy/PrivacyRepo.ts"
import { recordMessage } from "../../leads/recordMessage.ts"
import { findSuppression } from "../../outreach/drafts/readDraft.ts"
import type { ApprovalChange } from "../../outreach/transmission/approvedRecipient.ts"
import { wordingOfEmail } from "../../outreach/transmission/disclosure.ts"
import { type DispatchRound, machineOf } from "../../outreach/transmission/dispatchKind.ts"
import {
  type Decision,
  eligibility,
  type Facts,
  type Refused,
  refusalOf
} from "../../outreach/transmission/eligibility.ts"
import { announceEmail, endEmail, reviewAgain, saveEmail } from "../../outreach/transmission/emails/changeEmail.ts"
import { holdEmail } from "../../outreach/transmission/readTransmission.ts"
import { isSendingHeld, mayHaveLeft } from "../../outreach/transmission/SendingHold.ts"
import { SendOptions, secondsAfter } from "../../outreach/transmission/SendOptions.ts"
import type { TransmissionKind } from "../../outreach/transmission/TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "../../outreach/transmission/TransmissionsRepo.ts"
import type { EmailView } from "../Email.ts"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "../EmailGateway.ts"

/** Seconds until the next attempt after a temporary refusal. */
const waits = [60, 300, 900, 1_800, 3_600] as const

/** Maximum number of attempts: about two days. */
const maxAttempts = 50

/** The mail server accepted it: the lead gets the message. */
export const recordSent = Effect.fnUntraced(function* ({ agent, lead, row }: EmailView, messageId: string | null) {
  const at = yield* now
  const storedAs = yield* recordMessage({
    leadId: row.leadId,
    channel: "EMAIL",
    direction: "outbound",
    content: row.subject === "" ? row.bodyText : `${row.subject}\n\n${row.bodyText}`,
    date: at,
    senderName: agent.name,
    externalId: messageId ?? row.id
  })
  const sent = yield* saveEmail(row, { state: "sent", reason: null, messageId, sentAt: at, notBefore: null })
  yield* emit({
    type: "message.sent",
    subject: { type: "lead", id: lead.id },
    data: {
      channel: "EMAIL",
      email_id: row.id,
      agent_id: row.agentId,
      mission_id: row.missionId,
      message_id: storedAs,
      is_first: !lead.wasWritten
    }
  })
  return sent
})

/**
 * Stores the outcome of an attempt of a locked email and returns the email. A certain outcome still counts after the email
 * became ambiguous; one of an earlier attempt changes nothing.
 */
const recordOutcome = Effect.fnUntraced(function* (view: EmailView, attempt: number, outcome: EmailOutcome) {
  const { row } = view
  if (row.attempts !== attempt || (row.state !== "sending" && row.state !== "ambiguous")) return row
  if (outcome._tag === "Confirmed") return yield* recordSent(view, outcome.messageId)
  const { reason } = outcome
  if (outcome._tag === "Unknown") return row.state === "sending" ? yield* endEmail(row, "ambiguous", reason) : row
  if (outcome._tag === "Refused" || attempt >= maxAttempts) return yield* endEmail(row, "failed", reason)
  const wait = waits[Math.min(attempt, waits.length) - 1] ?? 60
  return yield* saveEmail(row, { state: "queued", reason, notBefore: secondsAfter(yield* now, wait) })
})

export type EmailNeeds =
  | EmailGateway
  | Ids
  | Journal
  | LeadConsequences
  | LeadsRepo
  | PrivacyRepo
  | Transaction
  | TransmissionsRepo

/** An email in state `sending`, with the facts when it was claimed. */
interface EmailClaim {
  readonly view: EmailView
  readonly lease: Lease
  readonly at: string
  readonly leadStatus: LeadStatus
}

/** Working hours may change, so an email that waits for them is rechecked after this time. */
const recheckSeconds = 600

const isSameAddress = (a: string, b: string): boolean => keyOf(a) === keyOf(b)

const keyOf = (address: string): string =>
  Result.getOrElse(
    Result.map(normalizeEmail(address), ({ key }) => key),
    () => address
  )

/** The agent's address that it was written with; another one of the agent if that is gone, undefined without any. */
const senderOf = ({ agent: { addresses }, row }: EmailView): string | undefined =>
  addresses.find((address) => isSameAddress(address, row.fromAddress)) ?? addresses[0]

/** What differs from what was approved. */
const changeOf = (view: EmailView): ApprovalChange | undefined => {
  if (!isSameAddress(view.lead.email, view.row.toAddress)) return "recipient_changed"
  const from = senderOf(view)
  return from === undefined || isSameAddress(from, view.row.fromAddress) ? undefined : "account_changed"
}

/** Cancels or fails a blocked email, or returns it to review: after a change, with the addresses of now. */
const applyBlock = Effect.fnUntraced(function* (view: EmailView, { reason }: Refused) {
  const { agent, lead, row } = view
  if ((reason === "recipient_changed" || reason === "account_changed") && lead.email !== "") {
    return yield* reviewAgain({ ...row, toAddress: lead.email, fromAddress: senderOf(view) ?? row.fromAddress }, reason)
  }
  if (reason === "no_account") return yield* endEmail(row, "failed", agent.deleted ? "agent_deleted" : reason)
  const isForPerson = reason === "lead_replied" || reason === "lead_not_interested" || reason === "no_disclosure"
  return yield* isForPerson ? reviewAgain(row, reason) : endEmail(row, "cancelled", reason)
})

/** What decides about an email that is held. */
const readFacts = Effect.fnUntraced(function* (view: EmailView, decided: Decision) {
  const { agent, lead, mission, row, rules } = view
  const suppressed = yield* findSuppression(lead, [{ kind: "email", value: row.toAddress.toLowerCase() }])
  const more = { hasAccount: senderOf(view) !== undefined, changed: changeOf(view), wording: wordingOfEmail(row) }
  const { pacing: paced } = yield* SendOptions
  const facts: Facts = { agent, lead, mission, rules, suppressed, decided, paced, hours: agent, ...more }
  return { ...facts, leadTimezone: lead.timezone }
})

/** The email for the gateway. Its Message-ID ends with the sender's domain. */
const outgoing = ({ agent, lead, row }: EmailView): OutgoingEmail => ({
  messageId: `${row.id}@${row.fromAddress.slice(row.fromAddress.lastIndexOf("@") + 1)}`,
  from: { name: agent.name, address: row.fromAddress },
  to: { name: lead.name, address: row.toAddress },
  subject: row.subject,
  text: row.bodyText,
  html: row.bodyHtml
})

const claim = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdEmail(due.id)
  const { lead, mission, row } = view
  const at = yield* now
  if (row.state !== "queued" || row.fence !== due.fence || row.notBefore === null || row.notBefore > at)
    return undefined
  const decidedAt = row.decidedAt ?? row.createdAt
  const answer = eligibility(yield* readFacts(view, { at: decidedAt }), at)
  if (answer._tag === "No") yield* applyBlock(view, answer)
  else if (mission === null) yield* endEmail(row, "cancelled", "mission_deleted")
  // No conversation tells whether it left before the database was restored: a person decides anew.
  else if (yield* mayHaveLeft(decidedAt)) yield* reviewAgain(row, "database_restored")
  else if (answer._tag === "Later" && answer.when !== null) {
    const again = secondsAfter(at, recheckSeconds)
    yield* saveEmail(row, { reason: answer.reason, notBefore: answer.when < again ? answer.when : again })
  } else if (answer._tag === "Now") {
    const changes = { state: "sending", reason: null, attempts: row.attempts + 1, notBefore: null } as const
    const sending = yield* saveEmail(row, changes)
    return { view: { ...view, row: sending }, lease: due, at, leadStatus: lead.status }
  }
  return undefined
})

const record = Effect.fnUntraced(function* ({ at, leadStatus, view: claimed }: EmailClaim, outcome: EmailOutcome) {
  const { attempts, id } = claimed.row
  const view = yield* holdEmail(id)
  const row = yield* recordOutcome(view, attempts, outcome)
  // If nothing was sent, changes made while the mail server was asked still count.
  const facts = row.state === "queued" ? yield* readFacts(view, { at, leadStatus }) : {}
  const block = refusalOf(facts, at)
  if (block !== undefined) yield* applyBlock({ ...view, row }, block)
  return outcome._tag === "Confirmed"
})

const markLost = Effect.fnUntraced(function* (due: Due) {
  const { row } = yield* holdEmail(due.id)
  if (row.state !== "sending" || row.fence !== due.fence) return
  yield* endEmail(row, "ambiguous", "The process that was sending it stopped before it knew the outcome.")
})

/** Outcomes in metrics. */
const counted = { Confirmed: "accepted", Refused: "refused", Unavailable: "refused", Unknown: "unknown" } as const

/** See {@link TransmissionKind}. Unknown outcomes are settled by a person, who checks the mailbox. */
export const emails: TransmissionKind<EmailClaim, EmailOutcome, never, EmailNeeds> = {
  name: "email",
  claim,
  transmit: ({ view }) =>
    Effect.flatMap(EmailGateway, (gateway) =>
      Effect.tap(gateway.send(outgoing(view)), ({ _tag }) => countEmailSend(counted[_tag]))
    ),
  record,
  markLost
}

const machine = machineOf(emails)

/** The webhook did not decide in time, so people must. */
const expire = Effect.fnUntraced(function* (emailId: EmailId) {
  const { row } = yield* holdEmail(emailId)
  if (row.state !== "in_review" || row.expiresAt === null || row.expiresAt > (yield* now)) return
  const reason = "The webhook did not decide in time. Decide with email.review.decide."
  const after = yield* saveEmail(row, { strategy: "MANUAL", expiresAt: null, reason })
  yield* announceEmail("email.review.expired", after)
})

/** One round; returns how many emails were accepted. Fails with UNAVAILABLE when the store is unreachable. */
export const dispatchEmails = Effect.fnUntraced(function* (
  round: DispatchRound = {}
): Effect.fn.Return<number, StoreFailure, EmailNeeds> {
  const { limit = 50, organizationId } = round
  yield* machine.blockLost(round)
  const expired = yield* (yield* TransmissionsRepo).expired({ organizationId, now: yield* now, limit })
  yield* Effect.forEach(
    expired,
    (email) =>
      Effect.catchCause(runAsService(email.organizationId, expire(email.id)), (cause) =>
        Effect.logError("Expiring an email review failed", { email: email.id }, cause)
      ),
    { concurrency: 8, discard: true }
  )
  if (yield* isSendingHeld) return 0
  return yield* machine.sendDue({ concurrency: 8, limit, ...round })
})
