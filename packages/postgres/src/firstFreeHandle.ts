/**
 * Storing a record under the first of several handles that nobody has.
 *
 * The statement tried picks the first free one itself, with `on conflict do nothing`. It stores nothing when another
 * transaction took the same handle meanwhile: then those who lost take turns, so that each sees what the others stored.
 */
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

const attempts = 10

/**
 * Runs `insert` until it answers a row, as long as there is more than one handle to choose from. `scope` says whose
 * handles they are: the table's name and the organization.
 */
export const insertUnderFreeHandle = <Row>(
  sql: PgClient,
  scope: { readonly table: string; readonly organizationId: string },
  handles: ReadonlyArray<string>,
  insert: Effect.Effect<ReadonlyArray<Row>, SqlError>
): Effect.Effect<Row | undefined, SqlError> => {
  const turn = sql`select pg_advisory_xact_lock(hashtextextended(${`${scope.table}.handle/${scope.organizationId}`}::text, 0))`
  const attempt = (rest: number): Effect.Effect<Row | undefined, SqlError> =>
    Effect.flatMap(insert, ([row]) =>
      row !== undefined || handles.length < 2 || rest === 0
        ? Effect.succeed(row)
        : Effect.andThen(turn, attempt(rest - 1))
    )
  return attempt(attempts)
}
