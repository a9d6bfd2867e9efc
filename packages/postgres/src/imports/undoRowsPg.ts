/** Undoing an import in PostgreSQL, with a few statements for any number of leads. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId } from "@svc/core"
import { type ImportsRepo, undoneReason } from "@svc/core/imports"
import * as Effect from "effect/Effect"
import { texts } from "../columnParameter.ts"
import { deleteLeads, judgeLeads } from "../leads/UnusedLeadsPg.ts"
import { orUnavailable } from "../SqlFailure.ts"

/** `undoRows` on the database. */
export const undoRows =
  (sql: PgClient): ImportsRepo["Service"]["undoRows"] =>
  (run, after, limit, cancelledDrafts) =>
    Effect.gen(function* () {
      const { id: runId, organizationId } = run
      const [seen] = yield* sql`
      select 1 from svc.imports
      where organization_id = ${organizationId} and id = ${runId} and attempt = ${run.attempt}
        and updated_at = ${run.updatedAt}::timestamptz
      for update
    `
      if (seen === undefined) return undefined
      const rows = yield* sql<{ readonly position: number; readonly lead_id: LeadId }>`
      select position, lead_id from svc.import_rows
      where organization_id = ${organizationId} and import_id = ${runId} and outcome = 'created'
        and lead_id is not null and position > ${after}
      order by position limit ${limit}
    `
      const next = rows.length < limit ? undefined : rows.at(-1)?.position
      const ids = rows.map(({ lead_id }) => lead_id)
      if (ids.length === 0) return { removed: [], kept: [], next }
      const judged = yield* judgeLeads(sql, organizationId, ids, { cancelledDrafts, import: run })
      const reasons = new Map(judged.map(({ id, reason }) => [id, reason]))
      const known = ids.filter((id) => reasons.has(id))
      const removed = known.filter((id) => reasons.get(id) === null)
      const kept = known.flatMap((leadId) => {
        const reason = reasons.get(leadId)
        return reason == null ? [] : [{ leadId, reason }]
      })
      if (removed.length > 0) {
        yield* sql`
        update svc.import_rows set lead_id = null,
          reason = case outcome when 'created' then ${undoneReason}::text else reason end
        where organization_id = ${organizationId} and import_id = ${runId} and lead_id = any (${texts(removed)})
      `
        yield* deleteLeads(sql, organizationId, removed)
      }
      return { removed, kept, next }
    }).pipe(orUnavailable)
