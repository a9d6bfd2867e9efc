/** What is written down when deliveries go wrong: never a secret, a body or an address. */

import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { Unavailable } from "#core/kernel/failure/failures.ts"
import { idsLayer } from "#core/kernel/schema/IdsAndTime.ts"
import { WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import { newDelivery } from "#core/webhooks/delivery/deliveryRounds.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import * as Memory from "#memory/repositories.ts"
import { deliverDue } from "../support/deliverDue.ts"

const secret = "whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5"
const url = "https://canary-host.example/canary-path"

/** A delivery to a webhook with a known secret. */
const prepare = Effect.gen(function* () {
  const at = "1970-01-01T00:00:00.000Z"
  yield* (yield* WebhooksRepo).insert(
    {
      webhook_id: "whk_1",
      organization_id: "org_1",
      url,
      description: "",
      event_types: [],
      purpose: "events",
      is_active: true,
      disabled_reason: null,
      failing_since: null,
      created_at: at,
      updated_at: at
    },
    [{ secret, validUntil: null }]
  )
  const row = yield* newDelivery({
    organization_id: "org_1",
    webhook_id: "whk_1",
    event_id: "evt_1",
    event_type: "lead.created",
    payload: { text: "canary-body" }
  })
  yield* (yield* WebhooksRepo).insertDelivery(row)
})

const written = (lines: Array<string>) =>
  Logger.layer([
    Logger.make(({ cause, message }) => {
      lines.push(`${JSON.stringify(message)} ${Cause.pretty(cause)} ${JSON.stringify(cause)}`)
    })
  ])

/** A store that cannot take the outcome. */
const failingStore = Layer.effect(
  WebhooksRepo,
  Effect.map(WebhooksRepo, (repo) => ({ ...repo, recordDelivery: () => Effect.fail(new Unavailable()) }))
)

const senders = {
  refuses: { post: () => Effect.succeed({ _tag: "Unanswered", reason: "No." } as const) },
  dies: { post: () => Effect.die(new Error("the socket burst")) }
}

describe("logs of deliveries", () => {
  it.effect.each(Object.entries(senders))("hold no secret when the sender %s and the store fails", ([, sender]) =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      yield* Effect.gen(function* () {
        yield* prepare
        assert.strictEqual(yield* deliverDue(), 0)
      }).pipe(
        Effect.provideService(WebhookSender, WebhookSender.of(sender)),
        Effect.provide(failingStore.pipe(Layer.provideMerge(Layer.merge(Memory.layer, idsLayer)))),
        Effect.provide(written(lines))
      )
      assert.isAbove(lines.length, 0)
      for (const canary of [secret, secret.slice(6), "canary"]) assert.notInclude(lines.join("\n"), canary)
    })
  )
})
