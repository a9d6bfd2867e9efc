/** Imports in PostgreSQL. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { type AccountId, cutPage, type LeadId, type MissionId, type OrganizationId, VersionConflict } from "@svc/core"
import {
  addOutcomes,
  countEnrolled,
  type ImportFile,
  type ImportMission,
  type ImportRow,
  type ImportRun,
  type ImportState,
  ImportsRepo,
  type ImportType,
  type ListedImportRow,
  noCounts,
  type RefusedRow,
  type RowFilter
} from "@svc/core/imports"
import * as Effect from "effect/Effect"
import { integers, texts } from "../columnParameter.ts"
import { first, newestFirst, page, repository } from "../results.ts"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"
import { undoRows } from "./undoRowsPg.ts"

interface RunRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly mission_id: MissionId
  readonly type: ImportType
  readonly name: string
  readonly fingerprint: string | null
  readonly source_url: string | null
  readonly context: string | null
  readonly state: ImportState
  readonly reason: string | null
  readonly created_count: number
  readonly updated_count: number
  readonly skipped_count: number
  readonly invalid_count: number
  readonly enrolled_count: number
  readonly cursor: string | null
  readonly account_id: AccountId | null
  readonly file: ImportFile | null
  readonly row_limit: number | null
  readonly attempt: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly finished_at: Date | null
  readonly rows_deleted_at: Date | null
}

interface InMissionRow extends RunRow {
  readonly mission: ImportMission
}

const runOf = (row: RunRow): ImportRun => ({
  id: row.id,
  organizationId: row.organization_id,
  missionId: row.mission_id,
  type: row.type,
  name: row.name,
  fingerprint: row.fingerprint,
  sourceUrl: row.source_url,
  context: row.context,
  state: row.state,
  reason: row.reason,
  counts: {
    created: row.created_count,
    updated: row.updated_count,
    skipped: row.skipped_count,
    invalid: row.invalid_count
  },
  enrolled: row.enrolled_count,
  cursor: row.cursor,
  accountId: row.account_id,
  file: row.file,
  rowLimit: row.row_limit,
  attempt: row.attempt,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  rowsDeletedAt: row.rows_deleted_at?.toISOString() ?? null
})

const listedOf = (row: InMissionRow) => ({ run: runOf(row), mission: row.mission })

interface RowRow extends Omit<ListedImportRow, "importId" | "leadId"> {
  readonly lead_id: LeadId | null
}

/** As the partial indexes say it, so that each filter has one text of its own. */
const conditionOf = (sql: PgClient, filter: RowFilter) => {
  if (filter === undefined) return sql.literal("true")
  if (filter === "refused")
    return sql.literal(`(outcome = 'invalid' or (outcome = 'skipped' and reason not in ('UNCHANGED', 'ENROLLED')))`)
  return sql.literal(`outcome = '${filter}'`)
}

/** Keeps imports in the database, and undoes what they created. */
export const layer = repository(ImportsRepo, (sql) => ({
  // The predicate of the conflict target is that of the index imports_running.
  insert: (run) =>
    sql<RunRow & { readonly is_new: boolean }>`
      insert into svc.imports (organization_id, id, mission_id, type, name, fingerprint, source_url, context, state,
        reason, created_count, updated_count, skipped_count, invalid_count, enrolled_count, cursor, account_id, file,
        row_limit, attempt, created_at, updated_at, finished_at)
      values (${run.organizationId}, ${run.id}, ${run.missionId}, ${run.type}, ${run.name}, ${run.fingerprint},
        ${run.sourceUrl}, ${run.context}, ${run.state}, ${run.reason}, ${run.counts.created}, ${run.counts.updated},
        ${run.counts.skipped}, ${run.counts.invalid}, ${run.enrolled}, ${run.cursor}, ${run.accountId},
        ${sql.json(run.file)}, ${run.rowLimit},
        ${run.attempt}, ${run.createdAt}::timestamptz, ${run.updatedAt}::timestamptz,
        ${run.finishedAt}::timestamptz)
      on conflict (organization_id, mission_id, fingerprint) where state = 'running'
        do update set id = imports.id where imports.organization_id = excluded.organization_id
      returning *, (xmax = 0) as is_new
    `.pipe(
      orUnavailable,
      Effect.map(([row]) => (row === undefined || row.is_new ? undefined : runOf(row)))
    ),
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
      orUnavailable,
      Effect.map(([row]) => row && runOf(row))
    ),
  advance: (progress) => {
    const { rows } = progress
    const added = addOutcomes(noCounts, rows)
    const column = <K extends keyof ImportRow>(name: K) => rows.map((row) => row[name])
    const sources = rows.map(({ source }) => source && JSON.stringify(source))
    return sql<RunRow>`
      with advanced as (
        update svc.imports set state = ${progress.state}, reason = ${progress.reason}, cursor = ${progress.cursor},
          created_count = created_count + ${added.created}::int, updated_count = updated_count + ${added.updated}::int,
          skipped_count = skipped_count + ${added.skipped}::int, invalid_count = invalid_count + ${added.invalid}::int,
          enrolled_count = enrolled_count + ${countEnrolled(rows)}::int,
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
    `.pipe(
      orUnavailable,
      Effect.map(([row]) => row && { run: runOf(row), updatedIds: row.updated_ids })
    ),
  find: (organizationId, importId, refused) =>
    sql<InMissionRow & { readonly refused: ReadonlyArray<RefusedRow> }>`
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
    `.pipe(
      orUnavailable,
      Effect.map(([row]) => row && { run: runOf(row), mission: row.mission, refused: row.refused })
    ),
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
      orUnavailable,
      Effect.map((rows) =>
        cutPage(
          rows.map(({ lead_id, ...row }) => ({ ...row, importId, leadId: lead_id })),
          limit,
          ({ position }) => [position]
        )
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
