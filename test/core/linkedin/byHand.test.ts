/** The queue of a deployment whose people send by hand. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { LinkedInDraft } from "#core/outreach/LinkedInDraft.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { manualGatewayLayer } from "#core/outreach/provider/LinkedInGateway.ts"
import { commands, make, ok } from "../../support/World.ts"
import { agents, draftFor, linkedInWorld, read, sent, stored } from "./linkedInWorld.ts"

interface Item {
  readonly queue_id: string
  readonly state: string
  readonly reason: string | null
  readonly not_before: string | null
}

const listed = ok<{ items: ReadonlyArray<Item> }>("linkedin.queue.list", {})

const byHand = make({ backend: "memory", gateway: manualGatewayLayer })

describe("Sending by hand", () => {
  it.effect("keeps what was approved until somebody says that it was sent", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("grace")
      yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
      for (let hour = 0; hour < 48; hour++) {
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* dispatchDue(), 0)
      }
      const [item] = (yield* listed).items
      assert.deepInclude(item, { state: "queued", reason: "by_hand", not_before: null })
      assert.deepStrictEqual((yield* stored).attempts, [], "no try was made")
      const input = { queue_id: item?.queue_id, outcome: "sent", external_message_id: "urn:li:msg:1" }
      const settled = yield* ok<{ draft: LinkedInDraft }>("linkedin.queue.resolve", input)
      assert.strictEqual(settled.draft.status, "DISPATCHED")
      assert.strictEqual((yield* stored).messages[0]?.externalId, "urn:li:msg:1")
      assert.deepStrictEqual((yield* listed).items, [])
    }).pipe(Effect.provide(byHand))
  )

  it.effect("queues send_now, once", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("grace")
      const first = yield* sent(draft)
      const again = yield* sent(draft)
      assert.strictEqual(first.dispatch_result?.["status"], "queued")
      assert.deepStrictEqual(again.dispatch_result, first.dispatch_result)
      assert.strictEqual((yield* read(draft)).status, "READY_TO_SEND")
      assert.lengthOf((yield* stored).items, 1)
    }).pipe(Effect.provide(byHand))
  )

  it.effect("hands over to a gateway that is chosen later", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("grace")
      yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id }).pipe(
        Effect.provide(commands),
        Effect.provide(manualGatewayLayer)
      )
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual(yield* dispatchDue(), 1)
      assert.strictEqual((yield* read(draft)).status, "DISPATCHED")
    }).pipe(Effect.provide(linkedInWorld))
  )
})
