/**
 * Runs a contract suite on every selected store: memory and PostgreSQL. PGlite runs the same SQL, so it runs the few suites that
 * call every method of every port, by `postgres/PgliteContract.test.ts`; `SVC_TEST_BACKENDS=pglite` runs any suite on it.
 */
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

let chosen: ReadonlyArray<BackendName> =
  process.env.SVC_TEST_BACKENDS === undefined
    ? ["memory", "postgres"]
    : backendNames.filter((one) => selectedBackends().has(one))

/** Imports suites, which run on this backend alone. */
export const importedOn = async (backend: BackendName, suites: () => Promise<unknown>): Promise<void> => {
  const before = chosen
  chosen = [backend]
  await suites().finally(() => {
    chosen = before
  })
}

/** Calls `suite` once for each selected store that is there, with a world on it that has these instead of the usual. */
export const eachBackendWith =
  <R = never>(options: World.Options<R>) =>
  (name: string, suite: (world: Layer.Layer<World.World, Failure, World.Left<R>>) => void): void => {
    for (const backend of chosen) {
      const [store, title] = stores[backend]
      describe.skipIf(backend === "postgres" && !hasPostgres())(`${name} ${title}`, () =>
        suite(World.make({ ...options, backend: store }))
      )
    }
  }

/** Calls `suite` once for each selected store that is there, with a world on it. */
export const eachBackend = eachBackendWith({})
