/** Webhooks that begin or resume while others append events: each gets every event since, and its organization has its turn. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Journal, Transaction } from "#core/kernel/journal/Journal.ts"
import { idsLayer, isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { createDeliveries } from "#core/webhooks/delivery/deliveryRounds.ts"
import { type Webhook, WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import { newSecret } from "#core/webhooks/writeWebhook.ts"
import * as Repositories from "#postgres/repositories.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { organization } from "../support/organization.ts"

const rounds = 200

const createdAt = isoFromMillis(0)

const webhookOf = (id: string, is_active: boolean): Webhook => ({
  webhook_id: id,
  organization_id: "org_w",
  url: "https://a.example/",
  description: "",
  event_types: [],
  purpose: "events",
  is_active,
  disabled_reason: null,
  failing_since: null,
  created_at: createdAt,
  updated_at: createdAt
})

const append = (id: string, before: number, after: number) =>
  Effect.gen(function* () {
    const { run } = yield* Transaction
    const { append: write } = yield* Journal
    const actor = { kind: "USER", id: "usr_1" } as const
    const subject = { type: "lead", id: "ld_1" }
    const event = { id, organizationId: "org_w", type: "lead.created", subject, data: {}, actor, keyId: null } as const
    const written = write("org_w", [{ events: [{ ...event, createdAt }], audit: undefined, idempotency: undefined }])
    yield* Effect.sleep(before)
    yield* run(Effect.andThen(written, Effect.sleep(after)))
  })

describe.skipIf(!hasPostgres())("webhooks that begin while events are appended", () => {
  it.layer(Layer.mergeAll(Repositories.layer, idsLayer).pipe(Layer.provideMerge(postgresLayer)), {
    excludeTestServices: true
  })((it) => {
    it.effect(`have a delivery of every event since, in ${rounds} rounds`, () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhooksRepo
        yield* organization("org_w")
        const secrets = [{ secret: newSecret(), validUntil: null }]
        for (let round = 0; round < rounds; round++) {
          const id = `whk_${round}`
          const resumes = round % 2 === 0
          if (resumes) yield* webhooks.insert(webhookOf(id, false), secrets)
          const begin = resumes ? webhooks.replace(webhookOf(id, true)) : webhooks.insert(webhookOf(id, true), secrets)
          yield* Effect.all(
            [
              append(`evt_${round}_1`, 0, round % 5),
              Effect.andThen(Effect.sleep(round % 3), begin),
              append(`evt_${round}_2`, 1, round % 4),
              Effect.andThen(Effect.sleep(round % 4), createDeliveries()),
              Effect.andThen(Effect.sleep(round % 7), createDeliveries())
            ],
            { concurrency: "unbounded" }
          )
          // By whose turn it is: nobody names the organization. It comes a second later if two workers met.
          let behind = yield* webhooks.pending("org_w", 10)
          for (let look = 0; look < 30 && behind.length > 0; look++) {
            if (look > 0) yield* Effect.sleep(100)
            yield* createDeliveries()
            behind = yield* webhooks.pending("org_w", 10)
          }
          assert.deepStrictEqual(behind, [], `round ${round}`)
          yield* webhooks.remove("org_w", id)
        }
      })
    )
  })
})
