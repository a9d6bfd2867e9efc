/** Recording the outcome of sending an email. */
import * as Effect from "effect/Effect"
import { emit } from "../../kernel/command/Execution.ts"
import { now } from "../../kernel/schema/Time.ts"
import { recordMessage } from "../../leads/recordMessage.ts"
import { endEmail, saveEmail } from "../../outreach/transmission/emails/changeEmail.ts"
import { secondsAfter } from "../../outreach/transmission/SendOptions.ts"
import type { EmailOutcome } from "../EmailGateway.ts"
import type { EmailView } from "../EmailRow.ts"

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
export const recordOutcome = Effect.fnUntraced(function* (view: EmailView, attempt: number, outcome: EmailOutcome) {
  const { row } = view
  if (row.attempts !== attempt || (row.state !== "sending" && row.state !== "ambiguous")) return row
  if (outcome._tag === "Confirmed") return yield* recordSent(view, outcome.messageId)
  const { reason } = outcome
  if (outcome._tag === "Unknown") return row.state === "sending" ? yield* endEmail(row, "ambiguous", reason) : row
  if (outcome._tag === "Refused" || attempt >= maxAttempts) return yield* endEmail(row, "failed", reason)
  const wait = waits[Math.min(attempt, waits.length) - 1] ?? 60
  return yield* saveEmail(row, { state: "queued", reason, notBefore: secondsAfter(yield* now, wait) })
})
