/** Erasing a held lead, and until when leads are kept. */
import * as Effect from "effect/Effect"
import { emit } from "../../kernel/command/Execution.ts"
import type { TextRules } from "../../kernel/command/Permission.ts"
import { isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import type { LeadRow } from "../Lead.ts"
import { PrivacyRepo } from "./PrivacyRepo.ts"

/** When a lead is erased unless something changes; null if it is kept. */
export const keptUntil = (
  { lawfulBasis, updatedAt }: Pick<LeadRow, "lawfulBasis" | "updatedAt">,
  { retentionDays = {} }: TextRules
) => {
  const days = retentionDays[lawfulBasis || "none"]
  return days === undefined ? null : isoFromMillis(Date.parse(updatedAt) + days * 86_400_000)
}

/**
 * Erases a held lead; only tombstones of its identifiers stay. The reason goes into the event, so it must not name the person.
 * Fails with DRAFT_IN_FLIGHT.
 */
export const eraseLead = Effect.fnUntraced(function* (
  { id, organizationId }: Pick<LeadRow, "id" | "organizationId">,
  reason: string | undefined
) {
  const erased = yield* (yield* PrivacyRepo).erase(organizationId, id, yield* now)
  if (erased === undefined) return undefined
  const data = { tombstones: erased.tombstones, ...(reason === undefined ? {} : { reason }) }
  yield* emit({ type: "lead.erased", subject: { type: "lead", id }, data })
  return erased
})
