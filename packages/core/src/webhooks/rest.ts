/** Webhooks behind REST: what the commands do, with path parameters among the fields. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../Command.ts"
import { IfMatch, requireMatch } from "../Etag.ts"
import { OverlapSeconds } from "../keys/index.ts"
import { CursorText, Limit, NextCursor } from "../Page.ts"
import { CreateWebhook } from "./commands/CreateWebhook.ts"
import { DeleteWebhook } from "./commands/DeleteWebhook.ts"
import { GetWebhook } from "./commands/GetWebhook.ts"
import { ListDeliveries } from "./commands/ListDeliveries.ts"
import { ListWebhooks } from "./commands/ListWebhooks.ts"
import { RedeliverWebhook } from "./commands/RedeliverWebhook.ts"
import { RotateWebhookSecret } from "./commands/RotateWebhookSecret.ts"
import { TestWebhook } from "./commands/TestWebhook.ts"
import { UpdateWebhook } from "./commands/UpdateWebhook.ts"
import { DeliveryState, listDeliveries, listWebhooks } from "./listWebhooks.ts"
import { Delivery, Webhook } from "./Webhook.ts"
import { DeliveryIdText, UrlText, WebhookIdText, webhookFields } from "./webhookFields.ts"
import { getWebhook, redeliver } from "./writeWebhook.ts"

const sample = "whk_SAMPLE00000000000000000001"

/** Fails with PRECONDITION_FAILED unless the webhook is the one that `If-Match` names. */
const requireWebhook = Effect.fnUntraced(function* (ifMatch: string | undefined, id: string) {
  if (ifMatch !== undefined) yield* requireMatch(ifMatch, yield* getWebhook(id))
})

/** GET /api/v1/webhooks. */
const RestListWebhooks = Command.make({
  ...ListWebhooks,
  id: "rest.webhooks.list",
  visibility: "internal",
  output: Schema.Struct({ webhooks: Schema.Array(Webhook), nextCursor: NextCursor }),
  compact: (output) => ({ output, warnings: [] }),
  run: (input) =>
    Effect.map(listWebhooks("rest.webhooks", input), ({ items, nextCursor }) => ({ webhooks: items, nextCursor }))
})

/** POST /api/v1/webhooks. */
const RestCreateWebhook = Command.make({ ...CreateWebhook, id: "rest.webhooks.create", visibility: "internal" })

/** GET /api/v1/webhooks/{webhookId}. */
const RestGetWebhook = Command.make({
  ...GetWebhook,
  id: "rest.webhooks.get",
  visibility: "internal",
  input: Schema.Struct({ webhookId: WebhookIdText }),
  examples: [{ title: "One webhook", input: { webhookId: sample } }],
  run: ({ webhookId }) => GetWebhook.run({ webhook_id: webhookId })
})

/** PATCH /api/v1/webhooks/{webhookId}. */
const RestUpdateWebhook = Command.make({
  ...UpdateWebhook,
  id: "rest.webhooks.update",
  visibility: "internal",
  input: Schema.Struct({
    webhookId: WebhookIdText,
    ifMatch: IfMatch,
    url: Schema.optionalKey(UrlText),
    ...webhookFields
  }),
  examples: [{ title: "Every type of event", input: { webhookId: sample, event_types: [] } }],
  run: ({ ifMatch, webhookId, ...write }) =>
    Effect.andThen(requireWebhook(ifMatch, webhookId), UpdateWebhook.run({ webhook_id: webhookId, ...write }))
})

/** DELETE /api/v1/webhooks/{webhookId}. */
const RestDeleteWebhook = Command.make({
  ...DeleteWebhook,
  id: "rest.webhooks.delete",
  visibility: "internal",
  input: Schema.Struct({ webhookId: WebhookIdText, ifMatch: IfMatch }),
  examples: [{ title: "Delete one", input: { webhookId: "whk_SAMPLE00000000000000000002" } }],
  run: ({ ifMatch, webhookId }) =>
    Effect.andThen(requireWebhook(ifMatch, webhookId), DeleteWebhook.run({ webhook_id: webhookId }))
})

/** POST /api/v1/webhooks/{webhookId}/rotate. */
const RestRotateSecret = Command.make({
  ...RotateWebhookSecret,
  id: "rest.webhooks.rotate",
  visibility: "internal",
  input: Schema.Struct({ webhookId: WebhookIdText, overlap_seconds: OverlapSeconds }),
  examples: [{ title: "With a day to change over", input: { webhookId: sample } }],
  run: ({ webhookId, ...rest }) => RotateWebhookSecret.run({ webhook_id: webhookId, ...rest })
})

/** POST /api/v1/webhooks/{webhookId}/test. */
const RestTestWebhook = Command.make({
  ...TestWebhook,
  id: "rest.webhooks.test",
  visibility: "internal",
  input: Schema.Struct({ webhookId: WebhookIdText }),
  examples: [{ title: "Send a test", input: { webhookId: sample } }],
  run: ({ webhookId }) => TestWebhook.run({ webhook_id: webhookId })
})

/** GET /api/v1/webhooks/{webhookId}/deliveries. */
const RestListDeliveries = Command.make({
  ...ListDeliveries,
  id: "rest.webhooks.deliveries",
  visibility: "internal",
  input: Schema.Struct({ webhookId: WebhookIdText, state: DeliveryState, cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ deliveries: Schema.Array(Delivery), nextCursor: NextCursor }),
  examples: [{ title: "What failed", input: { webhookId: sample, state: "failed" } }],
  compact: (output) => ({ output, warnings: [] }),
  run: ({ webhookId, ...page }) =>
    Effect.map(listDeliveries("rest.deliveries", { webhook_id: webhookId, ...page }), ({ items, nextCursor }) => ({
      deliveries: items,
      nextCursor
    }))
})

/** POST /api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver. */
const RestRedeliver = Command.make({
  ...RedeliverWebhook,
  id: "rest.webhooks.redeliver",
  visibility: "internal",
  input: Schema.Struct({ webhookId: WebhookIdText, deliveryId: DeliveryIdText }),
  examples: [{ title: "Once more", input: { webhookId: sample, deliveryId: "whd_SAMPLE00000000000000000001" } }],
  run: ({ deliveryId, webhookId }) => Effect.map(redeliver(deliveryId, webhookId), (delivery) => ({ delivery }))
})

/** The commands behind the REST endpoints of webhooks. */
export const restCommands = [
  RestListWebhooks,
  RestCreateWebhook,
  RestGetWebhook,
  RestUpdateWebhook,
  RestDeleteWebhook,
  RestRotateSecret,
  RestTestWebhook,
  RestListDeliveries,
  RestRedeliver
] as const
