/** What each outcome of a transmission makes of an e-mail and its lead. Source: G10, G11, G35. */
import * as Effect from "effect/Effect"
import { emit } from "../../Execution.ts"
import { recordMessage } from "../../leads/index.ts"
import { changedAt, isoFromMillis, now } from "../../Time.ts"
import type { EmailOutcome } from "../EmailGateway.ts"
import type { EmailRow, EmailView } from "../EmailRow.ts"
import { EmailsRepo } from "../EmailsRepo.ts"
import { announceEmail } from "../emailEvents.ts"

/** Seconds until an e-mail that was not taken for now is tried again: a minute at first, then longer, at most an hour. */
const waits = [60, 300, 900, 1_800, 3_600] as const

/** Transmissions after which an e-mail that was never taken is given up: about two days. */
export const mostAttempts = 50

const store = Effect.fnUntraced(function* (view: EmailView, changes: Partial<EmailRow>) {
  const row: EmailRow = { ...view.row, ...changes, updatedAt: changedAt(view.row.updatedAt, yield* now) }
  yield* (yield* EmailsRepo).save(row)
  return row
})

/** The other side took it: the lead has a message more. */
export const recordSent = Effect.fnUntraced(function* (view: EmailView, messageId: string | null) {
  const at = yield* now
  const content = view.row.subject === "" ? view.row.bodyText : `${view.row.subject}\n\n${view.row.bodyText}`
  const storedAs = yield* recordMessage({
    leadId: view.row.leadId,
    channel: "EMAIL",
    direction: "outbound",
    content,
    date: at,
    senderName: view.agent.name,
    externalId: messageId ?? view.row.id
  })
  const row = yield* store(view, { state: "sent", reason: null, messageId, sentAt: at, notBefore: null })
  yield* emit({
    type: "message.sent",
    subject: { type: "lead", id: view.lead.id },
    data: {
      channel: "EMAIL",
      email_id: row.id,
      agent_id: row.agentId,
      mission_id: row.missionId,
      message_id: storedAs,
      is_first: !view.lead.wasWritten
    }
  })
  return { ...view, row }
})

/** It cannot be sent any more. */
export const recordFailed = Effect.fnUntraced(function* (view: EmailView, reason: string) {
  const row = yield* store(view, { state: "failed", reason, notBefore: null })
  yield* announceEmail("email.failed", row)
})

/** It may have been sent: a person has to look. */
export const recordUnknown = Effect.fnUntraced(function* (view: EmailView, reason: string) {
  const row = yield* store(view, { state: "ambiguous", reason, notBefore: null })
  yield* announceEmail("email.unknown", row)
})

/**
 * Stores the outcome of transmission `attempt` of a held e-mail. An outcome that comes after the transmission was given
 * up as unheard of still counts when it is certain; one of an earlier transmission changes nothing.
 */
export const recordOutcome = Effect.fnUntraced(function* (view: EmailView, attempt: number, outcome: EmailOutcome) {
  const { attempts, state } = view.row
  if (attempts !== attempt || (state !== "sending" && state !== "ambiguous")) return
  if (outcome._tag === "Accepted") return yield* Effect.asVoid(recordSent(view, outcome.messageId))
  if (outcome._tag === "Unknown") {
    if (state === "sending") yield* recordUnknown(view, outcome.reason)
    return
  }
  if (outcome.isPermanent || attempts >= mostAttempts) return yield* recordFailed(view, outcome.reason)
  const wait = waits[Math.min(attempts, waits.length) - 1] ?? 60
  const notBefore = isoFromMillis(Date.parse(yield* now) + wait * 1_000)
  yield* store(view, { state: "queued", reason: outcome.reason, notBefore })
})
