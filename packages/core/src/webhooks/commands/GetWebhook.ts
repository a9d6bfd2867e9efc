import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Webhook } from "../Webhook.ts"
import { WebhookIdText } from "../webhookFields.ts"
import { getWebhook } from "../writeWebhook.ts"

/** `webhook.get`: read a webhook. */
export const GetWebhook = Command.make({
  id: "webhook.get",
  title: "Read a webhook",
  summary: "Read one webhook, without its secret.",
  description: "Shows the address, the event types and whether the webhook is active.",
  whenToUse: "To look at a webhook whose id you have.",
  category: "workspace",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText }),
  output: Schema.Struct({ webhook: Webhook }),
  relatedCommands: ["webhook.list", "webhook.update", "webhook.deliveries"],
  examples: [{ title: "One webhook", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ webhook_id }) => Effect.map(getWebhook(webhook_id), (webhook) => ({ webhook }))
})
