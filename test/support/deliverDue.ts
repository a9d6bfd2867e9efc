/** One round of deliveries. */
import * as Effect from "effect/Effect"
import { createDeliveries, deliverOrLog, leaseDue, maxConcurrent } from "#core/webhooks/delivery/deliveryRounds.ts"

/** Creates and sends deliveries of an organization, or of all, and waits for the requests; returns how many succeeded. */
export const deliverDue = Effect.fnUntraced(function* ({
  limit = maxConcurrent.perProcess,
  organizationId
}: {
  readonly organizationId?: string
  readonly limit?: number
} = {}) {
  yield* createDeliveries(organizationId)
  const taken = yield* leaseDue(limit, organizationId)
  const done = yield* Effect.forEach(taken, deliverOrLog, { concurrency: "unbounded" })
  return done.filter((isDelivered) => isDelivered).length
})
