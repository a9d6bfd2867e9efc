import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidCursor } from "../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../kernel/schema/Page.ts"
import { Webhook } from "../Webhook.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"

/** `webhook.list`: list webhooks. */
export const ListWebhooks = Command.make({
  id: "webhook.list",
  title: "List webhooks",
  summary: "List webhooks, newest first",
  description:
    "Returns a page of webhooks, without their secrets. Pass next_cursor as cursor for the next page; it is null on " +
    "the last page.",
  whenToUse: "To see where events are sent.",
  category: "workspace",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({ cursor: CursorText, limit: Limit }),
  output: Schema.Struct({ webhooks: Schema.Array(Webhook), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["webhook.create", "webhook.deliveries"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* WebhooksRepo
    const page = yield* readPage(organizationId, "webhooks", input, (request) => repo.list(organizationId, request))
    return { webhooks: page.items, next_cursor: page.nextCursor }
  })
})
