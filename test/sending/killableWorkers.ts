/** Workers that may be killed, on a PostgreSQL of their own, beside a provider that knows some people. */
import * as Effect from "effect/Effect"
import { clearUrl, freshPostgres } from "../support/backends.ts"
import { bundleWorker } from "../support/crash/startWorker.ts"
import { startFakeProcess } from "../support/fakeUnipile/fakeProcess.ts"

/** What starts a worker, where everything is, and what the provider did. All ends with the scope. */
export const killableWorkers = Effect.fnUntraced(function* (slugs: ReadonlyArray<string>) {
  const { url } = yield* freshPostgres()
  const fake = yield* Effect.acquireRelease(
    Effect.promise(() => startFakeProcess()),
    (running) => Effect.promise(() => running.stop())
  )
  const bundle = yield* Effect.acquireRelease(
    Effect.promise(() => bundleWorker()),
    (built) => Effect.promise(() => built.remove())
  )
  yield* Effect.promise(() => fake.control("account", { id: "acct-1" }))
  yield* Effect.promise(() => fake.control("people", { slugs }))
  return { bundle, fake, places: { databaseUrl: clearUrl(url), fakeUrl: fake.url, fakeKey: fake.apiKey } }
})
