import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { Delivery } from "../Webhook.ts"
import { DeliveryIdText, WebhookIdText } from "../webhookFields.ts"
import { redeliver } from "../writeWebhook.ts"

/** `webhook.redeliver`: redeliver an event. */
export const RedeliverWebhook = Command.make({
  id: "webhook.redeliver",
  title: "Redeliver an event",
  summary: "Send a delivery's event again",
  description:
    "Queues a new delivery of the same event with the same body and webhook-id; the earlier delivery stays as it is.",
  whenToUse: "When a receiver lost an event, or was fixed after refusing one.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({
    delivery_id: DeliveryIdText,
    webhook_id: Schema.optionalKey(
      WebhookIdText.annotate({ description: "The webhook, if the delivery must be one of its" })
    )
  }),
  output: Schema.Struct({ delivery: Delivery }),
  failures: [NotFound],
  riskNotes: ["The receiver gets the event again and can recognize it by its webhook-id."],
  relatedCommands: ["webhook.deliveries"],
  examples: [{ title: "Send again", input: { delivery_id: "whd_SAMPLE00000000000000000001" } }],
  run: ({ delivery_id, webhook_id }) => Effect.map(redeliver(delivery_id, webhook_id), (delivery) => ({ delivery }))
})
