import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { WebhookIdText } from "../webhookFields.ts"
import { deleteWebhook } from "../writeWebhook.ts"

/** `webhook.delete`: delete a webhook. */
export const DeleteWebhook = Command.make({
  id: "webhook.delete",
  title: "Delete a webhook",
  summary: "Delete a webhook with its deliveries.",
  description:
    "Removes the webhook; nothing is sent to its address any more, and its list of deliveries is gone. To stop for a while, " +
    "pause it with webhook.update.",
  whenToUse: "When a receiver is not needed any more.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText }),
  output: Schema.Struct({ webhook_id: Schema.String }),
  riskNotes: ["What was not delivered yet is dropped; GET /api/v1/events still has every event."],
  relatedCommands: ["webhook.list", "webhook.update"],
  examples: [{ title: "Delete one", input: { webhook_id: "whk_SAMPLE00000000000000000002" } }],
  run: ({ webhook_id }) => Effect.map(deleteWebhook(webhook_id), (id) => ({ webhook_id: id }))
})
