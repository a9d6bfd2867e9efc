import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Delivery } from "../Webhook.ts"
import { DeliveryIdText } from "../webhookFields.ts"
import { redeliver } from "../writeWebhook.ts"

/** `webhook.redeliver`: redeliver an event. */
export const RedeliverWebhook = Command.make({
  id: "webhook.redeliver",
  title: "Redeliver an event",
  summary: "Send again what a delivery sent.",
  description:
    "Queues a new delivery of the same event with the same body and webhook-id; the earlier one stays as it is.",
  whenToUse: "When a receiver lost an event, or was corrected after it refused one.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ delivery_id: DeliveryIdText }),
  output: Schema.Struct({ delivery: Delivery }),
  riskNotes: ["The receiver gets the event again; it knows it by its webhook-id."],
  relatedCommands: ["webhook.deliveries"],
  examples: [{ title: "Once more", input: { delivery_id: "whd_SAMPLE00000000000000000001" } }],
  run: ({ delivery_id }) => Effect.map(redeliver(delivery_id), (delivery) => ({ delivery }))
})
