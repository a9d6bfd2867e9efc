/**
 * Signs and sends one delivery, and records the outcome.
 *
 * At least once: if a process dies between the receiver's response and its recording, another process sends the delivery
 * again under the same id.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { appendOwn } from "../../kernel/background/Worker.ts"
import { type Journal, Transaction } from "../../kernel/journal/Journal.ts"
import { sha256Hex } from "../../kernel/schema/Hash.ts"
import { changedAt, type DeliveryId, type Ids, isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import { countDelivery } from "../../kernel/telemetry/instruments.ts"
import { type DeliveryRow, type LeasedDelivery, type Webhook, WebhooksRepo } from "../WebhooksRepo.ts"

/** Seconds to wait after the first failure, the second, and so on: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const retryDelays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** Maximum Retry-After that is respected, in seconds. */
const maxRetryAfter = 86_400

/** How long a webhook may fail without a success before it is disabled, in milliseconds. */
const maxFailingMillis = 5 * 86_400_000

/** A number from 0 to below 1, always the same for a text: it varies the delays in a predictable way. */
const shareOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16) / 2 ** 32

/**
 * When to retry after `attempts` requests, the last of which failed at `at`; null after the last attempt. Delays vary by
 * up to 10 % either way, and are at least the receiver's Retry-After.
 */
export const nextAttemptAt = (
  deliveryId: DeliveryId,
  attempts: number,
  at: string,
  retryAfterSeconds: number | null
): string | null => {
  const delay = retryDelays[attempts - 1]
  if (delay === undefined) return null
  const varied = delay * (0.9 + 0.2 * shareOf(`${deliveryId}/${attempts}`))
  const requested = Math.min(retryAfterSeconds ?? 0, maxRetryAfter)
  return isoFromMillis(Date.parse(at) + Math.round(Math.max(varied, requested) * 1_000))
}

// Sends signed requests to receivers: the port.
//
// An implementation signs according to the Standard Webhooks specification, checks the resolved address before it
// connects, follows no redirects, and always ends within its time limit.

/** A request to sign and send. */
export interface WebhookRequest {
  readonly url: string
  /** Sent as webhook-id: the same for every attempt. */
  readonly messageId: string
  /** Milliseconds since 1970, sent as webhook-timestamp. */
  readonly sentAt: number
  readonly body: string
  /** Every valid secret, oldest first: each adds a signature. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The outcome of a request. Its texts are for people and contain no secrets. */
export type WebhookResponse =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly retryAfterSeconds: number | null
      /** The beginning of a refusal's body, on one line; empty when it may not be shown. */
      readonly snippet: string
    }
  | { readonly _tag: "Unanswered"; readonly reason: string }

/** Sends requests. Never fails: an error is a response too. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly post: (request: WebhookRequest) => Effect.Effect<WebhookResponse> }
>()("@svc/core/webhooks/WebhookSender") {}

/** The services that delivering needs. */
export type DeliverNeeds = Ids | Journal | Transaction | WebhooksRepo | WebhookSender

const isSuccess = (answer: WebhookResponse): boolean =>
  answer._tag === "Answered" && answer.status >= 200 && answer.status < 300

const isGone = (answer: WebhookResponse): boolean => answer._tag === "Answered" && answer.status === 410

/** What went wrong, for people; empty after a success. */
const problemOf = (answer: WebhookResponse): string => {
  if (answer._tag === "Unanswered") return answer.reason
  if (isSuccess(answer)) return ""
  const redirect = answer.status >= 300 && answer.status < 400 ? " Redirects are not followed: update the URL." : ""
  const said = answer.snippet === "" ? "" : ` Response: ${answer.snippet}`
  return `The receiver returned ${answer.status}.${redirect}${said}`
}

/** The delivery after a request that ran from `began` to `ended`, in milliseconds. */
const afterTry = (row: DeliveryRow, answer: WebhookResponse, began: number, ended: number): DeliveryRow => {
  const at = isoFromMillis(ended)
  const status = answer._tag === "Answered" ? answer.status : null
  const retryAfter = answer._tag === "Answered" ? answer.retryAfterSeconds : null
  const next = isSuccess(answer) || isGone(answer) ? null : nextAttemptAt(row.delivery_id, row.attempts, at, retryAfter)
  return {
    ...row,
    state: isSuccess(answer) ? "delivered" : next === null ? "failed" : "pending",
    tries: [...row.tries, { at: isoFromMillis(began), duration_ms: ended - began, response_status: status }],
    next_attempt_at: next,
    response_status: status,
    last_error: problemOf(answer),
    delivered_at: isSuccess(answer) ? at : null
  }
}

const disabled = (webhook: Webhook, reason: string, at: string): Webhook => ({
  ...webhook,
  is_active: false,
  disabled_reason: reason,
  updated_at: changedAt(webhook.updated_at, at)
})

/** The webhook after a request: since when it fails, or disabled. */
const afterAnswer = (webhook: Webhook, answer: WebhookResponse, at: string): Webhook => {
  if (isSuccess(answer)) return webhook.failing_since === null ? webhook : { ...webhook, failing_since: null }
  const failing = { ...webhook, failing_since: webhook.failing_since ?? at }
  if (!webhook.is_active) return failing
  if (isGone(answer)) return disabled(failing, "The receiver returned 410 Gone.", at)
  const since = Date.parse(failing.failing_since)
  return Date.parse(at) - since >= maxFailingMillis
    ? disabled(failing, `All requests have failed since ${failing.failing_since}.`, at)
    : failing
}

/** Emits webhook.disabled, for the other webhooks. */
const emitDisabled = ({ disabled_reason: reason, organization_id, webhook_id: id }: Webhook, at: string) => {
  const data = { webhook_id: id, reason }
  return appendOwn(organization_id, [{ type: "webhook.disabled", subject: { type: "webhook", id }, data }], at)
}

const recordTry = Effect.fnUntraced(function* (row: DeliveryRow, fence: number, answer: WebhookResponse, at: string) {
  const webhooks = yield* WebhooksRepo
  const webhook = yield* webhooks.hold(row.organization_id, row.webhook_id)
  if (webhook === undefined) return false
  if (!(yield* webhooks.recordDelivery(row, fence, at))) return false
  const after = afterAnswer(webhook, answer, at)
  if (after === webhook) return true
  yield* webhooks.replace(after)
  if (webhook.is_active && !after.is_active) yield* emitDisabled(after, at)
  return true
})

/**
 * Sends a leased delivery and records the outcome; returns whether it was delivered. Fails with UNAVAILABLE if the outcome
 * could not be stored; the delivery is then sent again when its lease expires.
 */
export const deliver = Effect.fnUntraced(function* ({ fence, row, secrets, url }: LeasedDelivery) {
  const began = yield* Clock.currentTimeMillis
  const at = isoFromMillis(began)
  const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > at)
  // None is left where the deployment key was lost. Nothing is sent unsigned.
  const answer =
    valid.length === 0
      ? ({ _tag: "Unanswered", reason: "The signing secret cannot be decrypted. Rotate it." } as const)
      : yield* (yield* WebhookSender).post({
          url,
          messageId: row.event_id,
          sentAt: began,
          body: JSON.stringify(row.payload),
          secrets: valid.map(({ secret }) => Redacted.make(secret, { label: "webhook secret" }))
        })
  const after = afterTry(row, answer, began, yield* Clock.currentTimeMillis)
  yield* countDelivery(after.state === "pending" ? "retried" : after.state)
  const recorded = yield* (yield* Transaction).run(recordTry(after, fence, answer, yield* now))
  return recorded && after.state === "delivered"
})
