/** Messages of unknown outcome, settled by reading the conversation. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { dispatchDue, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { ConversationMessage } from "#core/outreach/provider/ProviderReads.ts"
import { findSent } from "#core/outreach/transmit.ts"
import { ok } from "../../support/World.ts"
import { agents, draftFor, eventTypes, linkedInWorld, read, send, sent, stored, taken } from "./linkedInWorld.ts"

/** A provider that took every message and cannot show one. */
const forgetful = Layer.effect(
  LinkedInGateway,
  Effect.map(LinkedInGateway, (gateway) => ({
    ...gateway,
    listMessages: () => Effect.succeed({ messages: [], next: null })
  }))
)

describe("A message of unknown outcome", () => {
  it.effect("was sent when the conversation shows it, and is never sent again", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("kim-unknown")
      yield* send(draft)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* settleUnknown(), 0, "not before a minute has passed")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* settleUnknown(), 1)
      const after = yield* read(draft)
      assert.strictEqual(after.status, "DISPATCHED")
      const { attempts, items, messages } = yield* stored
      assert.deepStrictEqual([items[0]?.state, attempts[0]?.outcome], ["sent", "confirmed"])
      assert.strictEqual(messages[0]?.externalId, after.dispatched_external_message_id)
      assert.strictEqual(messages[0]?.date, attempts[0]?.startedAt, "the provider's own instant")
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* dispatchDue()) + (yield* settleUnknown()), 0)
      assert.lengthOf(yield* taken, 1)
      const told = ["draft.dispatch_unknown", "draft.dispatched", "message.sent"]
      assert.deepStrictEqual(yield* eventTypes("draft.dispatch", "message."), told)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("stays unknown when it is not found; looks get rarer and end after two weeks", () =>
    Effect.gen(function* () {
      yield* agents()
      yield* send(yield* draftFor("kim-unknown"))
      const looks: Array<number> = []
      let before = (yield* stored).items[0]?.notBefore
      for (let minute = 1; minute <= 16 * 24 * 60; minute += 1) {
        yield* TestClock.adjust("1 minute")
        if (before === null || before === undefined) break
        if (Date.parse(before) > minute * 60_000) continue
        assert.strictEqual(yield* settleUnknown().pipe(Effect.provide(forgetful)), 0)
        looks.push(minute)
        before = (yield* stored).items[0]?.notBefore
      }
      assert.deepStrictEqual(looks.slice(0, 5), [1, 2, 4, 8, 16])
      assert.isBelow(looks.length, 30)
      const [item] = (yield* stored).items
      assert.deepInclude(item, { state: "ambiguous", notBefore: null })
      assert.lengthOf(yield* taken, 1)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("is not taken for the same words of another draft", () =>
    Effect.gen(function* () {
      yield* agents()
      const first = yield* draftFor("kim-unknown")
      yield* send(first)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* settleUnknown(), 1)
      const lead = (yield* read(first)).lead.lead_id
      const { draft } = yield* ok<{ draft: typeof first }>("linkedin.draft.create", {
        lead_id: lead,
        variations: ["Hello kim-unknown"]
      })
      yield* send(draft)
      // The provider has it as well, but shows the first alone.
      const partial = Layer.effect(
        LinkedInGateway,
        Effect.map(LinkedInGateway, (gateway) => ({
          ...gateway,
          listMessages: (...args: Parameters<typeof gateway.listMessages>) =>
            Effect.map(gateway.listMessages(args[0], { ...args[1], since: "1970-01-01T00:00:00.000Z" }), (page) => ({
              ...page,
              messages: page.messages.slice(0, 1)
            }))
        }))
      )
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* settleUnknown().pipe(Effect.provide(partial)), 0)
      assert.strictEqual((yield* read(draft)).status, "READY_TO_SEND")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("may be settled by a person meanwhile", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("kim-unknown")
      yield* send(draft)
      const [item] = (yield* stored).items
      yield* ok("linkedin.queue.resolve", { queue_id: item?.id, outcome: "not_sent" })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* settleUnknown(), 0)
      assert.strictEqual((yield* read(draft)).status, "PENDING_REVIEW")
      assert.strictEqual((yield* sent(yield* draftFor("grace"))).draft.status, "DISPATCHED")
    }).pipe(Effect.provide(linkedInWorld))
  )
})

describe("findSent", () => {
  const message = (change: Partial<ConversationMessage>): ConversationMessage => ({
    messageId: "m1",
    externalId: null,
    chatId: "c1",
    direction: "outbound",
    sender: null,
    text: "Hi  Ada,\r\nhow are you? ",
    at: "2026-01-01T10:00:00.000Z",
    ...change
  })
  const missing = {
    text: "Hi Ada,\nhow are you?",
    startedAt: "2026-01-01T10:00:30.000Z",
    others: new Set(["m9", "x9"])
  }

  it("finds our own words, whatever became of white space, from a minute before on", () => {
    assert.strictEqual(findSent([message({})], missing)?.messageId, "m1")
    assert.isUndefined(findSent([message({ at: "2026-01-01T09:59:29.000Z" })], missing), "too early")
    assert.isUndefined(findSent([message({ direction: "inbound" })], missing), "theirs")
    assert.isUndefined(findSent([message({ text: "Hi Ada" })], missing), "other words")
    assert.isUndefined(findSent([message({ text: null })], missing), "no words")
    assert.isUndefined(findSent([message({ messageId: "m9" })], missing), "another draft's")
    assert.isUndefined(findSent([message({ externalId: "x9" })], missing), "another draft's")
  })
})
