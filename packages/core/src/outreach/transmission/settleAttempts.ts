/** Settling attempts of which nobody knew what became of them. */
import * as Effect from "effect/Effect"
import type { SendAttempt } from "./SendAttempt.ts"
import type { LinkedInTransmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** Writes down what became of the attempts of which nobody knew. */
export const settleAttempts = Effect.fnUntraced(function* (
  { id, organizationId }: LinkedInTransmission,
  outcome: NonNullable<SendAttempt["outcome"]>,
  detail: string,
  at: string
) {
  const { attemptsOf, saveAttempt } = yield* TransmissionsRepo
  for (const attempt of yield* attemptsOf(organizationId, id)) {
    if (attempt.outcome !== null && attempt.outcome !== "unknown") continue
    yield* saveAttempt({ ...attempt, outcome, detail, endedAt: attempt.endedAt ?? at })
  }
})
