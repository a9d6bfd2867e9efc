import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { WebhookIdText } from "../webhookFields.ts"
import { deleteWebhook } from "../writeWebhook.ts"

/** `webhook.delete`: delete a webhook. */
export const DeleteWebhook = Command.make({
  id: "webhook.delete",
  title: "Delete a webhook",
  summary: "Delete a webhook and its deliveries",
  description:
    "Deletes the webhook and its deliveries; nothing is sent to its URL from then on. To stop for a while, pause it with " +
    "webhook.update.",
  whenToUse: "When a receiver is no longer needed.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText }),
  output: Schema.Struct({ webhook_id: Schema.String }),
  failures: [NotFound],
  riskNotes: ["Pending deliveries are dropped; GET /api/v1/events still has every event."],
  relatedCommands: ["webhook.list", "webhook.update"],
  examples: [{ title: "Delete a webhook", input: { webhook_id: "whk_SAMPLE00000000000000000002" } }],
  run: ({ webhook_id }) => Effect.map(deleteWebhook(webhook_id), (id) => ({ webhook_id: id }))
})
