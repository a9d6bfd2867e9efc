import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Webhook } from "../Webhook.ts"
import { ShownSecret, UrlText, webhookFields } from "../webhookFields.ts"
import { createWebhook } from "../writeWebhook.ts"

/** `webhook.create`: create a webhook. */
export const CreateWebhook = Command.make({
  id: "webhook.create",
  title: "Create a webhook",
  summary: "Create a webhook",
  description:
    "Registers an https URL that receives a signed POST for every event, or only for the given types. The signing " +
    "secret is shown once, in the response; use it to verify webhook-signature.",
  whenToUse: "To react to events in another system as they happen; to poll instead, read GET /api/v1/events.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ url: UrlText, ...webhookFields }),
  output: Schema.Struct({ webhook: Webhook, secret: ShownSecret }),
  failures: [],
  shownOnce: ["secret"],
  riskNotes: ["Events are sent to the URL from then on."],
  relatedCommands: ["webhook.test", "webhook.deliveries"],
  relatedResources: ["svc://events/recent"],
  examples: [
    {
      title: "New leads and replies",
      input: { url: "https://hooks.example.com/svc", event_types: ["lead.created", "lead.replied"] }
    }
  ],
  run: createWebhook
})
