/** Saying, once for each time, that an account has used most of what it may do in a window. */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../../kernel/failure/failures.ts"
import type { LinkedInAccount } from "../../provider/LinkedInAccount.ts"
import type { SendAttempt } from "../SendAttempt.ts"
import { SendOptions, secondsBefore } from "../SendOptions.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"
import { allowanceOf } from "./Pacing.ts"
import { capsOf, countedAs, usesWithin, windowMillis } from "./UsageLimits.ts"

/** The share of a limit that is told of. */
const threshold = 0.8

/**
 * States `usage.threshold_reached` for each window in which a transmission was the one that reached four fifths of the
 * limit. Nothing is limited, and nothing told, without pacing.
 */
export const announceUsage = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  { action, organizationId, startedAt }: SendAttempt
): Effect.fn.Return<void, StoreFailure, TransmissionsRepo | Execution> {
  const { pacing } = yield* SendOptions
  if (!pacing) return
  const since = secondsBefore(startedAt, windowMillis.week / 1_000)
  const filter = { gateway: account.gateway, accountId: account.id }
  const [usage] = yield* (yield* TransmissionsRepo).usage(organizationId, filter, since)
  if (usage === undefined) return
  const earlier = usage.done.flatMap((done) =>
    countedAs[action].includes(done.action) && done.at < startedAt ? [done.at] : []
  )
  const caps = capsOf(allowanceOf(usage), action, startedAt)
  for (const window of ["day", "week"] as const) {
    const limit = caps[window]
    if (limit === null) continue
    const used = usesWithin(earlier, window, startedAt).length + 1
    if (used - 1 >= limit * threshold || used < limit * threshold) continue
    const data = { agent_id: account.agentId, action, window, used, limit }
    yield* emit({ type: "usage.threshold_reached", subject: { type: "account", id: account.id }, data })
  }
})
