import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { OverlapSeconds } from "../../keys/index.ts"
import { Webhook } from "../Webhook.ts"
import { ShownSecret, WebhookIdText } from "../webhookFields.ts"
import { rotateSecret } from "../writeWebhook.ts"

/** `webhook.rotate-secret`: rotate a webhook secret. */
export const RotateWebhookSecret = Command.make({
  id: "webhook.rotate-secret",
  title: "Rotate a webhook secret",
  summary: "Give a webhook a new signing secret; it is shown only in the answer.",
  description:
    "Deliveries are signed with the new secret and, for overlap_seconds more, with the one before too, so that the receiver " +
    "can change over without refusing anything.",
  whenToUse: "Regularly, and at once with overlap_seconds: 0 when the secret may have been seen.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText, overlap_seconds: OverlapSeconds }),
  output: Schema.Struct({ webhook: Webhook, secret: ShownSecret }),
  shownOnce: ["secret"],
  riskNotes: ["A receiver that knows only the old secret refuses deliveries when the overlap ends."],
  relatedCommands: ["webhook.get", "webhook.test"],
  examples: [{ title: "With a day to change over", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ overlap_seconds = 24 * 60 * 60, webhook_id }) => rotateSecret(webhook_id, overlap_seconds)
})
