/** Runs a contract suite on every selected store: memory, PGlite, PostgreSQL. */
import { describe } from "@effect/vitest"
import type * as Layer from "effect/Layer"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { type BackendName, backendNames, hasPostgres, selectedBackends } from "../support/backends.ts"
import * as World from "../support/World.ts"

const titles: Readonly<Record<BackendName, string>> = {
  memory: "in memory",
  pglite: "on PGlite",
  postgres: "on PostgreSQL"
}

/** Calls `suite` once for each selected store that is there, with a world on it that has these instead of the usual. */
export const eachBackendWith =
  <R = never>(options: World.Options<R>) =>
  (name: string, suite: (world: Layer.Layer<World.World, Failure, World.Left<R>>) => void): void => {
    for (const backend of backendNames.filter((one) => selectedBackends().has(one))) {
      describe.skipIf(backend === "postgres" && !hasPostgres())(`${name} ${titles[backend]}`, () =>
        suite(World.make({ ...options, backend }))
      )
    }
  }

/** Calls `suite` once for each selected store that is there, with a world on it. */
export const eachBackend = eachBackendWith({})
