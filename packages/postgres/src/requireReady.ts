import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { requireCurrent } from "./Migrator.ts"
import { orUnavailable } from "./SqlFailure.ts"

/**
 * Fails with UNAVAILABLE or WRONG_STATE unless the database is reachable, its schema current, and takes writes, which an old
 * primary does not after a failover. Writes nothing, but in the way of all writes, so a connection that leads there is replaced.
 */
export const requireReady: Effect.Effect<void, Failure, SqlClient> = Effect.andThen(
  requireCurrent(),
  Effect.flatMap(SqlClient, (sql) => Effect.asVoid(orUnavailable(sql`delete from svc.service_processes where false`)))
)
