import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { Webhook } from "../Webhook.ts"
import { UrlText, WebhookIdText, webhookFields } from "../webhookFields.ts"
import { updateWebhook } from "../writeWebhook.ts"

/** `webhook.update`: change a webhook. */
export const UpdateWebhook = Command.make({
  id: "webhook.update",
  title: "Update a webhook",
  summary: "Update a webhook's URL or event types, or pause it",
  description:
    "Changes the fields you send and keeps the others. is_active: false pauses the webhook, and its deliveries wait; " +
    "true resumes it. The secret stays the same.",
  whenToUse: "When a receiver moves, needs other events, or is down for a while.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText, url: Schema.optionalKey(UrlText), ...webhookFields }),
  output: Schema.Struct({ webhook: Webhook }),
  failures: [NotFound],
  riskNotes: ["Deliveries go to the new URL immediately; while paused, none are sent."],
  relatedCommands: ["webhook.get", "webhook.rotate-secret"],
  examples: [{ title: "All event types", input: { webhook_id: "whk_SAMPLE00000000000000000001", event_types: [] } }],
  run: ({ webhook_id, ...write }) => Effect.map(updateWebhook(webhook_id, write), (webhook) => ({ webhook }))
})
