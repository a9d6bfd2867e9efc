/** Rounds of deliveries: creates those of new events, in order for each active webhook, and sends those that are due. */

import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { DueWork } from "../../kernel/background/DueWork.ts"
import { eachDue } from "../../kernel/background/Worker.ts"
import { Transaction } from "../../kernel/journal/Journal.ts"
import { Ids, now, type OrganizationId, type WebhookId } from "../../kernel/schema/IdsAndTime.ts"
import { traceWork } from "../../kernel/telemetry/tracing.ts"
import { envelopeOf } from "../../workspace/events/EventFeed.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import { type DeliveryRow, type LeasedDelivery, type Webhook, WebhooksRepo } from "../WebhooksRepo.ts"
import { type DeliverNeeds, deliver } from "./deliver.ts"

/** What a delivery takes from its event. */
const content = ["organization_id", "webhook_id", "event_id", "event_type", "payload"] as const

/** A delivery that is due now; independent of others, unless it has a place among those of its subject. */
export const newDelivery = Effect.fnUntraced(function* (
  given: Pick<DeliveryRow, (typeof content)[number]>,
  place: Pick<DeliveryRow, "subject" | "sequence"> = { subject: "", sequence: null }
) {
  const at = yield* now
  return {
    ...Struct.pick(given, content),
    ...place,
    delivery_id: yield* (yield* Ids).next("whd"),
    state: "pending" as const,
    attempts: 0,
    tries: [],
    next_attempt_at: at,
    response_status: null,
    last_error: "",
    redelivery_of: null,
    created_at: at,
    delivered_at: null
  }
})

/** Maximum events of a webhook in one transaction. */
const pageSize = 200

/** A webhook does not receive the event that it was disabled. */
const isOwnEvent = (event: { readonly type: string; readonly subject: { readonly id: string } }, webhook: Webhook) =>
  event.type === "webhook.disabled" && event.subject.id === webhook.webhook_id

const createDeliveriesOf = Effect.fnUntraced(function* (organizationId: OrganizationId, webhookId: WebhookId) {
  const repo = yield* WebhooksRepo
  const held = yield* repo.holdPending(organizationId, webhookId)
  const webhook = held && (yield* repo.find(organizationId, webhookId))
  if (held === undefined || webhook === undefined) return 0
  const types = webhook.event_types.length === 0 ? undefined : webhook.event_types
  const page = yield* (yield* Workspaces).events.read(organizationId, {
    after: held.lastSequence,
    types,
    limit: pageSize
  })
  const rows = yield* Effect.forEach(
    page.events.filter((event) => !isOwnEvent(event, webhook)),
    (event) => {
      const { id: event_id, sequence, subject, type: event_type } = event
      return newDelivery(
        { organization_id: organizationId, webhook_id: webhookId, event_id, event_type, payload: envelopeOf(event) },
        { subject: `${subject.type}/${subject.id}`, sequence }
      )
    }
  )
  yield* repo.insertDeliveries(organizationId, webhookId, page.next, rows)
  return rows.length
})

/** Maximum deliveries that a round creates. */
const maxCreated = 2_000

const createIn = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const transaction = yield* Transaction
  const behind = yield* (yield* WebhooksRepo).pending(organizationId, 100)
  const made = yield* Effect.forEach(behind, (webhook) =>
    Effect.catch(transaction.run(createDeliveriesOf(organizationId, webhook)), (failure) =>
      Effect.as(Effect.logWarning("Could not create a webhook's deliveries", { webhook, code: failure.code }), 0)
    )
  )
  return made.reduce((sum, count) => sum + count, 0)
})

/**
 * Creates the deliveries of events since the last round; returns how many. A webhook that fails is tried again in the next
 * round. Fails with UNAVAILABLE when the store is unreachable.
 */
export const createDeliveries = (organizationId?: OrganizationId) =>
  eachDue("events", { organizationId, limit: maxCreated, batch: pageSize, recheckSeconds: 1 }, createIn)

/**
 * Length of a lease in seconds: longer than any request, so it needs no renewal. When it expires, another process takes
 * over the deliveries of a dead one.
 */
export const leaseSeconds = 25

/** Maximum requests at the same time: to one webhook, of one organization, of one process. */
export const maxConcurrent = { perWebhook: 8, perOrganization: 32, perProcess: 64 } as const

/** The services that a round needs. */
export type DeliveryNeeds = DeliverNeeds | DueWork | Workspaces

/** Leases at most `limit` deliveries that are due. Fails with UNAVAILABLE when the store is unreachable. */
export const leaseDue = Effect.fnUntraced(function* (limit: number, organizationId?: OrganizationId) {
  const { leaseDeliveries } = yield* WebhooksRepo
  const { perOrganization, perWebhook } = maxConcurrent
  const leased: Array<LeasedDelivery> = []
  const lease = Effect.fnUntraced(function* (id: OrganizationId, share: { readonly limit: number }) {
    const request = { now: yield* now, leaseSeconds, limit: share.limit, perWebhook, perOrganization }
    const taken = yield* leaseDeliveries({ organizationId: id, ...request })
    leased.push(...taken)
    return taken.length
  })
  yield* eachDue("deliveries", { organizationId, limit, batch: perWebhook }, lease).pipe(
    // What was leased before is sent.
    Effect.catch((failure) => (leased.length === 0 ? Effect.fail(failure) : Effect.void))
  )
  return leased
})

/** Like `deliver`, but logs failures, without URL, body or secrets. */
export const deliverOrLog = (taken: LeasedDelivery): Effect.Effect<boolean, never, DeliverNeeds> =>
  Effect.catchCause(traceWork("work deliver", taken.row.organization_id, deliver(taken)), (cause) =>
    Effect.as(
      Effect.logError("Could not store a delivery's outcome", { delivery: taken.row.delivery_id }, cause),
      false
    )
  )

/** The most rounds of {@link deliverAll}: a receiver that answers every event with a change never ends. */
const maxRounds = 1_000

/** Delivers until nothing is due; returns how many deliveries succeeded. Fails with UNAVAILABLE when the store is unreachable. */
export const deliverAll = Effect.fnUntraced(function* () {
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
