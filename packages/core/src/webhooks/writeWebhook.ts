/** What happens to webhooks. Source: G34. */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { EventType } from "../Event.ts"
import { type Failure, notFound } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { changedAt, isoFromMillis, now } from "../Time.ts"
import { newDelivery } from "./delivery/newDelivery.ts"
import { deliveryOf, type Webhook } from "./Webhook.ts"
import { WebhooksRepo } from "./WebhooksRepo.ts"
import { requireTarget } from "./WebhookTarget.ts"

/** What a caller says of a webhook. */
export interface WebhookWrite {
  readonly url?: string
  readonly event_types?: ReadonlyArray<EventType>
  readonly description?: string
  readonly is_active?: boolean
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`

const held = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Webhook, Failure, Actor | WebhooksRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* WebhooksRepo).hold(organizationId, id)) ?? (yield* notFound("webhook", id))
})

/** Reads a webhook. Fails with NOT_FOUND. */
export const getWebhook = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<Webhook, Failure, Actor | WebhooksRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* WebhooksRepo).find(organizationId, id)) ?? (yield* notFound("webhook", id))
})

/** Stores a webhook with a new secret. Fails with INVALID_INPUT for an address that must not be reached, as `field` says. */
const storeWebhook = Effect.fnUntraced(function* (
  write: WebhookWrite & { readonly url: string },
  purpose: Webhook["purpose"],
  field: string
) {
  yield* requireTarget(write.url, field)
  const { organizationId } = yield* Actor
  const createdAt = yield* now
  const webhook: Webhook = {
    webhook_id: yield* (yield* Ids).next("whk"),
    organization_id: organizationId,
    url: write.url,
    description: write.description ?? "",
    event_types: write.event_types ?? [],
    purpose,
    is_active: write.is_active ?? true,
    disabled_reason: null,
    failing_since: null,
    created_at: createdAt,
    updated_at: createdAt
  }
  const secret = newSecret()
  yield* (yield* WebhooksRepo).insert(webhook, [{ secret, validUntil: null }])
  return { webhook, secret }
})

/** Stores a new webhook and answers its secret. Fails with INVALID_INPUT for an address that must not be reached. */
export const createWebhook = (write: WebhookWrite & { readonly url: string }) => storeWebhook(write, "events", "url")

/**
 * The webhook that asks for decisions on e-mails at an address; made when there is none. Nobody is shown its secret: it is
 * had with webhook.rotate-secret. Fails with INVALID_INPUT for an address that must not be reached. Source: G3.
 */
export const ensureReviewWebhook = Effect.fnUntraced(function* (url: string) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* WebhooksRepo).findForReviews(organizationId, url)
  if (found !== undefined) return found
  const description = "Asked for decisions on e-mails of missions"
  const write = { url, description, event_types: ["email.review.requested"] } as const
  const field = "mission_id: emailReviewWebhookUrl of the mission"
  return (yield* storeWebhook(write, "email_reviews", field)).webhook
})

/** Changes what is sent. The same again changes nothing. Fails with NOT_FOUND and as createWebhook. */
export const updateWebhook = Effect.fnUntraced(function* (id: string, write: WebhookWrite) {
  if (write.url !== undefined) yield* requireTarget(write.url, "url")
  const before = yield* held(id)
  const wanted: Webhook = { ...before, ...write }
  const isSame =
    wanted.url === before.url &&
    wanted.description === before.description &&
    wanted.is_active === before.is_active &&
    wanted.event_types.join() === before.event_types.join()
  if (isSame) return before
  const after: Webhook = {
    ...wanted,
    disabled_reason: wanted.is_active ? null : wanted.disabled_reason,
    // Who switches it on again, or gives it another address, starts afresh.
    failing_since: wanted.is_active && before.is_active && wanted.url === before.url ? wanted.failing_since : null,
    updated_at: changedAt(before.updated_at, yield* now)
  }
  yield* (yield* WebhooksRepo).replace(after)
  return after
})

/** Removes a webhook with its deliveries. Fails with NOT_FOUND. */
export const deleteWebhook = Effect.fnUntraced(function* (id: string) {
  const { organizationId } = yield* Actor
  const removed = yield* (yield* WebhooksRepo).remove(organizationId, id)
  return removed ? id : yield* notFound("webhook", id)
})

/** Gives a webhook a new secret. Deliveries are signed with the one before too, for a while. Fails with NOT_FOUND. */
export const rotateSecret = Effect.fnUntraced(function* (id: string, overlapSeconds: number) {
  const { organizationId } = yield* Actor
  const repo = yield* WebhooksRepo
  const webhook = yield* held(id)
  const at = yield* now
  const until = isoFromMillis(Date.parse(at) + overlapSeconds * 1000)
  const newest = (yield* repo.secrets(organizationId, id)).at(-1)
  const old = newest === undefined || until <= at ? [] : [{ ...newest, validUntil: until }]
  const secret = newSecret()
  yield* repo.setSecrets(organizationId, id, [...old, { secret, validUntil: null }])
  return { webhook, secret }
})

/** Stores a delivery of an event that says nothing but that it is a test. Fails with NOT_FOUND. */
export const testWebhook = Effect.fnUntraced(function* (id: string) {
  const { organizationId, kind, userId } = yield* Actor
  const webhook = yield* getWebhook(id)
  const eventId = yield* (yield* Ids).next("evt")
  const row = yield* newDelivery({
    organization_id: organizationId,
    webhook_id: webhook.webhook_id,
    event_id: eventId,
    event_type: "webhook.test",
    payload: {
      id: eventId,
      type: "webhook.test",
      created_at: yield* now,
      organization_id: organizationId,
      sequence: 0,
      actor: { kind, id: userId },
      subject: { type: "webhook", id },
      data: {}
    }
  })
  yield* (yield* WebhooksRepo).insertDelivery(row)
  return deliveryOf(row)
})

/** Stores a new delivery of what an earlier one delivered. Fails with NOT_FOUND. */
export const redeliver = Effect.fnUntraced(function* (deliveryId: string, webhookId?: string) {
  const { organizationId } = yield* Actor
  const repo = yield* WebhooksRepo
  const earlier = yield* repo.findDelivery(organizationId, deliveryId)
  if (earlier === undefined || (webhookId !== undefined && earlier.webhook_id !== webhookId)) {
    return yield* notFound("delivery", deliveryId)
  }
  const row = { ...(yield* newDelivery(earlier)), redelivery_of: deliveryId }
  yield* repo.insertDelivery(row)
  return deliveryOf(row)
})
