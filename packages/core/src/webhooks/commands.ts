/** Webhooks and their deliveries. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { InvalidCursor, NotFound } from "../kernel/failure/failures.ts"
import { eventTypes } from "../kernel/journal/Event.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { described, httpUrl, line, optional } from "../kernel/schema/TextFields.ts"
import { daySeconds, OverlapSeconds } from "../workspace/keys/KeyView.ts"
import { Delivery, deliveryOf, deliveryStates, Webhook, WebhooksRepo } from "./WebhooksRepo.ts"
import * as Webhooks from "./writeWebhook.ts"

const id = (description: string) => Schema.String.check(Schema.isBetweenLength(1, 64)).annotate({ description })

/** Id of a webhook. */
const WebhookIdText = id("Id of the webhook")

/** Id of a delivery. */
const DeliveryIdText = id("Id of the delivery")

/** Input field `url`. */
const UrlText = described(httpUrl, "https URL that accepts POST requests, on port 443 or 8443, in a public network")

/** The optional input fields of a webhook. */
const webhookFields = {
  event_types: optional(
    Schema.Array(Schema.Literals(eventTypes)).check(Schema.isMaxLength(eventTypes.length), Schema.isUnique()),
    "Only events of these types; empty for all"
  ),
  description: Schema.optionalKey(line(200, "Purpose of the webhook")),
  is_active: optional(Schema.Boolean, "False pauses the webhook: deliveries wait")
}

/** Output field `secret`. */
const ShownSecret = Schema.NullOr(Schema.String).annotate({
  description: "Signing secret, shown only once; null in a dry run and in a repeated response"
})

/** What commands that work on one webhook have in common. */
const ofOneWebhook = {
  risk: "mutate",
  scope: "webhooks:manage",
  input: Schema.Struct({ webhook_id: WebhookIdText }),
  output: Schema.Struct({ webhook: Webhook }),
  failures: [NotFound]
} as const

/** `webhook.create`: create a webhook. */
const CreateWebhook = Command.make({
  id: "webhook.create",
  title: "Create a webhook",
  summary: "Create a webhook",
  description:
    "Registers an https URL that receives a signed POST for every event, or only for the given types. The signing " +
    "secret is shown once, in the response; use it to verify webhook-signature.",
  whenToUse: "To react to events in another system as they happen; to poll instead, read GET /api/v1/events.",
  ...ofOneWebhook,
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
  run: Webhooks.createWebhook
})

/** `webhook.delete`: delete a webhook. */
const DeleteWebhook = Command.make({
  id: "webhook.delete",
  title: "Delete a webhook",
  summary: "Delete a webhook and its deliveries",
  description:
    "Deletes the webhook and its deliveries; nothing is sent to its URL from then on. To stop for a while, pause it with " +
    "webhook.update.",
  whenToUse: "When a receiver is no longer needed.",
  ...ofOneWebhook,
  output: Schema.Struct({ webhook_id: Schema.String }),
  riskNotes: ["Pending deliveries are dropped; GET /api/v1/events still has every event."],
  relatedCommands: ["webhook.list", "webhook.update"],
  examples: [{ title: "Delete a webhook", input: { webhook_id: "whk_SAMPLE00000000000000000002" } }],
  run: ({ webhook_id }) => Effect.map(Webhooks.deleteWebhook(webhook_id), (id) => ({ webhook_id: id }))
})

/** `webhook.get`: read a webhook. */
const GetWebhook = Command.make({
  id: "webhook.get",
  title: "Get a webhook",
  summary: "Get a webhook, without its secret",
  description: "Returns the URL, the event types and whether the webhook is active.",
  whenToUse: "To look up a webhook by its id.",
  ...ofOneWebhook,
  risk: "read",
  relatedCommands: ["webhook.list", "webhook.update", "webhook.deliveries"],
  examples: [{ title: "One webhook", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ webhook_id }) => Effect.map(Webhooks.getWebhook(webhook_id), (webhook) => ({ webhook }))
})

/** `webhook.deliveries`: list deliveries. */
const ListDeliveries = Command.make({
  id: "webhook.deliveries",
  title: "List deliveries",
  summary: "List a webhook's deliveries, newest first",
  description:
    "Returns a page of deliveries with state, attempts, latest status and error. Deliveries are kept for 30 days.",
  whenToUse: "To see why a receiver misses events.",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({
    webhook_id: WebhookIdText,
    state: optional(Schema.Literals(deliveryStates), "Only deliveries in this state"),
    ...pageFields
  }),
  output: Schema.Struct({ deliveries: Schema.Array(Delivery), next_cursor: NextCursor }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["webhook.redeliver", "webhook.test"],
  examples: [{ title: "Failed deliveries", input: { webhook_id: "whk_SAMPLE00000000000000000001", state: "failed" } }],
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* WebhooksRepo
    const { state, webhook_id: webhookId } = input
    const page = yield* readPage("deliveries", input, repo.listDeliveries, { webhookId, state })
    // Only if the page is empty can the webhook be unknown.
    if (page.items.length === 0) yield* Webhooks.getWebhook(webhookId)
    return { deliveries: page.items.map(deliveryOf), next_cursor: page.next_cursor }
  })
})

/** `webhook.list`: list webhooks. */
const ListWebhooks = Command.make({
  id: "webhook.list",
  title: "List webhooks",
  summary: "List webhooks, newest first",
  description:
    "Returns a page of webhooks, without their secrets. Pass next_cursor as cursor for the next page; it is null on " +
    "the last page.",
  whenToUse: "To see where events are sent.",
  risk: "read",
  scope: "webhooks:manage",
  input: Schema.Struct({ ...pageFields }),
  output: Schema.Struct({ webhooks: Schema.Array(Webhook), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["webhook.create", "webhook.deliveries"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const repo = yield* WebhooksRepo
    const page = yield* readPage("webhooks", input, repo.list)
    return { webhooks: page.items, next_cursor: page.next_cursor }
  })
})

/** `webhook.redeliver`: redeliver an event. */
const RedeliverWebhook = Command.make({
  id: "webhook.redeliver",
  title: "Redeliver an event",
  summary: "Send a delivery's event again",
  description:
    "Queues a new delivery of the same event with the same body and webhook-id; the earlier delivery stays as it is.",
  whenToUse: "When a receiver lost an event, or was fixed after refusing one.",
  ...ofOneWebhook,
  input: Schema.Struct({
    delivery_id: DeliveryIdText,
    webhook_id: optional(WebhookIdText, "The webhook, if the delivery must be one of its")
  }),
  output: Schema.Struct({ delivery: Delivery }),
  riskNotes: ["The receiver gets the event again and can recognize it by its webhook-id."],
  relatedCommands: ["webhook.deliveries"],
  examples: [{ title: "Send again", input: { delivery_id: "whd_SAMPLE00000000000000000001" } }],
  run: ({ delivery_id, webhook_id }) =>
    Effect.map(Webhooks.redeliver(delivery_id, webhook_id), (delivery) => ({ delivery }))
})

/** `webhook.rotate-secret`: rotate a webhook secret. */
const RotateWebhookSecret = Command.make({
  id: "webhook.rotate-secret",
  title: "Rotate a webhook secret",
  summary: "Replace a webhook's signing secret",
  description:
    "Creates a new secret, shown only in the response. For overlap_seconds, deliveries are signed with both the new " +
    "and the old secret, so that the receiver can switch without rejecting any.",
  whenToUse: "Regularly, and immediately with overlap_seconds: 0 when the secret may have leaked.",
  ...ofOneWebhook,
  input: Schema.Struct({ webhook_id: WebhookIdText, overlap_seconds: OverlapSeconds }),
  output: Schema.Struct({ webhook: Webhook, secret: ShownSecret }),
  shownOnce: ["secret"],
  riskNotes: ["A receiver that knows only the old secret rejects deliveries after the overlap."],
  relatedCommands: ["webhook.get", "webhook.test"],
  examples: [{ title: "With an overlap of one day", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ overlap_seconds = daySeconds, webhook_id }) => Webhooks.rotateSecret(webhook_id, overlap_seconds)
})

/** `webhook.test`: test a webhook. */
const TestWebhook = Command.make({
  id: "webhook.test",
  title: "Test a webhook",
  summary: "Send a test event to a webhook",
  description:
    "Queues a delivery of an event of type webhook.test, signed like any other. webhook.deliveries shows the result.",
  whenToUse: "After creating a webhook or changing its receiver.",
  ...ofOneWebhook,
  output: Schema.Struct({ delivery: Delivery }),
  riskNotes: ["Sends a request to the webhook's URL."],
  relatedCommands: ["webhook.deliveries", "webhook.redeliver"],
  examples: [{ title: "Send a test event", input: { webhook_id: "whk_SAMPLE00000000000000000001" } }],
  run: ({ webhook_id }) => Effect.map(Webhooks.testWebhook(webhook_id), (delivery) => ({ delivery }))
})

/** `webhook.update`: change a webhook. */
const UpdateWebhook = Command.make({
  id: "webhook.update",
  title: "Update a webhook",
  summary: "Update a webhook's URL or event types, or pause it",
  description:
    "Changes the fields you send and keeps the others. is_active: false pauses the webhook, and its deliveries wait; " +
    "true resumes it. The secret stays the same.",
  whenToUse: "When a receiver moves, needs other events, or is down for a while.",
  ...ofOneWebhook,
  input: Schema.Struct({ webhook_id: WebhookIdText, url: Schema.optionalKey(UrlText), ...webhookFields }),
  riskNotes: ["Deliveries go to the new URL immediately; while paused, none are sent."],
  relatedCommands: ["webhook.get", "webhook.rotate-secret"],
  examples: [{ title: "All event types", input: { webhook_id: "whk_SAMPLE00000000000000000001", event_types: [] } }],
  run: ({ webhook_id, ...write }) => Effect.map(Webhooks.updateWebhook(webhook_id, write), (webhook) => ({ webhook }))
})

/** The commands of this domain. */
export const commands = [
  ListWebhooks,
  GetWebhook,
  CreateWebhook,
  UpdateWebhook,
  DeleteWebhook,
  RotateWebhookSecret,
  TestWebhook,
  ListDeliveries,
  RedeliverWebhook
] as const
