import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Webhook } from "../Webhook.ts"
import { ShownSecret, UrlText, webhookFields } from "../webhookFields.ts"
import { createWebhook } from "../writeWebhook.ts"

/** `webhook.create`: create a webhook. */
export const CreateWebhook = Command.make({
  id: "webhook.create",
  title: "Create a webhook",
  summary: "Have events posted to an address; the signing secret is shown only in the answer.",
  description:
    "Registers an https address that gets a signed POST for every event, or for those of the types named. The secret that " +
    " deliveries are signed with is shown once; verify webhook-signature with it.",
  whenToUse: "To let another program react as soon as something happens; to poll instead, read GET /api/v1/events.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ url: UrlText, ...webhookFields }),
  output: Schema.Struct({ webhook: Webhook, secret: ShownSecret }),
  shownOnce: ["secret"],
  riskNotes: ["Events are sent to the address from then on."],
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
