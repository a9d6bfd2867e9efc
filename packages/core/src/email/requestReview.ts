/**
 * Requesting a decision from the mission's review webhook.
 *
 * The URL becomes a webhook of its own on first use, so that its requests are signed, retried and listed like all
 * deliveries; webhook.rotate-secret returns its secret.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import type { InvalidInput, StoreFailure } from "../kernel/failure/failures.ts"
import { Ids } from "../kernel/schema/Ids.ts"
import { now } from "../kernel/schema/Time.ts"
import { newDelivery } from "../webhooks/delivery/newDelivery.ts"
import { WebhooksRepo } from "../webhooks/WebhooksRepo.ts"
import { ensureReviewWebhook } from "../webhooks/writeWebhook.ts"
import { emailOf } from "./Email.ts"
import type { EmailView } from "./EmailRow.ts"

/** How long the webhook may take to decide, in milliseconds. */
export const reviewMillis = 72 * 3_600_000

/** Queues the request. Fails with INVALID_INPUT for a forbidden URL. */
export const requestReview = Effect.fnUntraced(function* (
  view: EmailView,
  url: string
): Effect.fn.Return<void, StoreFailure | InvalidInput, Actor | Ids | WebhooksRepo> {
  const { kind, organizationId, userId } = yield* Actor
  const webhook = yield* ensureReviewWebhook(url)
  const eventId = yield* (yield* Ids).next("evt")
  const { agent, body_html, body_text, content_hash, expires_at, lead, mission, subject } = emailOf(view)
  const row = yield* newDelivery({
    organization_id: organizationId,
    webhook_id: webhook.webhook_id,
    event_id: eventId,
    event_type: "email.review.requested",
    payload: {
      id: eventId,
      type: "email.review.requested",
      created_at: yield* now,
      organization_id: organizationId,
      sequence: 0,
      actor: { kind, id: userId },
      subject: { type: "email", id: view.row.id },
      data: {
        review_id: view.row.id,
        mission,
        agent,
        lead,
        subject,
        body_text,
        body_html,
        content_hash,
        expires_at
      }
    }
  })
  yield* (yield* WebhooksRepo).insertDelivery(row)
})
