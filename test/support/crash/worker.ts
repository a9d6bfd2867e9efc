/**
 * A worker of the crash campaign: dispatches until it is killed, by others or, at `CRASH_AT`, by itself.
 *
 * `kill` is SIGKILL: nothing of the process runs afterwards, as when power fails.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import type { CrashPoint } from "./crashPoints.ts"
import { sendingStores } from "./sendingStores.ts"

const env = (name: string): string => process.env[name] ?? ""

let passes = Number(env("CRASH_ON"))

/** Ends the process the n-th time that its point is reached. */
const reach = (point: CrashPoint): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (env("CRASH_AT") !== point || --passes > 0) return Effect.void
    process.kill(process.pid, "SIGKILL")
    return Effect.never
  })

const deadlyQueue = Layer.effect(
  TransmissionsRepo,
  Effect.map(TransmissionsRepo, (queue) =>
    TransmissionsRepo.of({
      ...queue,
      take: (request) =>
        request.kind === "message"
          ? Effect.andThen(reach("before-claim"), queue.take(request)).pipe(
              Effect.tap((taken) => (taken.length > 0 ? reach("after-claim") : Effect.void))
            )
          : queue.take(request),
      // Inside the transaction that records the outcome, which dies with the process.
      saveAttempt: (attempt) =>
        Effect.andThen(queue.saveAttempt(attempt), attempt.outcome === null ? Effect.void : reach("before-outcome"))
    })
  )
)

const deadlyGateway = Layer.effect(
  LinkedInGateway,
  Effect.map(LinkedInGateway, (gateway) =>
    LinkedInGateway.of({
      ...gateway,
      startChat: (account, delivery) =>
        Effect.andThen(reach("after-attempt"), gateway.startChat(account, delivery)).pipe(
          Effect.tap(() => reach("after-accept"))
        )
    })
  )
)

const stores = sendingStores({
  databaseUrl: env("DATABASE_URL"),
  fakeUrl: env("FAKE_URL"),
  fakeKey: env("FAKE_KEY")
})

const work = Effect.forever(
  Effect.andThen(Effect.ignore(dispatchDue({ concurrency: 3 })), Effect.sleep("50 millis"))
).pipe(Effect.provide(Layer.mergeAll(deadlyQueue, deadlyGateway)), Effect.provide(stores))

process.stdout.write("ready\n")
Effect.runPromise(work).catch((cause: unknown) => {
  process.stderr.write(`${String(cause)}\n`)
  process.exit(1)
})
