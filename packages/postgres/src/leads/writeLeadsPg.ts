/** Writing leads in PostgreSQL, one statement for the changes of many runs. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { StoreFailure } from "@svc/core"
import { type LeadChange, type LeadsRepo, statusReason } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { alwaysWrites, shared } from "../SharedTransaction.ts"
import { orUnavailable, retryTransaction } from "../SqlFailure.ts"
import { parameterOf } from "./leadRows.ts"
import { suppressionColumns } from "./suppressionRows.ts"

const identityOf = ({ derived, kind, leadId, value }: LeadChange["held"][number]) => ({
  kind,
  value,
  lead_id: leadId,
  derived
})

/** The parameter of `svc_write_leads`. */
const changeOf = (changes: ReadonlyArray<LeadChange>) => {
  const rows = changes.flatMap((change) => change.rows)
  const held = changes.flatMap((change) => change.held)
  const links = changes.flatMap(({ link }) => link ?? [])
  return {
    rows: rows.map(parameterOf),
    held: held.map(identityOf),
    released: changes.flatMap((change) => change.released.map(identityOf)),
    // An identifier is only taken from nobody, or from a lead of this change.
    holders: [...new Set([...rows.map(({ id }) => id), ...held.map(({ leadId }) => leadId)])],
    links: links.map(({ at, leadId, missionId, touch }) => ({
      mission_id: missionId,
      lead_id: leadId,
      linked_at: at,
      touch
    })),
    suppressed: changes.flatMap(({ suppressed = [] }) => suppressed.map(suppressionColumns)),
    statusReason
  }
}

/** {@link LeadsRepo} `write`. */
export const writer = (sql: PgClient): LeadsRepo["Service"]["write"] =>
  shared(alwaysWrites, (changes: ReadonlyArray<LeadChange>): Effect.Effect<ReadonlyArray<void>, StoreFailure> => {
    const change = changeOf(changes)
    return sql<{ readonly taken: number }>`
      select svc.svc_write_leads(${changes[0]?.organizationId}, ${sql.json(change)}) as taken
    `.pipe(
      orUnavailable,
      // An import does not lock identifiers, so it may have taken a free one in the meantime.
      Effect.flatMap(([written]) => (written?.taken === change.held.length ? Effect.succeed([]) : retryTransaction))
    )
  })
