/**
 * Asking a program for its decision: the e-mail, in the signed envelope of all webhooks, to the address of its mission.
 *
 * The address is a webhook of its own, made when it is first needed, so that its requests are signed, tried again and
 * shown like all deliveries; its secret is had with webhook.rotate-secret. Source: G3, G34.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Failure } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { now } from "../Time.ts"
import { ensureReviewWebhook, newDelivery, WebhooksRepo } from "../webhooks/index.ts"
import { emailOf } from "./Email.ts"
import type { EmailView } from "./EmailRow.ts"

/** How long a program may take to decide, in milliseconds. Source: G3. */
export const reviewMillis = 72 * 3_600_000

/** Queues the request. Fails with INVALID_INPUT for an address that must not be reached. */
export const requestReview = Effect.fnUntraced(function* (
  view: EmailView,
  url: string
): Effect.fn.Return<void, Failure, Actor | Ids | WebhooksRepo> {
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
