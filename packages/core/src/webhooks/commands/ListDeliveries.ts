import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { DeliveryState, listDeliveries } from "../listWebhooks.ts"
import { Delivery } from "../Webhook.ts"
import { WebhookIdText } from "../webhookFields.ts"

/** `webhook.deliveries`: list deliveries. */
export const ListDeliveries = Command.make({
  id: "webhook.deliveries",
  title: "List deliveries",
  summary: "Read what was sent to a webhook and how it was answered, newest first.",
  description:
    "Answers a page of deliveries with state, tries, latest status and error. Those that were over 30 days ago are gone.",
  whenToUse: "To see why a receiver misses events.",
  category: "workspace",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText, state: DeliveryState, cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ deliveries: Schema.Array(Delivery), next_cursor: NextCursor }),
  relatedCommands: ["webhook.redeliver", "webhook.test"],
  examples: [{ title: "What failed", input: { webhook_id: "whk_SAMPLE00000000000000000001", state: "failed" } }],
  run: (input) =>
    Effect.map(listDeliveries("deliveries", input), ({ items, nextCursor }) => ({
      deliveries: items,
      next_cursor: nextCursor
    }))
})
