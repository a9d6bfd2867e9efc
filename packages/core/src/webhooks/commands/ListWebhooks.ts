import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor } from "../../Page.ts"
import { listWebhooks } from "../listWebhooks.ts"
import { Webhook } from "../Webhook.ts"

/** `webhook.list`: list webhooks. */
export const ListWebhooks = Command.make({
  id: "webhook.list",
  title: "List webhooks",
  summary: "Read the webhooks of the organization, newest first, without their secrets.",
  description: "Answers a page of webhooks. Pass next_cursor as cursor for the next page; it is null on the last one.",
  whenToUse: "To see who is told of events.",
  category: "workspace",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ webhooks: Schema.Array(Webhook), next_cursor: NextCursor }),
  relatedCommands: ["webhook.create", "webhook.deliveries"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  run: (input) =>
    Effect.map(listWebhooks("webhooks", input), ({ items, nextCursor }) => ({
      webhooks: items,
      next_cursor: nextCursor
    }))
})
