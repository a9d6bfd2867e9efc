import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { OverlapSeconds } from "../../workspace/keys/OverlapSeconds.ts"
import { Webhook } from "../Webhook.ts"
import { ShownSecret, WebhookIdText } from "../webhookFields.ts"
import { rotateSecret } from "../writeWebhook.ts"

/** `webhook.rotate-secret`: rotate a webhook secret. */
export const RotateWebhookSecret = Command.make({
  id: "webhook.rotate-secret",
  title: "Rotate a webhook secret",
  summary: "Replace a webhook's signing secret",
  description:
    "Creates a new secret, shown only in the response. For overlap_seconds, deliveries are signed with both the new " +
    "and the old secret, so that the receiver can switch without rejecting any.",
  whenToUse: "Regularly, and immediately with overlap_seconds: 0 when the secret may have leaked.",
  category: "workspace",
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText, overlap_seconds: OverlapSeconds }),
  output: Schema.Struct({ webhook: Webhook, secret: ShownSecret }),
  failures: [NotFound],
  shownOnce: ["secret"],
  riskNotes: ["A receiver that knows only the old secret rejects deliveries after the overlap."],
  relatedCommands: ["webhook.get", "webhook.test"],
  examples: [{ title: "With an overlap of one day", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ overlap_seconds = 24 * 60 * 60, webhook_id }) => rotateSecret(webhook_id, overlap_seconds)
})
