/** A round of deliveries: what happened becomes deliveries, and what is due is sent. Source: G34. */
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import { traced } from "../../observed.ts"
import { now } from "../../Time.ts"
import { DeliveriesRepo, type TakenDelivery } from "./DeliveriesRepo.ts"
import { type DeliverNeeds, deliver } from "./deliver.ts"
import { type TellNeeds, tellWebhooks } from "./tellWebhooks.ts"

/**
 * How long a delivery belongs to the process that took it, in seconds: longer than any request, so that nobody needs to
 * renew it. A killed process's deliveries are taken over when it ends.
 */
export const leaseSeconds = 25

/** The most requests on their way at once: to one webhook, of one organization, of one process. */
export const mostAtOnce = { perWebhook: 8, perOrganization: 32, perProcess: 64 } as const

/** Everything that deliveries need. */
export type DeliveryNeeds = DeliverNeeds | TellNeeds

/** Takes what is due, at most `limit`. Fails with UNAVAILABLE when the store cannot say. */
export const takeDue = Effect.fnUntraced(function* (
  limit: number,
  organizationId?: string
): Effect.fn.Return<ReadonlyArray<TakenDelivery>, Failure, DeliveriesRepo> {
  const { perOrganization, perWebhook } = mostAtOnce
  return yield* (yield* DeliveriesRepo).take({
    organizationId,
    now: yield* now,
    leaseSeconds,
    limit,
    perWebhook,
    perOrganization
  })
})

/** As deliver; what went wrong is logged, without address, body or secret. */
export const deliverOrLog = (taken: TakenDelivery): Effect.Effect<boolean, never, DeliverNeeds> =>
  Effect.catchCause(traced("work deliver", taken.row.organization_id, deliver(taken)), (cause) =>
    Effect.as(Effect.logError("a delivery's outcome was not stored", { delivery: taken.row.delivery_id }, cause), false)
  )

/** One round, waited for; answers how many deliveries were taken by their receivers. */
export const deliverDue = Effect.fnUntraced(function* (
  round: { readonly organizationId?: string; readonly limit?: number } = {}
): Effect.fn.Return<number, Failure, DeliveryNeeds> {
  yield* tellWebhooks(round.organizationId)
  const taken = yield* takeDue(round.limit ?? mostAtOnce.perProcess, round.organizationId)
  const done = yield* Effect.forEach(taken, deliverOrLog, { concurrency: "unbounded" })
  return done.filter((delivered) => delivered).length
})
