/**
 * Stores a record under the first handle in a list that is free.
 *
 * The statement picks the handle itself, with `on conflict do nothing`. It stores nothing when another transaction took
 * the same handle in the meantime; the losers then take turns, so that each sees what the others stored.
 */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

const maxAttempts = 10

/** Runs an insert, which is given a select of the first free handle, until it returns a row or there is no other to choose. */
export const insertUnderFreeHandle = <Row>(
  sql: PgClient,
  table: "agents" | "missions",
  organizationId: OrganizationId,
  handles: ReadonlyArray<string>,
  insertUnder: (free: Fragment) => Effect.Effect<ReadonlyArray<Row>, SqlError>
): Effect.Effect<ReadonlyArray<Row>, SqlError> => {
  const insert = insertUnder(sql`
    select candidate.handle from unnest(${[...handles]}::text[]) with ordinality as candidate (handle, position)
    where not exists (
      select 1 from ${sql.literal(`svc.${table}`)} where organization_id = ${organizationId} and handle = candidate.handle
    )
    order by candidate.position
    limit 1`)
  const turn = sql`select pg_advisory_xact_lock(hashtextextended(${`${table}.handle/${organizationId}`}::text, 0))`
  const attempt = (rest: number): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
    Effect.flatMap(insert, (rows) =>
      rows.length > 0 || handles.length < 2 || rest === 0
        ? Effect.succeed(rows)
        : Effect.andThen(turn, attempt(rest - 1))
    )
  return attempt(maxAttempts)
}
