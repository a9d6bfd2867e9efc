/** What is stored and said when an e-mail changes: ids and states, never texts. */
import * as Effect from "effect/Effect"
import { emit } from "../../../kernel/command/Execution.ts"
import type { EventType } from "../../../kernel/journal/Event.ts"
import { canonicalJson, sha256Hex } from "../../../kernel/schema/Hash.ts"
import type { LeadId, OrganizationId } from "../../../kernel/schema/RecordIds.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { changed, type EmailRow } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/** Names exactly what is reviewed: SHA-256 of e-mail, sender, addressee and texts. */
export const contentHashOf = ({ bodyHtml, bodyText, fromAddress, id, leadId, subject, toAddress }: EmailRow): string =>
  sha256Hex(
    canonicalJson({
      review_id: id,
      lead_id: leadId,
      from: fromAddress,
      to: toAddress,
      subject,
      body_text: bodyText,
      body_html: bodyHtml
    })
  )

/** States an event about an e-mail. */
export const announceEmail = (
  type: Extract<EventType, `email.${string}`>,
  row: EmailRow,
  details: Readonly<Record<string, unknown>> = {}
) =>
  emit({
    type,
    subject: { type: "email", id: row.id },
    data: {
      lead_id: row.leadId,
      mission_id: row.missionId,
      agent_id: row.agentId,
      content_hash: contentHashOf(row),
      ...(row.strategy === "AUTO" ? {} : { review_id: row.id }),
      ...details
    }
  })

/** Stores changes of an e-mail that is held. */
export const saveEmail = Effect.fnUntraced(function* (before: EmailRow, changes: Partial<EmailRow>) {
  const row = changed(before, changes, yield* now)
  yield* (yield* TransmissionsRepo).save(row.organizationId, [row])
  return row
})

const endings = { cancelled: "email.cancelled", failed: "email.failed", ambiguous: "email.unknown" } as const

/** It is over, or a person has to look whether it was sent: stores and states it. */
export const endEmail = Effect.fnUntraced(function* (
  before: EmailRow,
  state: keyof typeof endings,
  reason: string | null
) {
  const row = yield* saveEmail(before, { state, reason, notBefore: null, expiresAt: null })
  yield* announceEmail(endings[state], row)
  return row
})

/** A person decides anew: stores and states it. */
export const reviewAgain = Effect.fnUntraced(function* (before: EmailRow, reason: string) {
  const changes = { state: "in_review", strategy: "MANUAL", reason, notBefore: null, expiresAt: null } as const
  const row = yield* saveEmail(before, changes)
  yield* announceEmail("email.review.requested", row, { strategy: row.strategy, expires_at: null, reason })
  return row
})

/** Takes the e-mails that wait to be sent to a lead that is held out of the queue, as its messages are. */
export const withdrawEmails = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  leadId: LeadId,
  action: "cancel" | "review",
  reason: string
) {
  for (const row of yield* (yield* TransmissionsRepo).ofLead(organizationId, leadId)) {
    if (row.kind !== "email" || row.state !== "queued") continue
    yield* action === "cancel" ? endEmail(row, "cancelled", reason) : reviewAgain(row, reason)
  }
})
