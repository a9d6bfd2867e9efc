/** Deciding on an e-mail, and taking back or settling one. Source: G3, G10. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { refuseSuppressed } from "../linkedin/readDraft.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { changedAt, now } from "../Time.ts"
import { contentHashOf, type EmailDecision, type EmailRow, type EmailView } from "./EmailRow.ts"
import { EmailsRepo } from "./EmailsRepo.ts"
import { announceEmail } from "./emailEvents.ts"
import { recordSent } from "./sending/recordEmail.ts"
import { afterHold, holdEmail } from "./writeEmail.ts"

/** What a reviewer says. */
export interface ReviewDecision {
  readonly decision: EmailDecision
  readonly contentHash: string
  readonly subject: string | undefined
  readonly bodyText: string | undefined
  readonly reason: string | undefined
}

const over = ({ id, state }: EmailRow): Failure =>
  fail("WRONG_STATE", `E-mail ${id} is ${state}, so this is over. Read it with email.list.`)

/** The row with the reviewer's texts. A changed text has no HTML form any more. */
const edited = (row: EmailRow, { bodyText, decision, subject }: ReviewDecision): Effect.Effect<EmailRow, Failure> => {
  if (decision !== "edit") {
    return bodyText === undefined && subject === undefined
      ? Effect.succeed(row)
      : Effect.fail(fail("INVALID_INPUT", "decision: texts are taken with edit only. Send edit, or leave them out."))
  }
  if (bodyText === undefined && subject === undefined) {
    return Effect.fail(fail("INVALID_INPUT", "decision: edit needs subject or body_text. Send one, or approve."))
  }
  const isChanged = bodyText !== undefined && bodyText !== row.bodyText
  return Effect.succeed({
    ...row,
    subject: subject ?? row.subject,
    bodyText: bodyText ?? row.bodyText,
    bodyHtml: isChanged ? null : row.bodyHtml
  })
}

/**
 * Decides on an e-mail under review: approved and edited ones are queued. Fails with NOT_FOUND, WRONG_STATE when it was
 * decided, CONTENT_CHANGED when the hash is not that of the e-mail, INVALID_INPUT, and, unless it rejects, with
 * LEAD_SUPPRESSED or MISSION_ARCHIVED.
 */
export const decideReview = Effect.fnUntraced(function* (id: string, said: ReviewDecision) {
  const { userId } = yield* Actor
  const view = yield* holdEmail(id)
  const { mission, row: before } = view
  if (before.strategy === "AUTO") return yield* notFound("review", id)
  if (before.state !== "in_review") return yield* over(before)
  if (said.contentHash !== contentHashOf(before)) {
    return yield* fail(
      "CONTENT_CHANGED",
      "content_hash: is not that of this e-mail. Read it with email.review.list again."
    )
  }
  const isRejected = said.decision === "reject"
  if (!isRejected) {
    yield* refuseSuppressed(view.lead)
    if (mission !== null) yield* Effect.fromResult(refuseArchived(mission.status, "send"))
  }
  const at = changedAt(before.updatedAt, yield* now)
  const row: EmailRow = {
    ...(yield* edited(before, said)),
    state: isRejected ? "rejected" : "queued",
    reason: said.reason ?? null,
    expiresAt: null,
    decision: said.decision,
    decidedBy: userId,
    decidedAt: at,
    notBefore: isRejected ? null : yield* afterHold(at),
    updatedAt: at
  }
  yield* (yield* EmailsRepo).save(row)
  yield* announceEmail("email.review.decided", row, { decision: said.decision })
  return { ...view, row }
})

/**
 * Takes back an e-mail that has not left. Fails with NOT_FOUND, and with WRONG_STATE when it has left, may have, or is over.
 */
export const cancelEmail = Effect.fnUntraced(function* (id: string, reason: string | undefined) {
  const view = yield* holdEmail(id)
  const { row: before } = view
  if (before.state !== "in_review" && before.state !== "queued") return yield* over(before)
  const at = changedAt(before.updatedAt, yield* now)
  const row: EmailRow = {
    ...before,
    state: "cancelled",
    reason: reason ?? null,
    expiresAt: null,
    notBefore: null,
    updatedAt: at
  }
  yield* (yield* EmailsRepo).save(row)
  yield* announceEmail("email.cancelled", row)
  return { ...view, row }
})

/** Says whether an e-mail of unknown outcome was sent. Fails with NOT_FOUND or WRONG_STATE. */
export const resolveEmail = Effect.fnUntraced(function* (id: string, outcome: "sent" | "not_sent") {
  const view = yield* holdEmail(id)
  const { row: before } = view
  if (before.state !== "ambiguous") return yield* over(before)
  if (outcome === "sent") return yield* recordSent(view, null)
  const at = changedAt(before.updatedAt, yield* now)
  const row: EmailRow = { ...before, state: "failed", reason: "Somebody looked: it was not sent.", updatedAt: at }
  yield* (yield* EmailsRepo).save(row)
  yield* announceEmail("email.failed", row)
  const after: EmailView = { ...view, row }
  return after
})
