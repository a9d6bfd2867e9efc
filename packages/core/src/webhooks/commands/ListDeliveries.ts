import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { Delivery, deliveryOf, deliveryStates } from "../Webhook.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { WebhookIdText } from "../webhookFields.ts"
import { getWebhook } from "../writeWebhook.ts"

/** `webhook.deliveries`: list deliveries. */
export const ListDeliveries = Command.make({
  id: "webhook.deliveries",
  title: "List deliveries",
  summary: "List a webhook's deliveries, newest first",
  description:
    "Returns a page of deliveries with state, attempts, latest status and error. Deliveries are kept for 30 days.",
  whenToUse: "To see why a receiver misses events.",
  category: "workspace",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({
    webhook_id: WebhookIdText,
    state: Schema.optionalKey(
      Schema.Literals(deliveryStates).annotate({ description: "Only deliveries in this state" })
    ),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ deliveries: Schema.Array(Delivery), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["webhook.redeliver", "webhook.test"],
  examples: [{ title: "Failed deliveries", input: { webhook_id: "whk_SAMPLE00000000000000000001", state: "failed" } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* WebhooksRepo
    const { state, webhook_id: webhookId } = input
    const page = yield* readPage(organizationId, "deliveries", input, (request) =>
      repo.listDeliveries(organizationId, { webhookId, state }, request)
    )
    // Only if the page is empty can the webhook be unknown.
    if (page.items.length === 0) yield* getWebhook(webhookId)
    return { deliveries: page.items.map(deliveryOf), next_cursor: page.nextCursor }
  })
})
