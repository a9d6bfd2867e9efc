/** Runs a contract suite on every selected store: memory, PGlite, PostgreSQL. */
import { describe } from "@effect/vitest"
import type * as Layer from "effect/Layer"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { type BackendName, backendNames, hasPostgres, selectedBackends } from "../support/backends.ts"
import * as World from "../support/World.ts"

/**
 * On PostgreSQL the tables are in another schema than the one that statements are written with, so that a statement which names
 * none, or always that one, fails. All other suites have them in `svc`.
 */
const stores: Readonly<Record<BackendName, readonly [store: World.StoreName, title: string]>> = {
  memory: ["memory", "in memory"],
  pglite: ["pglite", "on PGlite"],
  postgres: ["postgresElsewhere", "on PostgreSQL with ?schema=other"]
}

/** Calls `suite` once for each selected store that is there, with a world on it that has these instead of the usual. */
export const eachBackendWith =
  <R = never>(options: World.Options<R>) =>
  (name: string, suite: (world: Layer.Layer<World.World, Failure, World.Left<R>>) => void): void => {
    for (const backend of backendNames.filter((one) => selectedBackends().has(one))) {
      const [store, title] = stores[backend]
      describe.skipIf(backend === "postgres" && !hasPostgres())(`${name} ${title}`, () =>
        suite(World.make({ ...options, backend: store }))
      )
    }
  }

/** Calls `suite` once for each selected store that is there, with a world on it. */
export const eachBackend = eachBackendWith({})
