/** Runs a contract suite on every selected backend: memory, PGlite, PostgreSQL. */
import { describe } from "@effect/vitest"
import type { Failure } from "@svc/core/Failure"
import * as JournalMemory from "@svc/core/JournalMemory"
import { layer as memoryStoreLayer } from "@svc/core/MemoryStore"
import * as Memory from "@svc/core/memory"
import * as QueuePg from "@svc/postgres/linkedin/QueuePg"
import * as Repositories from "@svc/postgres/repositories"
import * as Layer from "effect/Layer"
import { hasPostgres, pgliteLayer, postgresLayer, selectedBackends } from "../support/backends.ts"

export { JournalMemory, memoryStoreLayer, pgliteLayer, postgresLayer }

/** Calls `suite` once for each selected backend that is there, with a layer that gives it the services `A`. */
export const eachBackend = <A>(
  name: string,
  backends: {
    readonly memory: Layer.Layer<A, Failure>
    readonly sql: (base: typeof pgliteLayer) => Layer.Layer<A, Failure>
  },
  suite: (layer: Layer.Layer<A, Failure>) => void
): void => {
  const selected = selectedBackends()
  if (selected.has("memory")) describe(`${name} in memory`, () => suite(backends.memory))
  if (selected.has("pglite")) describe(`${name} on PGlite`, () => suite(backends.sql(pgliteLayer)))
  if (selected.has("postgres")) {
    describe.skipIf(!hasPostgres())(`${name} on PostgreSQL`, () => suite(backends.sql(postgresLayer)))
  }
}

/** Memory repositories over one fresh store. */
export const inMemory = <A, E>(repository: Layer.Layer<A, E, Layer.Success<typeof memoryStoreLayer>>) =>
  repository.pipe(Layer.provideMerge(memoryStoreLayer))

/** All repositories on each backend; leases and limits go by the clock of the test. */
export const repositories = {
  memory: Memory.layer,
  sql: (base: typeof pgliteLayer) =>
    Layer.mergeAll(Repositories.layer, QueuePg.layerOnProcessClock).pipe(Layer.provideMerge(base))
}
