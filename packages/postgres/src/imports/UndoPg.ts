/** Undoing an import in PostgreSQL, with a few statements for any number of leads. */

import { PgClient } from "@effect/sql-pg/PgClient"
import type { LeadId, MissionId, OrganizationId } from "@svc/core"
import { type KeptReason, UndoRepo, undoneReason } from "@svc/core/imports"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { texts } from "../columnParameter.ts"
import { orUnavailable } from "../SqlFailure.ts"

/**
 * Why each of some leads stays; null: nobody touched it. The leads are locked before, so that whoever would write to one
 * in the meantime waits and then does not find it.
 */
const judge = (
  sql: PgClient,
  {
    missionId,
    organizationId,
    runId,
    since
  }: { missionId: MissionId; organizationId: OrganizationId; runId: string; since: string },
  ids: ReadonlyArray<string>
) => sql<{ readonly id: string; readonly reason: KeptReason | null }>`
  select l.id, case
    when l.merged_into is not null or exists (
      select 1 from svc.leads m where m.organization_id = ${organizationId} and m.merged_into = l.id) then 'MERGED'
    when exists (select 1 from svc.lead_messages m where m.organization_id = ${organizationId} and m.lead_id = l.id)
      or exists (select 1 from svc.transmissions q where q.organization_id = ${organizationId} and q.lead_id = l.id
        and q.kind = 'message')
      or exists (select 1 from svc.lead_relations r where r.organization_id = ${organizationId} and r.lead_id = l.id)
      then 'CONTACTED'
    when exists (select 1 from svc.linkedin_drafts d where d.organization_id = ${organizationId} and d.lead_id = l.id)
      then 'DRAFTED'
    when exists (select 1 from svc.lead_notes n where n.organization_id = ${organizationId} and n.lead_id = l.id)
      then 'NOTED'
    when exists (select 1 from svc.suppressions s where s.organization_id = ${organizationId} and s.lead_id = l.id)
      then 'SUPPRESSED'
    when exists (
      select 1 from svc.lead_missions k
      where k.organization_id = ${organizationId} and k.lead_id = l.id and k.mission_id <> ${missionId})
      then 'IN_OTHER_MISSION'
    when exists (
      select 1 from svc.import_rows r
      where r.organization_id = ${organizationId} and r.lead_id = l.id and r.import_id <> ${runId})
      then 'IN_OTHER_IMPORT'
    when l.updated_at > ${since}::timestamptz or l.profile -> 'user' is not null then 'CHANGED'
  end as reason
  from svc.leads l where l.organization_id = ${organizationId} and l.id = any (${texts(ids)})
`

/** Takes back in the database. */
export const layer: Layer.Layer<UndoRepo, never, PgClient> = Layer.effect(
  UndoRepo,
  Effect.map(PgClient, (sql) =>
    UndoRepo.of({
      undoRows: (run, after, limit) =>
        Effect.gen(function* () {
          const { id: runId, missionId, organizationId } = run
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
          yield* sql`
            select 1 from svc.leads where organization_id = ${organizationId} and id = any (${texts(ids)})
            order by id collate "C" for update
          `
          const judged = yield* judge(sql, { missionId, organizationId, runId, since: run.updatedAt }, ids)
          const reasons = new Map(judged.map(({ id, reason }) => [id, reason]))
          const known = ids.filter((id) => reasons.has(id))
          const removed = known.filter((id) => reasons.get(id) === null)
          const kept = known.flatMap((leadId) => {
            const reason = reasons.get(leadId)
            return reason == null ? [] : [{ leadId, reason }]
          })
          if (removed.length > 0) {
            const gone = texts(removed)
            yield* sql`delete from svc.lead_identities where organization_id = ${organizationId} and lead_id = any (${gone})`
            yield* sql`delete from svc.lead_missions where organization_id = ${organizationId} and lead_id = any (${gone})`
            yield* sql`
              update svc.import_rows set lead_id = null,
                reason = case outcome when 'created' then ${undoneReason}::text else reason end
              where organization_id = ${organizationId} and import_id = ${runId} and lead_id = any (${gone})
            `
            yield* sql`delete from svc.leads where organization_id = ${organizationId} and id = any (${gone})`
          }
          return { removed, kept, next }
        }).pipe(orUnavailable)
    })
  )
)
