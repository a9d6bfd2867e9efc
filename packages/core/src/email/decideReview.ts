/** Deciding on an email under review, cancelling and settling emails. */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput, NotFound, WrongState } from "../kernel/failure/failures.ts"
import { changedAt, now } from "../kernel/schema/IdsAndTime.ts"
import { refuseFinished } from "../missions/MissionStatus.ts"
import { stepNow, withStep } from "../outreach/drafts/Evidence.ts"
import { refuseSuppressed } from "../outreach/drafts/readDraft.ts"
import { apply } from "../outreach/transmission/carryOut.ts"
import { refuseUndisclosed, wordingOfEmail } from "../outreach/transmission/disclosure.ts"
import { emailHashOf, type Life, lifeOf } from "../outreach/transmission/Life.ts"
import { holdEmail } from "../outreach/transmission/readTransmission.ts"
import type { EmailDecision, EmailRow } from "../outreach/transmission/Transmission.ts"
import type { EmailView } from "./Email.ts"
import { recordDelivery } from "./sending/emails.ts"
import { afterHold } from "./writeEmail.ts"

/** A reviewer's decision. */
interface ReviewDecision {
  readonly decision: EmailDecision
  readonly contentHash: string
  readonly subject: string | undefined
  readonly bodyText: string | undefined
  readonly reason: string | undefined
}

const actions = { approve: "approved", edit: "approved_with_edits", reject: "rejected" } as const

const over = ({ id, state }: EmailRow): WrongState =>
  new WrongState({ message: `Email ${id} is already ${state}. Read it with email.list.` })

const emailIn = (view: EmailView, { row }: Life): EmailView => (row?.kind === "email" ? { ...view, row } : view)

/** The row with the reviewer's texts. Changing the text drops the HTML version. */
const edited = (
  row: EmailRow,
  { bodyText, decision, subject }: ReviewDecision
): Effect.Effect<EmailRow, InvalidInput> => {
  if (decision !== "edit") {
    return bodyText === undefined && subject === undefined
      ? Effect.succeed(row)
      : Effect.fail(
          new InvalidInput({
            message: "decision: subject and body_text are only allowed with edit. Send edit, or leave them out."
          })
        )
  }
  if (bodyText === undefined && subject === undefined) {
    return Effect.fail(
      new InvalidInput({ message: "decision: edit requires subject or body_text. Send one, or approve." })
    )
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
 * Decides on an email under review; approving and editing queue it. Fails with NOT_FOUND, WRONG_STATE (already decided),
 * CONTENT_CHANGED (hash does not match), INVALID_INPUT and, unless it rejects, LEAD_SUPPRESSED, MISSION_ARCHIVED,
 * WRONG_STATE (completed) or DISCLOSURE_REQUIRED.
 */
export const decideReview = Effect.fnUntraced(function* (id: string, said: ReviewDecision) {
  const { userId } = yield* Actor
  const view = yield* holdEmail(id)
  const { mission, row: before } = view
  if (before.strategy === "AUTO") return yield* new NotFound({ kind: "review", id })
  if (before.state !== "in_review") return yield* over(before)
  if (said.contentHash !== emailHashOf(before)) {
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
  const { bodyHtml, bodyText, subject } = written
  const notBefore = isRejected ? null : yield* afterHold(at)
  const decided = { decision: said.decision, decidedBy: userId, decidedAt: at, reason: said.reason ?? null, notBefore }
  const email = { bodyHtml, bodyText, subject, steps, ...decided }
  return emailIn(view, yield* apply(lifeOf(view), { _tag: "Judge", isRejected, email }, at))
})

/** Cancels an unsent email. Fails with NOT_FOUND, and with WRONG_STATE when it was sent, may have been, or is final. */
export const cancelEmail = Effect.fnUntraced(function* (id: string, reason: string | undefined) {
  const view = yield* holdEmail(id)
  if (view.row.state !== "in_review" && view.row.state !== "queued") return yield* over(view.row)
  return emailIn(view, yield* apply(lifeOf(view), { _tag: "Cancel", reason: reason ?? null }, yield* now))
})

/** Settles an email of unknown outcome. Fails with NOT_FOUND or WRONG_STATE. */
export const resolveEmail = Effect.fnUntraced(function* (id: string, outcome: "sent" | "not_sent") {
  const view = yield* holdEmail(id)
  if (view.row.state !== "ambiguous") return yield* over(view.row)
  const sent = outcome === "sent" ? yield* recordDelivery(view, null) : undefined
  const event = { _tag: "Settle", sent, reason: "Checked manually: it was not sent." } as const
  return emailIn(view, yield* apply(lifeOf(view), event, yield* now))
})
