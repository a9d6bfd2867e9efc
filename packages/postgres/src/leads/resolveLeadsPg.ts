/** Finding and locking leads in PostgreSQL, one statement for many references. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId } from "@svc/core"
import type { LeadResolution, LeadsRepo, Resolution, SuppressionMatch } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { texts } from "../columnParameter.ts"
import { orUnavailable, retryOnLockTimeout } from "../SqlFailure.ts"
import { type LeadDocument, storedOf } from "./leadRows.ts"
import { findSuppressions, matchOf } from "./suppressionRows.ts"
import type { Tombstones } from "./Tombstones.ts"

/** What `svc_resolve_leads` returns. */
interface Found {
  readonly live: Readonly<Record<string, LeadId>>
  readonly leads: ReadonlyArray<LeadDocument>
  readonly missions: Readonly<Record<string, NonNullable<Resolution["mission"]>>>
  readonly suppressions: ReadonlyArray<SuppressionMatch>
  readonly hasErased: boolean
  readonly busy: ReadonlyArray<string>
}

/** {@link LeadsRepo} `resolve`. */
export const resolver =
  (sql: PgClient, hashesOf: Tombstones["Service"]["hashesOf"]): LeadsRepo["Service"]["resolve"] =>
  (organizationId, { identities, leadIds, missions }, locks = "wait") => {
    const statement = sql<{ readonly found: Found }>`
      select svc.svc_resolve_leads(${organizationId}, ${texts(identities.map(({ kind }) => kind))},
        ${texts(identities.map(({ value }) => value))}, ${texts(leadIds)}, ${texts(missions)}, ${locks}) as found
    `
    return Effect.gen(function* () {
      const [row] = yield* locks === "bulk" ? retryOnLockTimeout(statement) : statement
      if (row === undefined) return yield* Effect.die("a function returns one row")
      const { busy, hasErased, leads, live, missions, suppressions } = row.found
      return {
        leads: leads.map(storedOf),
        leadIds: new Map(Object.entries(live)),
        missions: new Map(Object.entries(missions)),
        // Hashes take time, so they are only made where somebody was erased.
        suppressions: hasErased
          ? yield* findSuppressions(sql, organizationId, identities, hashesOf(organizationId, identities))
          : suppressions.map(matchOf),
        busy: new Set(busy)
      } satisfies LeadResolution
    }).pipe(orUnavailable)
  }
