/** Storing again what is derived from leads. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { texts } from "../columns.ts"
import { transacted } from "../TransactionPg.ts"

interface Kept {
  readonly organizationId: OrganizationId
  readonly leadIds: ReadonlyArray<string>
  /** Whether missions may count something else of the leads; true if left out. */
  readonly isActivity?: boolean
}

/** Runs a write, and then stores again what is derived from the leads that it names, in the same transaction. */
export const keepingLeads =
  <A>(sql: PgClient, keptOf: (result: A) => Kept) =>
  <B extends A, E, R>(write: Effect.Effect<B, E, R>): Effect.Effect<B, E | SqlError, R> =>
    transacted(
      sql,
      Effect.tap(write, (result): Effect.Effect<unknown, SqlError> => {
        const { isActivity = true, leadIds, organizationId } = keptOf(result)
        if (leadIds.length === 0) return Effect.void
        return isActivity
          ? sql`select svc.svc_keep_leads(${organizationId}, ${texts(leadIds)})`
          : sql`select svc.svc_keep_actions(${organizationId}, ${texts(leadIds)})`
      })
    )
