/**
 * Leases as SQL, on tables with the columns `lease_until` and `fence`. They follow the database's clock, so no process with a
 * wrong clock can steal one.
 */
import { PgClient } from "@effect/sql-pg/PgClient"
import { type Leases, now as present } from "@svc/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { hasRows } from "../results.ts"

/** The current time for leases; `now` is that of the process. */
export type LeaseClock = (now: string) => Fragment

/** Whether leases go by the clock of the process, for tests that move it. */
export const LeasesOnProcessClock = Context.Reference<boolean>("@svc/postgres/LeasesOnProcessClock", {
  defaultValue: () => false
})

/** By default the database's clock, as of the statement: nodes of a distributed database would each have a time of their own. */
export const leaseClock = Effect.zipWith(
  PgClient,
  LeasesOnProcessClock,
  (sql, isOnProcessClock): LeaseClock =>
    (now) =>
      isOnProcessClock ? sql`${now}::timestamptz` : sql.literal("statement_timestamp()")
)

/** Fragments of statements over a table with the columns of a lease. */
export const leasing = (sql: PgClient, clock: LeaseClock) => {
  const renewed = (now: string, seconds: number): Fragment =>
    sql`lease_until = ${clock(now)} + make_interval(secs => ${seconds})`
  return {
    /** Whether a row is not leased. */
    isFree: (alias: string, now: string): Fragment =>
      sql`(${sql.literal(`${alias}.lease_until`)} is null or ${sql.literal(`${alias}.lease_until`)} <= ${clock(now)})`,
    /** The assignments that lease a row. */
    take: (alias: string, now: string, seconds: number): Fragment =>
      sql`${renewed(now, seconds)}, fence = ${sql.literal(alias)}.fence + 1`,
    /** The assignment that renews a lease. */
    renewed,
    /** Renews leases in a table. */
    renewIn:
      (table: string): Leases["renew"] =>
      ({ fence, id, organizationId }, seconds) =>
        Effect.flatMap(present, (now) =>
          sql`
            update ${sql.literal(`svc.${table}`)} set ${renewed(now, seconds)}
            where organization_id = ${organizationId} and id = ${id} and fence = ${fence} and lease_until is not null
            returning id
          `.pipe(hasRows)
        )
  }
}
