/** Imports in PostgreSQL. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { type LeadId, snakeKeys, VersionConflict } from "@svc/core"
import * as Imports from "@svc/core/imports"
import { countsOf, noCounts } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import { integers, jsonb, type RowOf, recordOf, texts } from "../columns.ts"
import { deleteLeads, judgeLeads } from "../leads/UnusedLeadsPg.ts"
import { first, newestFirst, page, repository } from "../results.ts"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"

/** `undoRows` on the database. */
const undoRows =
  (sql: PgClient): Imports.ImportsRepo["Service"]["undoRows"] =>
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
      const removed = ids.filter((id) => reasons.get(id) === null)
      const kept = ids.flatMap((leadId) => {
        const reason = reasons.get(leadId)
        return reason == null ? [] : [{ leadId, reason }]
      })
      if (removed.length > 0) {
        yield* sql`
        update svc.import_rows set lead_id = null,
          reason = case when outcome = 'created' then ${Imports.undoneReason}::text else reason end
        where organization_id = ${organizationId} and import_id = ${runId} and lead_id = any (${texts(removed)})
      `
        yield* deleteLeads(sql, organizationId, removed)
      }
      return { removed, kept, next }
    }).pipe(orUnavailable)

type PlainRun = Omit<Imports.ImportRun, "counts" | "enrolled">

type RunRow = RowOf<PlainRun> & ReturnType<typeof countsOf> & { readonly enrolled_count: number }

type InMissionRow = RunRow & { readonly mission: Imports.ImportMission }

const runOf = ({
  created_count: created,
  enrolled_count: enrolled,
  invalid_count: invalid,
  skipped_count: skipped,
  updated_count: updated,
  ...row
}: RunRow): Imports.ImportRun => ({
  ...recordOf<PlainRun>(row),
  counts: { created, updated, skipped, invalid },
  enrolled
})

const columnsOf = ({ counts, enrolled, rowsDeletedAt: _, ...run }: Imports.ImportRun) => ({
  ...snakeKeys(run),
  ...countsOf({ counts }),
  enrolled_count: enrolled,
  defaults: jsonb(run.defaults),
  file: jsonb(run.file)
})

const listedOf = ({ mission, ...row }: InMissionRow) => ({ run: runOf(row), mission })

interface RowRow extends Omit<Imports.ListedImportRow, "importId" | "leadId"> {
  readonly lead_id: LeadId | null
}

/** As the partial indexes say it, so that each filter has one text of its own. */
const conditionOf = (sql: PgClient, filter: Imports.RowFilter) => {
  if (filter === undefined) return sql.literal("true")
  if (filter === "refused")
    return sql.literal(`(outcome = 'invalid' or (outcome = 'skipped' and reason not in ('UNCHANGED', 'ENROLLED')))`)
  return sql.literal(`outcome = '${filter}'`)
}

/** Keeps imports in the database, and undoes what they created. */
export const layer = repository(Imports.ImportsRepo, (sql) => ({
  // The predicate of the conflict target is that of the index imports_running.
  insert: (run) =>
    sql<RunRow & { readonly is_new: boolean }>`
      insert into svc.imports ${sql.insert(columnsOf(run))}
      on conflict (organization_id, mission_id, fingerprint) where state = 'running'
        do update set id = imports.id where imports.organization_id = excluded.organization_id
      returning *, (xmax = 0) as is_new
    `.pipe(first(({ is_new, ...row }) => (is_new ? undefined : runOf(row)))),
  resume: (seen, { accountId, at, rowLimit }) =>
    sql<RunRow>`
      update svc.imports set state = 'running', reason = null, finished_at = null, attempt = attempt + 1,
        row_limit = ${rowLimit}, account_id = ${accountId}, updated_at = ${at}::timestamptz
      where organization_id = ${seen.organizationId} and id = ${seen.id} and attempt = ${seen.attempt}
        and updated_at = ${seen.updatedAt}::timestamptz
        and not exists (
          select 1 from svc.imports o
          where o.organization_id = ${seen.organizationId} and o.mission_id = ${seen.missionId}
            and o.fingerprint = ${seen.fingerprint}::text and o.state = 'running' and o.id <> ${seen.id})
      returning *
    `.pipe(
      // Another import of the audience started between the look and the update.
      catchUnique("imports_running", () => new VersionConflict()),
      first(runOf)
    ),
  advance: (progress) => {
    const { rows } = progress
    const added = Imports.addOutcomes(noCounts, rows)
    const column = <K extends keyof Imports.ImportRow>(name: K) => rows.map((row) => row[name])
    const sources = rows.map(({ source }) => source && JSON.stringify(source))
    return sql<RunRow>`
      with advanced as (
        update svc.imports set state = ${progress.state}, reason = ${progress.reason}, cursor = ${progress.cursor},
          created_count = created_count + ${added.created}::int, updated_count = updated_count + ${added.updated}::int,
          skipped_count = skipped_count + ${added.skipped}::int, invalid_count = invalid_count + ${added.invalid}::int,
          enrolled_count = enrolled_count + ${Imports.countEnrolled(rows)}::int,
          updated_at = ${progress.at}::timestamptz,
          finished_at = case when ${progress.state} = 'running' then null else ${progress.at}::timestamptz end
        where organization_id = ${progress.organizationId} and id = ${progress.importId}
          and attempt = ${progress.attempt} and state = 'running'
        returning *
      ), added as (
        insert into svc.import_rows (organization_id, import_id, position, outcome, reason, lead_id, source)
        select a.organization_id, a.id, r.position, r.outcome, r.reason, r.lead_id, r.source::jsonb
        from advanced a, unnest(${integers(column("position"))}, ${texts(column("outcome"))},
          ${texts(column("reason"))}, ${texts(column("leadId"))}, ${texts(sources)})
          as r (position, outcome, reason, lead_id, source)
        where a.organization_id = ${progress.organizationId}
      )
      select * from advanced
    `.pipe(first(runOf))
  },
  latest: (organizationId, missionId, fingerprint) =>
    sql<RunRow>`
      select * from svc.imports
      where organization_id = ${organizationId} and mission_id = ${missionId} and fingerprint = ${fingerprint}
      order by created_at desc, id collate "C" desc limit 1
    `.pipe(first(runOf)),
  outcome: (organizationId, importId, limit) =>
    sql<RunRow & { readonly updated_ids: ReadonlyArray<string> }>`
      select i.*, array(
        select r.lead_id from svc.import_rows r
        where r.organization_id = ${organizationId} and r.import_id = i.id and r.outcome = 'updated'
        group by r.lead_id order by min(r.position) limit ${limit}
      ) as updated_ids
      from svc.imports i where i.organization_id = ${organizationId} and i.id = ${importId}
    `.pipe(first(({ updated_ids, ...row }) => ({ run: runOf(row), updatedIds: updated_ids }))),
  find: (organizationId, importId, refused) =>
    sql<InMissionRow & { readonly refused: ReadonlyArray<Imports.RefusedRow> }>`
      select i.*, json_build_object('id', m.id, 'handle', m.handle, 'name', m.name) as mission, (
        select coalesce(json_agg(json_build_object('position', r.position, 'outcome', r.outcome, 'reason', r.reason)
          order by r.position), '[]')
        from (
          select position, outcome, reason from svc.import_rows
          where organization_id = ${organizationId} and import_id = i.id
            and (outcome = 'invalid' or (outcome = 'skipped' and reason not in ('UNCHANGED', 'ENROLLED')))
          order by position limit ${refused}
        ) r
      ) as refused
      from svc.imports i
      join svc.missions m on m.organization_id = ${organizationId} and m.id = i.mission_id
      where i.organization_id = ${organizationId} and i.id = ${importId}
    `.pipe(first(({ refused: rows, ...row }) => ({ ...listedOf(row), refused: rows }))),
  rows: (organizationId, importId, filter, { after, limit }) =>
    sql<RowRow>`
      select r.position, r.outcome, r.reason, r.lead_id, r.source, case when l.id is null then null else
        jsonb_build_object('id', l.id, 'name', l.name, 'jobTitle', l.job_title, 'company', l.company,
          'status', l.status) end as lead
      from (
        select * from svc.import_rows
        where organization_id = ${organizationId} and import_id = ${importId} and position > ${after?.[0] ?? -1}
          and ${conditionOf(sql, filter)}
        order by position limit ${limit + 1}
      ) r
      left join svc.leads l on l.organization_id = ${organizationId} and l.id = r.lead_id
      order by r.position
    `.pipe(
      page(
        ({ lead_id, ...row }) => ({ ...row, importId, leadId: lead_id }),
        limit,
        ({ position }) => [position]
      )
    ),
  settle: (organizationId, importId, { at, from, reason, to }) =>
    sql<RunRow>`
      update svc.imports set state = ${to}, reason = ${reason}, updated_at = ${at}::timestamptz,
        finished_at = ${at}::timestamptz
      where organization_id = ${organizationId} and id = ${importId} and state = any (${[...from]}::text[])
      returning *
    `.pipe(first(runOf)),
  list: (organizationId, filter, request) =>
    sql<InMissionRow>`
      select i.*, json_build_object('id', m.id, 'handle', m.handle, 'name', m.name) as mission
      from svc.imports i
      join svc.missions m on m.organization_id = ${organizationId} and m.id = i.mission_id
      where i.organization_id = ${organizationId}
        and (${filter.mission ?? null}::text is null or m.id = ${filter.mission ?? null}::text
          or m.handle = ${filter.mission ?? null}::text)
        and (${filter.type ?? null}::text is null or i.type = ${filter.type ?? null}::text)
        and (${filter.state ?? null}::text is null or ${filter.state ?? null}::text =
          case when i.state = 'running' and i.updated_at < ${filter.staleBefore}::timestamptz
            then 'interrupted' else i.state end)
        and ${newestFirst(sql, request, "i.")}
    `.pipe(page(listedOf, request.limit, ({ run }) => [run.createdAt, run.id])),
  undoRows: undoRows(sql)
}))
