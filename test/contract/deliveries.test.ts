/** From events to receivers, on every store: order, retries, leases, giving up. */

import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { EventType } from "#core/kernel/journal/Event.ts"
import { Journal, Transaction } from "#core/kernel/journal/Journal.ts"
import { Ids, isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { eraseExpired } from "#core/leads/privacy/LeadRetention.ts"
import * as DeliveryWorker from "#core/webhooks/delivery/DeliveryWorker.ts"
import {
  deliver,
  nextAttemptAt,
  retryDelays,
  type WebhookRequest,
  type WebhookResponse,
  WebhookSender
} from "#core/webhooks/delivery/deliver.ts"
import { leaseDue, leaseSeconds, maxConcurrent } from "#core/webhooks/delivery/deliveryRounds.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import * as RetentionWorker from "#core/workspace/retention/RetentionWorker.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { deliverDue } from "../support/deliverDue.ts"
import { organization } from "../support/organization.ts"
import { actor, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const answered = (status: number, retryAfterSeconds: number | null = null): WebhookResponse => ({
  _tag: "Answered",
  status,
  retryAfterSeconds,
  snippet: status >= 400 ? "no thanks" : ""
})

/** A receiver by address, and everything that reached it. */
const receivers = (answers: Readonly<Record<string, (request: WebhookRequest) => Effect.Effect<WebhookResponse>>>) => {
  const got: Array<WebhookRequest> = []
  const sender = WebhookSender.of({
    post: (request) =>
      Effect.suspend(() => {
        got.push(request)
        return answers[request.url]?.(request) ?? Effect.succeed(answered(200))
      })
  })
  const reached = (url: string) => got.filter((request) => request.url === url)
  return { got, reached, sending: Effect.provideService(WebhookSender, sender) }
}

/** Events of an organization as commands would leave them, each on its own subject unless one is named. */
const happen = Effect.fnUntraced(function* (
  organizationId: string,
  events: ReadonlyArray<readonly [EventType, string]>
) {
  const stored = yield* Effect.forEach(events, ([type, id]) =>
    Effect.map(
      Effect.flatMap(Ids, (ids) => ids.next("evt")),
      (eventId) => ({
        id: eventId,
        organizationId,
        type,
        subject: { type: "lead", id },
        data: { lead_id: id },
        actor: { kind: "USER", id: "usr_1" } as const,
        keyId: null,
        createdAt: isoFromMillis(0)
      })
    )
  )
  const journal = yield* Journal
  yield* (yield* Transaction).run(
    journal.append(organizationId, [{ events: stored, audit: undefined, idempotency: undefined }])
  )
  return stored.map(({ id }) => id)
})

const hook = (organizationId: string, url: string, more: object = {}) =>
  Effect.map(ok("webhook.create", { url, ...more }, { actor: actor(organizationId) }), ({ secret, webhook }) => ({
    id: String(webhook.webhook_id),
    secret: String(secret)
  }))

const shown = (organizationId: string, webhook_id: string) =>
  Effect.map(ok("webhook.deliveries", { webhook_id, limit: 100 }, { actor: actor(organizationId) }), ({ deliveries }) =>
    deliveries.toReversed()
  )

const a = "https://a.example/hook"
const b = "https://b.example/hook"

describe("the retry schedule", () => {
  it("keeps the published schedule within a tenth, heeds Retry-After, and ends", () => {
    const at = isoFromMillis(0)
    retryDelays.forEach((delay, index) => {
      const next = Date.parse(nextAttemptAt("whd_1", index + 1, at, null) ?? "")
      assert.isTrue(next >= delay * 900 && next <= delay * 1_100, `${delay}: ${next}`)
    })
    assert.isNull(nextAttemptAt("whd_1", retryDelays.length + 1, at, null))
    assert.strictEqual(nextAttemptAt("whd_1", 1, at, 120), isoFromMillis(120_000))
    assert.strictEqual(nextAttemptAt("whd_1", 1, at, 9_999_999), isoFromMillis(86_400_000))
    assert.notStrictEqual(nextAttemptAt("whd_1", 4, at, null), nextAttemptAt("whd_2", 4, at, null))
  })
})

eachBackend("webhook deliveries", (layer) =>
  it.layer(layer)((it) => {
    it.effect("tell each webhook of what happened since it was made, once, in order, by its types", () =>
      Effect.gen(function* () {
        const { reached, sending } = receivers({})
        yield* happen("org_1", [["lead.created", "ld_0"]])
        const all = yield* hook("org_1", a)
        yield* hook("org_1", b, { event_types: ["lead.replied"] })
        yield* hook("org_other", "https://other.example/")
        const ids = yield* happen("org_1", [
          ["lead.created", "ld_1"],
          ["lead.replied", "ld_2"],
          ["lead.updated", "ld_3"]
        ])
        const round = sending(deliverDue({ organizationId: "org_1" }))
        assert.strictEqual(yield* round, 4)
        assert.strictEqual(yield* round, 0)
        assert.deepStrictEqual(
          reached(a)
            .map(({ messageId }) => messageId)
            .sort(),
          [...ids].sort()
        )
        assert.deepStrictEqual(
          reached(b).map(({ messageId }) => messageId),
          [ids[1] ?? ""]
        )
        const body: unknown = JSON.parse(reached(a)[0]?.body ?? "")
        assert.hasAllKeys(body, ["id", "type", "created_at", "organization_id", "sequence", "actor", "subject", "data"])
        assert.deepInclude(Object(body), { organization_id: "org_1", actor: { kind: "USER", id: "usr_1" } })
        assert.deepStrictEqual(reached(a)[0]?.secrets.map(Redacted.value), [all.secret])
        const deliveries = yield* shown("org_1", all.id)
        assert.deepStrictEqual(
          deliveries.map((row: { state: string; attempts: number }) => [row.state, row.attempts]),
          [
            ["delivered", 1],
            ["delivered", 1],
            ["delivered", 1]
          ]
        )
      })
    )

    it.effect("are created for the webhook first that is furthest behind, then in the order of ids", () =>
      Effect.gen(function* () {
        const organizationId = "org_behind"
        const urls = Array.from({ length: 6 }, (_, n) => `https://behind.example/${n}`)
        const [last, ...ids] = (yield* Effect.forEach(urls, (url) => hook(organizationId, url))).map(({ id }) => id)
        yield* happen(organizationId, [["lead.created", "ld_1"]])
        const { insertDeliveries, pending } = yield* WebhooksRepo
        yield* insertDeliveries(organizationId, last ?? "", 1, [])
        yield* happen(organizationId, [["lead.created", "ld_2"]])
        assert.deepStrictEqual(yield* pending(organizationId, 100), [...ids, last ?? ""])
      })
    )

    it.effect("hold back what follows on a subject until it is over, and nothing else", () =>
      Effect.gen(function* () {
        let isUp = false
        const first = new Set<string>()
        const { reached, sending } = receivers({
          [a]: ({ messageId }) => Effect.sync(() => answered(isUp || !first.has(messageId) ? 200 : 500))
        })
        const { id } = yield* hook("org_2", a)
        yield* hook("org_2", b)
        const [one = "", two = "", three = ""] = yield* happen("org_2", [
          ["lead.created", "ld_1"],
          ["lead.updated", "ld_1"],
          ["lead.created", "ld_2"]
        ])
        first.add(one)
        const round = sending(deliverDue({ organizationId: "org_2" }))
        yield* round
        yield* round
        assert.deepStrictEqual(
          reached(a)
            .map(({ messageId }) => messageId)
            .sort(),
          [one, three].sort()
        )
        assert.deepStrictEqual(
          reached(b)
            .map(({ messageId }) => messageId)
            .sort(),
          [one, two, three].sort()
        )
        const [failing, waiting] = yield* shown("org_2", id)
        assert.deepInclude(failing, { state: "pending", attempts: 1, response_status: 500 })
        assert.match(failing.last_error, /returned 500\. Response: no thanks/)
        assert.deepInclude(waiting, { state: "pending", attempts: 0, next_attempt_at: null })
        isUp = true
        yield* TestClock.adjust("6 seconds")
        yield* round
        yield* round
        assert.deepStrictEqual(
          reached(a)
            .map(({ messageId }) => messageId)
            .slice(2),
          [one, two]
        )
      })
    )

    it.effect("are tried on the schedule with one message id, and end failed", () =>
      Effect.gen(function* () {
        const { got, sending } = receivers({ [a]: () => Effect.succeed(answered(503)) })
        const { id } = yield* hook("org_3", a)
        const [event] = yield* happen("org_3", [["lead.created", "ld_1"]])
        const began = yield* Clock.currentTimeMillis
        const round = sending(deliverDue({ organizationId: "org_3" }))
        yield* round
        for (const delay of retryDelays) {
          yield* TestClock.adjust(delay * 890)
          yield* round
          const before = got.length
          yield* TestClock.adjust(delay * 220)
          yield* round
          assert.strictEqual(got.length, before + 1, `after ${delay} s`)
        }
        assert.strictEqual(got.length, 10)
        assert.deepStrictEqual([...new Set(got.map(({ messageId }) => messageId))], [event])
        assert.strictEqual(new Set(got.map(({ body }) => body)).size, 1)
        assert.isTrue(got.every(({ sentAt }, index) => index === 0 || sentAt > (got[index - 1]?.sentAt ?? 0)))
        const [delivery] = yield* shown("org_3", id)
        assert.deepInclude(delivery, { state: "failed", attempts: 10, next_attempt_at: null, response_status: 503 })
        assert.deepStrictEqual(
          delivery.tries.map((one: { response_status: number }) => one.response_status),
          Array.from({ length: 10 }, () => 503)
        )
        assert.isAbove(Date.parse(delivery.tries[9].at), began)
      })
    )

    it.effect("leave a receiver alone for as long as it asks, and start afresh when it answers", () =>
      Effect.gen(function* () {
        let next = answered(429, 600)
        const { got, sending } = receivers({ [a]: () => Effect.sync(() => next) })
        const { id } = yield* hook("org_4", a)
        yield* happen("org_4", [["lead.created", "ld_1"]])
        const round = sending(deliverDue({ organizationId: "org_4" }))
        yield* round
        yield* TestClock.adjust("590 seconds")
        yield* round
        assert.lengthOf(got, 1)
        const failing = yield* ok("webhook.get", { webhook_id: id }, { actor: actor("org_4") })
        assert.isNotNull(failing.webhook.failing_since)
        next = answered(204)
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* round, 1)
        const { webhook } = yield* ok("webhook.get", { webhook_id: id }, { actor: actor("org_4") })
        assert.deepInclude(webhook, { failing_since: null, is_active: true })
      })
    )

    it.effect("disable a webhook after five days of failures, and tell the others", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_5") }
        let isUp = false
        const { reached, sending } = receivers({ [a]: () => Effect.sync(() => answered(isUp ? 200 : 500)) })
        const { id } = yield* hook("org_5", a)
        yield* hook("org_5", b, { event_types: ["webhook.disabled"] })
        const round = sending(deliverDue({ organizationId: "org_5" }))
        for (let day = 0; day < 5; day++) {
          yield* happen("org_5", [["lead.created", `ld_${day}`]])
          yield* round
          yield* TestClock.adjust("23 hours")
          yield* round
          assert.isTrue((yield* ok("webhook.get", { webhook_id: id }, owner)).webhook.is_active, `day ${day}`)
          yield* TestClock.adjust("1 hour")
        }
        yield* happen("org_5", [["lead.created", "ld_last"]])
        yield* round
        const { webhook } = yield* ok("webhook.get", { webhook_id: id }, owner)
        assert.isFalse(webhook.is_active)
        assert.match(webhook.disabled_reason, /^All requests have failed since /)
        yield* round
        const told = reached(b).map(({ body }) => JSON.parse(body))
        assert.lengthOf(told, 1)
        assert.deepInclude(told[0], { type: "webhook.disabled", subject: { type: "webhook", id } })
        const before = reached(a).length
        yield* TestClock.adjust("3 days")
        yield* round
        assert.strictEqual(reached(a).length, before, "a disabled webhook gets nothing")
        isUp = true
        yield* ok("webhook.update", { webhook_id: id, is_active: true }, owner)
        yield* round
        yield* round
        assert.isAbove(reached(a).length, before, "what waited is delivered")
        assert.isFalse(reached(a).some(({ body }) => body.includes("webhook.disabled")))
        assert.isNull((yield* ok("webhook.get", { webhook_id: id }, owner)).webhook.disabled_reason)
      })
    )

    it.effect("disable at once what answers 410, and go on with what a paused webhook missed", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_6") }
        const { reached, sending } = receivers({ [a]: () => Effect.succeed(answered(410)) })
        const { id } = yield* hook("org_6", a)
        const paused = yield* hook("org_6", b, { is_active: false, event_types: ["lead.created"] })
        yield* happen("org_6", [["lead.created", "ld_1"]])
        const round = sending(deliverDue({ organizationId: "org_6" }))
        assert.strictEqual(yield* round, 0)
        const { webhook } = yield* ok("webhook.get", { webhook_id: id }, owner)
        assert.deepInclude(webhook, { is_active: false, disabled_reason: "The receiver returned 410 Gone." })
        assert.deepInclude((yield* shown("org_6", id))[0], { state: "failed", attempts: 1 })
        assert.lengthOf(reached(b), 0)
        yield* ok("webhook.update", { webhook_id: paused.id, is_active: true }, owner)
        assert.strictEqual(yield* round, 1)
      })
    )

    it.effect("sign with both secrets while a rotation overlaps, and with the new one after", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_7") }
        const { got, sending } = receivers({})
        const { id, secret } = yield* hook("org_7", a)
        const rotated = yield* ok("webhook.rotate-secret", { webhook_id: id, overlap_seconds: 60 }, owner)
        const test = Effect.andThen(
          ok("webhook.test", { webhook_id: id }, owner),
          sending(deliverDue({ organizationId: "org_7" }))
        )
        assert.strictEqual(yield* test, 1)
        assert.deepStrictEqual(got[0]?.secrets.map(Redacted.value), [secret, rotated.secret])
        yield* TestClock.adjust("61 seconds")
        assert.strictEqual(yield* test, 1)
        assert.deepStrictEqual(got[1]?.secrets.map(Redacted.value), [rotated.secret])
        assert.notInclude(JSON.stringify(got), secret)
        const [first] = yield* shown("org_7", id)
        yield* ok("webhook.redeliver", { delivery_id: first.delivery_id }, owner)
        assert.strictEqual(yield* sending(deliverDue({ organizationId: "org_7" })), 1)
        assert.strictEqual(got[2]?.messageId, got[0]?.messageId)
        assert.strictEqual(got[2]?.body, got[0]?.body)
      })
    )

    it.effect("are taken over from a killed worker when its lease ends, under the same id, and recorded once", () =>
      Effect.gen(function* () {
        const { got, sending } = receivers({})
        const { id } = yield* hook("org_8", a)
        yield* happen("org_8", [["lead.created", "ld_1"]])
        // The first worker is killed before it sends anything; the second after its request went out.
        yield* Effect.asVoid(sending(deliverDue({ organizationId: "org_8", limit: 0 })))
        const [dead] = yield* leaseDue(8, "org_8")
        assert.strictEqual(dead?.row.attempts, 1)
        assert.lengthOf(yield* leaseDue(8, "org_8"), 0)
        yield* TestClock.adjust((leaseSeconds + 1) * 1_000)
        const killed = yield* Effect.forkChild(
          Effect.provideService(
            deliverDue({ organizationId: "org_8" }),
            WebhookSender,
            WebhookSender.of({
              post: (request) =>
                Effect.andThen(
                  Effect.sync(() => got.push(request)),
                  Effect.never
                )
            })
          )
        )
        // The request is on its way before the worker dies.
        while (got.length === 0) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* Fiber.interrupt(killed)
        assert.strictEqual(yield* sending(deliverDue({ organizationId: "org_8" })), 0)
        yield* TestClock.adjust((leaseSeconds + 1) * 1_000)
        assert.strictEqual(yield* sending(deliverDue({ organizationId: "org_8" })), 1)
        assert.lengthOf(got, 2)
        assert.strictEqual(got[0]?.messageId, got[1]?.messageId)
        if (dead === undefined) return assert.fail("nothing was taken")
        assert.isFalse(yield* sending(deliver(dead)), "an old lease records nothing")
        const [delivery, ...others] = yield* shown("org_8", id)
        assert.lengthOf(others, 0)
        assert.deepInclude(delivery, { state: "delivered", attempts: 3 })
        assert.lengthOf(delivery.tries, 1)
      })
    )

    it.effect("are shared by several workers, each delivery by one, and no receiver takes all places", () =>
      Effect.gen(function* () {
        const slow = "https://slow.example/"
        const { got, reached, sending } = receivers({ [slow]: () => Effect.never })
        for (const url of [slow, a, b]) yield* hook("org_9", url)
        yield* happen(
          "org_9",
          Array.from({ length: 60 }, (_, index) => ["lead.created", `ld_${index}`] as const)
        )
        const worker = sending(
          Effect.ignore(Effect.repeat(deliverDue({ organizationId: "org_9", limit: 24 }), { times: 40 }))
        )
        const hanging = yield* Effect.forkChild(sending(deliverDue({ organizationId: "org_9" })))
        while (reached(slow).length < maxConcurrent.perWebhook) {
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        }
        yield* Effect.all([worker, worker, worker], { concurrency: "unbounded" })
        assert.strictEqual(reached(slow).length, maxConcurrent.perWebhook)
        for (const url of [a, b]) {
          const ids = reached(url).map(({ messageId }) => messageId)
          assert.strictEqual(ids.length, 60, url)
          assert.strictEqual(new Set(ids).size, 60, url)
        }
        assert.isAbove(got.length, 120)
        yield* Fiber.interrupt(hanging)
      })
    )

    it.effect("never cross organizations", () =>
      Effect.gen(function* () {
        const { got, sending } = receivers({})
        const mine = yield* hook("org_10", a)
        yield* hook("org_11", b)
        yield* happen("org_10", [["lead.created", "ld_secret"]])
        yield* sending(deliverDue({ organizationId: "org_11" }))
        assert.lengthOf(got, 0)
        yield* sending(deliverDue({ organizationId: "org_10" }))
        assert.deepStrictEqual(
          got.map(({ url }) => url),
          [a]
        )
        yield* ok("webhook.delete", { webhook_id: mine.id }, { actor: actor("org_10") })
        yield* happen("org_10", [["lead.created", "ld_after"]])
        assert.strictEqual(yield* sending(deliverDue({ organizationId: "org_10" })), 0)
      })
    )

    it.effect("are forgotten a month after they were over, some at a time, and never before", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_12") }
        // What earlier tests left is out of the way.
        yield* TestClock.adjust("31 days")
        yield* deleteOldRows("org_12")
        const { sending } = receivers({ [b]: () => Effect.succeed(answered(410)) })
        const taken = yield* hook("org_12", a, { event_types: ["lead.created"] })
        const refused = yield* hook("org_12", b)
        const waiting = yield* hook("org_12", "https://c.example/", { is_active: false })
        yield* happen("org_12", [
          ["lead.created", "ld_1"],
          ["lead.created", "ld_2"]
        ])
        yield* ok("webhook.test", { webhook_id: waiting.id }, owner)
        const round = sending(deliverDue({ organizationId: "org_12" }))
        yield* round
        const states = (id: string) =>
          Effect.map(shown("org_12", id), (rows) => rows.map(({ state }: { state: string }) => state))
        assert.deepStrictEqual(yield* states(taken.id), ["delivered", "delivered"])
        assert.include(yield* states(refused.id), "failed")
        yield* TestClock.adjust("10 days")
        const [first] = yield* shown("org_12", taken.id)
        yield* ok("webhook.redeliver", { delivery_id: first.delivery_id }, owner)
        yield* round
        yield* TestClock.adjust("20 days")
        assert.isUndefined((yield* deleteOldRows("org_12")).deliveries, "after exactly 30 days")
        yield* TestClock.adjust("1 milli")
        const before = isoFromMillis((yield* Clock.currentTimeMillis) - 30 * 86_400_000)
        const repo = yield* Workspaces
        assert.deepStrictEqual(yield* repo.deleteBefore("org_12", "deliveries", before, 1), { count: 1, isMore: true })
        assert.isAbove((yield* deleteOldRows("org_12")).deliveries ?? 0, 1)
        assert.deepStrictEqual(yield* states(taken.id), ["delivered"], "the one that was sent again")
        assert.notInclude(yield* states(refused.id), "failed")
        assert.deepStrictEqual(yield* states(waiting.id), ["pending"], "what was not delivered stays")
        // What is forgotten is not told of again.
        yield* round
        assert.deepStrictEqual(yield* states(taken.id), ["delivered"])
        const again = yield* Effect.exit(ok("webhook.redeliver", { delivery_id: first.delivery_id }, owner))
        assert.strictEqual(again._tag, "Failure")
      })
    )

    it.effect("are delivered, and forgotten in time, by a worker that nobody asks", () =>
      Effect.gen(function* () {
        const { reached, sending } = receivers({})
        yield* organization("org_13")
        const { id } = yield* hook("org_13", a)
        yield* happen("org_13", [["lead.created", "ld_1"]])
        /** Lets a worker run until what is shown is this. */
        const until = (state: ReadonlyArray<string>, step: Duration.Input) =>
          Effect.gen(function* () {
            yield* sending(Layer.build(Layer.merge(DeliveryWorker.layer, RetentionWorker.layer(eraseExpired))))
            for (let look = 0; look < 200; look++) {
              const rows = yield* shown("org_13", id)
              if (rows.map((row: { state: string }) => row.state).join() === state.join()) return look
              yield* TestClock.adjust(step)
              yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
            }
            return assert.fail(`never ${state.join() || "forgotten"}`)
          }).pipe(Effect.scoped)
        yield* until(["delivered"], "1 second")
        yield* TestClock.adjust(30 * 86_400_000 - 3_600_000)
        assert.isAtLeast(yield* until([], "10 minutes"), 6, "in a later round, not in the first")
        assert.lengthOf(reached(a), 1)
      })
    )
  })
)
