/**
 * One delivery: signed, sent, and what became of it recorded.
 *
 * At least once: a process that dies after the receiver answered and before that is stored leaves the delivery to the
 * next one, which sends it again under the same id. Source: G34.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Failure } from "../../Failure.ts"
import { Ids } from "../../Ids.ts"
import { deliveryTried } from "../../instruments.ts"
import { Journal } from "../../Journal.ts"
import { changedAt, isoFromMillis, now } from "../../Time.ts"
import { Transaction } from "../../Transaction.ts"
import type { DeliveryRow, Webhook } from "../Webhook.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { DeliveriesRepo, type TakenDelivery } from "./DeliveriesRepo.ts"
import { longestFailing, nextTryAt } from "./retrySchedule.ts"
import { type WebhookAnswer, WebhookSender } from "./WebhookSender.ts"

/** What delivering needs. */
export type DeliverNeeds = DeliveriesRepo | Ids | Journal | Transaction | WebhooksRepo | WebhookSender

const isSuccess = (answer: WebhookAnswer): boolean =>
  answer._tag === "Answered" && answer.status >= 200 && answer.status < 300

const isGone = (answer: WebhookAnswer): boolean => answer._tag === "Answered" && answer.status === 410

/** What went wrong, for a person. */
const problemOf = (answer: WebhookAnswer): string => {
  if (answer._tag === "Unanswered") return answer.reason
  if (isSuccess(answer)) return ""
  const redirect = answer.status >= 300 && answer.status < 400 ? " Redirects are not followed: change the address." : ""
  const said = answer.snippet === "" ? "" : ` It said: ${answer.snippet}`
  return `The receiver answered ${answer.status}.${redirect}${said}`
}

/** The delivery after a request that began and ended at these milliseconds. */
const afterTry = (row: DeliveryRow, answer: WebhookAnswer, began: number, ended: number): DeliveryRow => {
  const at = isoFromMillis(ended)
  const status = answer._tag === "Answered" ? answer.status : null
  const retryAfter = answer._tag === "Answered" ? answer.retryAfterSeconds : null
  const next = isSuccess(answer) || isGone(answer) ? null : nextTryAt(row.delivery_id, row.attempts, at, retryAfter)
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

/** The webhook after a request: failing for how long, or disabled. */
const afterAnswer = (webhook: Webhook, answer: WebhookAnswer, at: string): Webhook => {
  if (isSuccess(answer)) return webhook.failing_since === null ? webhook : { ...webhook, failing_since: null }
  const failing = { ...webhook, failing_since: webhook.failing_since ?? at }
  if (!webhook.is_active) return failing
  if (isGone(answer)) return disabled(failing, "The receiver answered 410 Gone.", at)
  const since = Date.parse(failing.failing_since)
  return Date.parse(at) - since >= longestFailing
    ? disabled(failing, `Every request failed since ${failing.failing_since}.`, at)
    : failing
}

/** Tells everybody else that a webhook gets nothing any more. */
const announceDisabled = Effect.fnUntraced(function* (webhook: Webhook, at: string) {
  const id = yield* (yield* Ids).next("evt")
  const event = {
    id,
    organizationId: webhook.organization_id,
    type: "webhook.disabled",
    subject: { type: "webhook", id: webhook.webhook_id },
    data: { webhook_id: webhook.webhook_id, reason: webhook.disabled_reason },
    actor: { kind: "SYSTEM", id: "dispatcher" },
    createdAt: at
  } as const
  yield* (yield* Journal).append({ events: [event], audit: undefined, idempotency: undefined })
})

const recordTry = Effect.fnUntraced(function* (row: DeliveryRow, fence: number, answer: WebhookAnswer, at: string) {
  const webhooks = yield* WebhooksRepo
  const webhook = yield* webhooks.hold(row.organization_id, row.webhook_id)
  if (webhook === undefined) return false
  if (!(yield* (yield* DeliveriesRepo).record(row, fence, at))) return false
  const after = afterAnswer(webhook, answer, at)
  if (after === webhook) return true
  yield* webhooks.replace(after)
  if (webhook.is_active && !after.is_active) yield* announceDisabled(after, at)
  return true
})

/**
 * Sends what was taken and records the outcome; answers whether the receiver took it. Fails with UNAVAILABLE when the
 * outcome could not be stored: then the delivery is sent again when its lease has ended.
 */
export const deliver = Effect.fnUntraced(function* ({
  fence,
  row,
  secrets,
  url
}: TakenDelivery): Effect.fn.Return<boolean, Failure, DeliverNeeds> {
  const began = yield* Clock.currentTimeMillis
  const at = isoFromMillis(began)
  const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > at)
  const answer = yield* (yield* WebhookSender).post({
    url,
    messageId: row.event_id,
    sentAt: began,
    body: JSON.stringify(row.payload),
    secrets: valid.map(({ secret }) => Redacted.make(secret, { label: "webhook secret" }))
  })
  const after = afterTry(row, answer, began, yield* Clock.currentTimeMillis)
  yield* deliveryTried(after.state === "pending" ? "retried" : after.state)
  const recorded = yield* (yield* Transaction).run(recordTry(after, fence, answer, yield* now))
  return recorded && after.state === "delivered"
})
