/** Makes the snapshot that new PGlite folders start from. */

import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { connectPglite } from "./Database.ts"
import type { Migration } from "./Migration.ts"
import { migrate } from "./Migrator.ts"
import { migrations } from "./migrations/index.ts"
import * as PgliteFolder from "./PgliteFolder.ts"
import { isCurrent, writeSnapshot } from "./PgliteSnapshot.ts"

/**
 * Writes a snapshot of a freshly migrated PGlite into the folder and returns true, or false when it is already current.
 * Fails when a migration fails.
 */
export const makeSnapshot = (directory: string, known: ReadonlyArray<Migration> = migrations) =>
  Effect.gen(function* () {
    if (yield* isCurrent(directory, known)) return false
    const pglite = yield* PgliteFolder.openInMemory(known, Effect.succeed(undefined))
    // The stream must be closed before the database is copied.
    yield* connectPglite(pglite).pipe(
      Effect.flatMap((client) => Effect.provideService(migrate(known), SqlClient, client)),
      Effect.scoped
    )
    yield* writeSnapshot(pglite, directory, known)
    return true
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
