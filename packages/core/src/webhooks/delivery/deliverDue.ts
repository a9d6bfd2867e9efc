/** A round of deliveries: creates those of new events, and sends those that are due. */

import * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { traceWork } from "../../kernel/telemetry/tracing.ts"
import { type LeasedDelivery, WebhooksRepo } from "../WebhooksRepo.ts"
import { type CreateDeliveriesNeeds, createDeliveries } from "./createDeliveries.ts"
import { type DeliverNeeds, deliver } from "./deliver.ts"

/**
 * Length of a lease in seconds: longer than any request, so it needs no renewal. When it expires, another process takes
 * over the deliveries of a dead one.
 */
export const leaseSeconds = 25

/** Maximum requests at the same time: to one webhook, of one organization, of one process. */
export const maxConcurrent = { perWebhook: 8, perOrganization: 32, perProcess: 64 } as const

/** The services that a round needs. */
export type DeliveryNeeds = DeliverNeeds | CreateDeliveriesNeeds

/** Leases at most `limit` deliveries that are due. Fails with UNAVAILABLE when the store is unreachable. */
export const leaseDue = Effect.fnUntraced(function* (
  limit: number,
  organizationId?: OrganizationId
): Effect.fn.Return<ReadonlyArray<LeasedDelivery>, StoreFailure, WebhooksRepo> {
  const { perOrganization, perWebhook } = maxConcurrent
  return yield* (yield* WebhooksRepo).leaseDeliveries({
    organizationId,
    now: yield* now,
    leaseSeconds,
    limit,
    perWebhook,
    perOrganization
  })
})

/** Like `deliver`, but logs failures, without URL, body or secrets. */
export const deliverOrLog = (taken: LeasedDelivery): Effect.Effect<boolean, never, DeliverNeeds> =>
  Effect.catchCause(traceWork("work deliver", taken.row.organization_id, deliver(taken)), (cause) =>
    Effect.as(
      Effect.logError("Could not store a delivery's outcome", { delivery: taken.row.delivery_id }, cause),
      false
    )
  )

/** Runs one round and waits for its requests; returns how many deliveries succeeded. */
export const deliverDue = Effect.fnUntraced(function* (
  round: { readonly organizationId?: OrganizationId; readonly limit?: number } = {}
): Effect.fn.Return<number, StoreFailure, DeliveryNeeds> {
  yield* createDeliveries(round.organizationId)
  const taken = yield* leaseDue(round.limit ?? maxConcurrent.perProcess, round.organizationId)
  const done = yield* Effect.forEach(taken, deliverOrLog, { concurrency: "unbounded" })
  return done.filter((delivered) => delivered).length
})

/** The most rounds of {@link deliverAll}: a receiver that answers every event with a change never ends. */
const maxRounds = 1_000

/** Delivers until nothing is due; returns how many deliveries succeeded. Fails with UNAVAILABLE when the store is unreachable. */
export const deliverAll = Effect.fnUntraced(function* (): Effect.fn.Return<number, StoreFailure, DeliveryNeeds> {
  let delivered = 0
  for (let round = 0; round < maxRounds; round++) {
    const created = yield* createDeliveries()
    const taken = yield* leaseDue(maxConcurrent.perProcess)
    if (created === 0 && taken.length === 0) break
    const done = yield* Effect.forEach(taken, deliverOrLog, { concurrency: "unbounded" })
    delivered += done.filter((isDelivered) => isDelivered).length
  }
  return delivered
})
