/** Reading pages of webhooks and of deliveries. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import { readPage } from "../Page.ts"
import { deliveryOf, deliveryStates } from "./Webhook.ts"
import { WebhooksRepo } from "./WebhooksRepo.ts"
import { getWebhook } from "./writeWebhook.ts"

interface PageInput {
  readonly cursor?: string
  readonly limit: number
}

/** Input field `state` of a list of deliveries. */
export const DeliveryState = Schema.optionalKey(
  Schema.Literals(deliveryStates).annotate({ description: "Only deliveries in this state" })
)

/** A page of webhooks. */
export const listWebhooks = Effect.fnUntraced(function* (list: string, input: PageInput) {
  const { organizationId } = yield* Actor
  const repo = yield* WebhooksRepo
  return yield* readPage(organizationId, list, input, (request) => repo.list(organizationId, request))
})

/** A page of deliveries. Fails with NOT_FOUND when there is no such webhook. */
export const listDeliveries = Effect.fnUntraced(function* (
  list: string,
  input: PageInput & { readonly webhook_id: string; readonly state?: (typeof deliveryStates)[number] }
) {
  const { organizationId } = yield* Actor
  const repo = yield* WebhooksRepo
  const { state, webhook_id: webhookId } = input
  const page = yield* readPage(organizationId, list, input, (request) =>
    repo.listDeliveries(organizationId, { webhookId, state }, request)
  )
  // Only an empty page can be that of a webhook that is not there.
  if (page.items.length === 0) yield* getWebhook(webhookId)
  return { items: page.items.map(deliveryOf), nextCursor: page.nextCursor }
})
