/**
 * The worker's round over e-mails: sends what is due, hands late reviews to people, and lists what was not heard of.
 *
 * That an e-mail is being sent is stored before it leaves, and an e-mail in that state is never sent again: when its
 * process dies, it becomes ambiguous. So none is ever sent twice. E-mails leave within the agent's working hours, as messages do.
 * Source: G3, G6, G10; architecture, decision 1.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Execution } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import type { Ids } from "../../Ids.ts"
import { emailHandedOver } from "../../instruments.ts"
import type { Journal } from "../../Journal.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { SuppressionsRepo } from "../../leads/suppression/SuppressionsRepo.ts"
import { refuseSuppressed } from "../../linkedin/readDraft.ts"
import { SendOptions, secondsAfter } from "../../linkedin/SendOptions.ts"
import { runAsService } from "../../linkedin/sending/SystemRun.ts"
import { traced } from "../../observed.ts"
import { changedAt, isoFromMillis, now } from "../../Time.ts"
import type { Transaction } from "../../Transaction.ts"
import { EmailGateway, type OutgoingEmail } from "../EmailGateway.ts"
import { type EmailRow, type EmailView, opensAt, outsideHours } from "../EmailRow.ts"
import { type DueEmail, EmailsRepo } from "../EmailsRepo.ts"
import { announceEmail } from "../emailEvents.ts"
import { holdEmail } from "../writeEmail.ts"
import { recordFailed, recordOutcome, recordUnknown } from "./recordEmail.ts"

/** What sending e-mails needs. */
export type EmailNeeds =
  | EmailGateway
  | EmailsRepo
  | Ids
  | Journal
  | LeadConsequences
  | LeadsRepo
  | SuppressionsRepo
  | Transaction

/** After how long a transmission of which nothing was heard counts as unknown: longer than any gateway takes. */
export const staleMillis = 120_000

/** Working hours may be changed meanwhile, so an e-mail that waits for them is looked at again this soon. */
const lookAgainSeconds = 600

const save = Effect.fnUntraced(function* (before: EmailRow, changes: Partial<EmailRow>) {
  const row: EmailRow = { ...before, ...changes, updatedAt: changedAt(before.updatedAt, yield* now) }
  yield* (yield* EmailsRepo).save(row)
  return row
})

const cancel = Effect.fnUntraced(function* (view: EmailView, reason: string) {
  const row = yield* save(view.row, { state: "cancelled", reason, notBefore: null })
  yield* announceEmail("email.cancelled", row)
})

/** The domain that its Message-ID ends with: that of the sender. */
const outgoing = ({ agent, lead, row }: EmailView): OutgoingEmail => ({
  messageId: `${row.id}@${row.fromAddress.slice(row.fromAddress.lastIndexOf("@") + 1)}`,
  from: { name: agent.name, address: row.fromAddress },
  to: { name: lead.name, address: row.toAddress },
  subject: row.subject,
  text: row.bodyText,
  html: row.bodyHtml
})

/** Marks an e-mail as being sent, unless it must not be, or not now. Answers what to send. */
const claim = Effect.fnUntraced(function* (emailId: string) {
  const view = yield* holdEmail(emailId)
  const { agent, lead, mission, row } = view
  if (row.state !== "queued" || row.notBefore === null || row.notBefore > (yield* now)) return undefined
  if (mission === null) return yield* Effect.as(cancel(view, "mission_deleted"), undefined)
  if (mission.status === "ARCHIVED") return yield* Effect.as(cancel(view, "mission_archived"), undefined)
  if (mission.status !== "ACTIVE") return undefined
  if (agent.isDeleted) return yield* Effect.as(recordFailed(view, "agent_deleted"), undefined)
  const allowed = yield* Effect.result(refuseSuppressed(lead))
  if (allowed._tag === "Failure") {
    if (allowed.failure.code !== "LEAD_SUPPRESSED") return yield* allowed.failure
    return yield* Effect.as(cancel(view, "lead_suppressed"), undefined)
  }
  if ((yield* SendOptions).pacing) {
    const at = yield* now
    const opening = opensAt(view, at)
    if (opening > at) {
      const again = secondsAfter(at, lookAgainSeconds)
      yield* save(row, { reason: outsideHours, notBefore: opening < again ? opening : again })
      return undefined
    }
  }
  const sending = yield* save(row, { state: "sending", reason: null, attempts: row.attempts + 1, notBefore: null })
  return { ...view, row: sending }
})

const send = Effect.fnUntraced(function* ({
  emailId,
  organizationId
}: DueEmail): Effect.fn.Return<boolean, Failure, EmailNeeds> {
  const claimed = yield* runAsService(organizationId, claim(emailId))
  if (claimed === undefined) return false
  const outcome = yield* (yield* EmailGateway).send(outgoing(claimed))
  yield* emailHandedOver(outcome._tag.toLowerCase())
  const record = Effect.flatMap(holdEmail(emailId), (view) => recordOutcome(view, claimed.row.attempts, outcome))
  yield* runAsService(organizationId, record)
  return outcome._tag === "Accepted"
})

/** A transmission of which nothing was heard. */
const markStale = (staleBefore: string) =>
  Effect.fnUntraced(function* (view: EmailView): Effect.fn.Return<void, Failure, EmailsRepo | Execution> {
    if (view.row.state !== "sending" || view.row.updatedAt > staleBefore) return
    yield* recordUnknown(view, "The process that sent it ended before it heard an answer.")
  })

/** Nobody decided in time: people are asked. It is never sent by itself. */
const expire = Effect.fnUntraced(function* ({
  row
}: EmailView): Effect.fn.Return<void, Failure, EmailsRepo | Execution> {
  if (row.state !== "in_review" || row.expiresAt === null || row.expiresAt > (yield* now)) return
  const reason = "The program did not decide in time; decide with email.review.decide."
  const after = yield* save(row, { strategy: "MANUAL", expiresAt: null, reason })
  yield* announceEmail("email.review.expired", after)
})

const handle = (due: DueEmail, staleBefore: string): Effect.Effect<boolean, Failure, EmailNeeds> => {
  if (due.kind === "send") return send(due)
  const settle = due.kind === "stale" ? markStale(staleBefore) : expire
  return Effect.as(runAsService(due.organizationId, Effect.flatMap(holdEmail(due.emailId), settle)), false)
}

/**
 * One round; answers how many e-mails were taken by the other side. What goes wrong with one is logged and holds back no
 * other. Fails with UNAVAILABLE when the store cannot say what is due.
 */
export const dispatchEmails = Effect.fnUntraced(function* (
  round: { readonly organizationId?: string; readonly limit?: number } = {}
): Effect.fn.Return<number, Failure, EmailNeeds> {
  const millis = yield* Clock.currentTimeMillis
  const staleBefore = isoFromMillis(millis - staleMillis)
  const due = yield* (yield* EmailsRepo).due({
    organizationId: round.organizationId,
    now: isoFromMillis(millis),
    staleBefore,
    limit: round.limit ?? 50
  })
  const one = (email: DueEmail) =>
    Effect.catchCause(
      Effect.uninterruptible(traced("work email", email.organizationId, handle(email, staleBefore))),
      (cause) => Effect.as(Effect.logError("an e-mail could not be handled", { email: email.emailId }, cause), false)
    )
  const sent = yield* Effect.forEach(due, one, { concurrency: 8 })
  return sent.filter((wasSent) => wasSent).length
})
