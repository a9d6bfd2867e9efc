/**
 * Removes deliveries with their tries a month after they were over: events themselves stay in the feed, and what is still
 * to be delivered stays however old it is.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import { isoFromMillis } from "../../Time.ts"
import { DeliveriesRepo } from "./DeliveriesRepo.ts"

/** How long a delivery that is over can be read and repeated, in days. */
export const keptDays = 30

/** The most that one statement removes, and how many statements a round may make. */
export const forgetting = { batch: 1_000, batches: 20 } as const

/** One round; answers how many were removed. Fails with UNAVAILABLE when the store cannot be reached. */
export const forgetOldDeliveries: Effect.Effect<number, Failure, DeliveriesRepo> = Effect.gen(function* () {
  const repo = yield* DeliveriesRepo
  const before = isoFromMillis((yield* Clock.currentTimeMillis) - keptDays * 86_400_000)
  let removed = 0
  for (let batch = 0; batch < forgetting.batches; batch++) {
    const count = yield* repo.forget(before, forgetting.batch)
    removed += count
    if (count < forgetting.batch) break
  }
  return removed
})
