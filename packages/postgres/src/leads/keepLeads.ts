/** Storing again what is derived from leads. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { texts } from "../columns.ts"
import { transacted } from "../TransactionPg.ts"

/** A value, or what makes it of the result of a write. */
type Of<Result, A> = A | ((result: Result) => A)

/**
 * Runs a write, and then stores again what is derived from these leads, in the same transaction. `isActivity`: whether missions may
 * count something else of them.
 */
export const keepingLeads =
  <A>(
    sql: PgClient,
    organizationId: OrganizationId,
    leads: Of<A, ReadonlyArray<string>>,
    isActivity: Of<A, boolean> = true
  ) =>
  <B extends A, E, R>(write: Effect.Effect<B, E, R>): Effect.Effect<B, E | SqlError, R> =>
    transacted(
      sql,
      Effect.tap(write, (result): Effect.Effect<unknown, SqlError> => {
        const ids = typeof leads === "function" ? leads(result) : leads
        if (ids.length === 0) return Effect.void
        return (typeof isActivity === "function" ? isActivity(result) : isActivity)
          ? sql`select svc.svc_keep_leads(${organizationId}, ${texts(ids)})`
          : sql`select svc.svc_keep_actions(${organizationId}, ${texts(ids)})`
      })
    )
