import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { Webhook } from "../Webhook.ts"
import { WebhookIdText } from "../webhookFields.ts"
import { getWebhook } from "../writeWebhook.ts"

/** `webhook.get`: read a webhook. */
export const GetWebhook = Command.make({
  id: "webhook.get",
  title: "Get a webhook",
  summary: "Get a webhook, without its secret",
  description: "Returns the URL, the event types and whether the webhook is active.",
  whenToUse: "To look up a webhook by its id.",
  category: "workspace",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText }),
  output: Schema.Struct({ webhook: Webhook }),
  failures: [NotFound],
  relatedCommands: ["webhook.list", "webhook.update", "webhook.deliveries"],
  examples: [{ title: "One webhook", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ webhook_id }) => Effect.map(getWebhook(webhook_id), (webhook) => ({ webhook }))
})
