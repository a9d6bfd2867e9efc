import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Webhook } from "../Webhook.ts"
import { UrlText, WebhookIdText, webhookFields } from "../webhookFields.ts"
import { updateWebhook } from "../writeWebhook.ts"

/** `webhook.update`: change a webhook. */
export const UpdateWebhook = Command.make({
  id: "webhook.update",
  title: "Change a webhook",
  summary: "Change the address, the event types or the description of a webhook, or pause it.",
  description:
    "Changes the fields that are sent and keeps the others. is_active: false pauses the webhook, whose deliveries then wait; " +
    "true takes it up again. The secret stays.",
  whenToUse: "When a receiver moves, needs other events, or is down for a while.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText, url: Schema.optionalKey(UrlText), ...webhookFields }),
  output: Schema.Struct({ webhook: Webhook }),
  riskNotes: ["Deliveries go to the new address at once; while it is paused, none go out."],
  relatedCommands: ["webhook.get", "webhook.rotate-secret"],
  examples: [
    { title: "Every type of event", input: { webhook_id: "whk_SAMPLE00000000000000000001", event_types: [] } }
  ],
  run: ({ webhook_id, ...write }) => Effect.map(updateWebhook(webhook_id, write), (webhook) => ({ webhook }))
})
