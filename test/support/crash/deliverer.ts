/**
 * A process that delivers webhooks of a PostgreSQL until it is killed: by others, or by itself, with SIGKILL, at `CRASH_AT`
 * the `CRASH_ON`-th time. Its leases end after a second, so that nobody has to wait long.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { idsLayer } from "#core/kernel/schema/IdsAndTime.ts"
import * as DeliveryWorker from "#core/webhooks/delivery/DeliveryWorker.ts"
import { WebhookSender } from "#core/webhooks/delivery/deliver.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import { WebhookTargets } from "#core/webhooks/WebhookTarget.ts"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import * as Repositories from "#postgres/repositories.ts"
import * as HttpWebhookSender from "#providers/webhooks/HttpWebhookSender.ts"
import type { DeliveryPlace } from "./deliveryPoints.ts"

const env = (name: string): string => process.env[name] ?? ""

let passes = Number(env("CRASH_ON"))

const reach = (place: DeliveryPlace): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (env("CRASH_AT") !== place || --passes > 0) return Effect.void
    process.kill(process.pid, "SIGKILL")
    return Effect.never
  })

/** Which place the end of the transaction that runs is: set inside of it. */
let ending: DeliveryPlace | undefined

const deadlyDeliveries = Layer.effect(
  WebhooksRepo,
  Effect.map(WebhooksRepo, (repo) =>
    WebhooksRepo.of({
      ...repo,
      insertDeliveries: (organizationId, id, told, rows) =>
        Effect.andThen(
          repo.insertDeliveries(organizationId, id, told, rows),
          rows.length > 0 ? reach("in-tell") : Effect.void
        ).pipe(Effect.tap(() => Effect.sync(() => (ending = rows.length > 0 ? "after-tell" : undefined)))),
      leaseDeliveries: (request) =>
        Effect.tap(repo.leaseDeliveries({ ...request, leaseSeconds: 1 }), (taken) =>
          taken.length > 0 ? reach("after-claim") : Effect.void
        ),
      recordDelivery: (row, fence, at) =>
        repo.recordDelivery(row, fence, at).pipe(
          Effect.tap(() => reach("before-outcome")),
          Effect.tap(() => Effect.sync(() => (ending = "after-outcome")))
        )
    })
  )
)

const deadlyTransaction = Layer.effect(
  Transaction,
  Effect.map(Transaction, ({ isOpen, run }) =>
    Transaction.of({
      isOpen,
      run: (effect) =>
        Effect.tap(run(effect), () =>
          Effect.suspend(() => {
            const place = ending
            ending = undefined
            return place === undefined ? Effect.void : reach(place)
          })
        )
    })
  )
)

const deadlySender = Layer.effect(
  WebhookSender,
  Effect.map(WebhookSender, (sender) =>
    WebhookSender.of({
      // Receivers answer after 150 milliseconds.
      post: (request) =>
        Effect.all([sender.post(request), Effect.andThen(Effect.sleep("75 millis"), reach("request-left"))], {
          concurrency: "unbounded"
        }).pipe(
          Effect.map(([answer]) => answer),
          Effect.tap(() => reach("after-answer"))
        )
    })
  )
).pipe(
  Layer.provide(HttpWebhookSender.layer),
  Layer.provide(Layer.succeed(WebhookTargets, { allowPrivate: false, allowLoopback: true }))
)

const parsed = Result.getOrThrow(parseDatabaseUrl(env("DATABASE_URL")))
if (parsed._tag !== "Postgres") throw new Error("The deliverer needs a postgres:// URL.")

const worker = DeliveryWorker.layer.pipe(
  Layer.provide(Layer.mergeAll(deadlyDeliveries, deadlyTransaction, deadlySender)),
  Layer.provide(Repositories.layer),
  Layer.provide(Layer.merge(Database.layer(parsed, { maxConnections: 4 }), idsLayer))
)

Effect.runPromise(Layer.launch(worker)).catch((cause: unknown) => {
  process.stderr.write(`${String(cause)}\n`)
  process.exit(1)
})
