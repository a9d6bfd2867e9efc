import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { Delivery } from "../Webhook.ts"
import { WebhookIdText } from "../webhookFields.ts"
import { testWebhook } from "../writeWebhook.ts"

/** `webhook.test`: test a webhook. */
export const TestWebhook = Command.make({
  id: "webhook.test",
  title: "Test a webhook",
  summary: "Send a test event to a webhook",
  description:
    "Queues a delivery of an event of type webhook.test, signed like any other. webhook.deliveries shows the result.",
  whenToUse: "After creating a webhook or changing its receiver.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText }),
  output: Schema.Struct({ delivery: Delivery }),
  failures: [NotFound],
  riskNotes: ["Sends a request to the webhook's URL."],
  relatedCommands: ["webhook.deliveries", "webhook.redeliver"],
  examples: [{ title: "Send a test event", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ webhook_id }) => Effect.map(testWebhook(webhook_id), (delivery) => ({ delivery }))
})
