/** The worker's round for emails: recovers lost ones, returns expired reviews to people, and sends what is due. */

import * as Effect from "effect/Effect"
import { runAsService } from "../../kernel/background/ServiceRun.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { EmailId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { type DispatchRound, machineOf } from "../../outreach/transmission/dispatchKind.ts"
import { announceEmail, saveEmail } from "../../outreach/transmission/emails/changeEmail.ts"
import { holdEmail } from "../../outreach/transmission/readTransmission.ts"
import { isSendingHeld } from "../../outreach/transmission/SendingHold.ts"
import { TransmissionsRepo } from "../../outreach/transmission/TransmissionsRepo.ts"
import { type EmailNeeds, emails } from "./emails.ts"

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
