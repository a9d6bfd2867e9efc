/** Missions in PostgreSQL. */

import type { OrganizationId } from "@svc/core"
import * as Missions from "@svc/core/missions"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import { noteWork } from "../background/DueWorkPg.ts"
import { type RowOf, recordOf, texts } from "../columns.ts"
import { insertUnderFreeHandle } from "../firstFreeHandle.ts"
import { touchLastUsed } from "../lastUsed.ts"
import { keepingLeads } from "../leads/keepLeads.ts"
import { keepActionsOf } from "../leads/staleActions.ts"
import { first, hasRows, newestFirst, only, page, repository } from "../results.ts"
import { orUnavailable } from "../SqlFailure.ts"
import { transacted } from "../TransactionPg.ts"

type Content = Omit<Missions.MissionContent, "name" | "agentId" | "offerId">

type Row = RowOf<Omit<Missions.MissionRow, keyof Content>> & { readonly content: Content; readonly search_text: string }

type ViewRow = Row & {
  readonly agent_handle: string | null
  readonly offer: Missions.MissionView["offer"]
  readonly stats: Missions.MissionView["stats"]
  readonly imports: ReadonlyArray<Missions.ImportRecord>
}

const missionOf = ({ content, search_text: _, ...row }: Row): Missions.MissionRow => ({
  ...recordOf<Omit<Missions.MissionRow, keyof Content>>(row),
  ...content
})

const viewOf = ({ agent_handle, imports, offer, stats, ...row }: ViewRow): Missions.MissionView => ({
  mission: missionOf(row),
  agentHandle: agent_handle ?? "",
  offer,
  stats,
  // Inside jsonb an instant is in PostgreSQL's own spelling.
  imports: imports.map((record) => ({ ...record, date: new Date(record.date).toISOString() }))
})

const jsonOf = (mission: Missions.MissionRow): string => {
  const { agentId: _agent, name: _name, offerId: _offer, ...content } = Missions.contentOf(mission)
  return JSON.stringify(content)
}

/** Keeps missions. */
export const layer = repository(Missions.MissionsRepo, (sql) => {
  /** What a view shows beside the row `mission`. */
  const shown = (organizationId: OrganizationId) => sql`
    mission.*, agent.handle as agent_handle, case when offer.id is not null then json_build_object('id', offer.id,
      'name', offer.name, 'oneLiner', offer.one_liner, 'landingPageUrl', offer.document ->> 'landingPageUrl') end as offer,
    json_build_object('leads', members.leads, 'contacted', answered.contacted, 'replied', answered.replied) as stats,
    history.imports
    from mission
    left join svc.agents agent on agent.organization_id = ${organizationId} and agent.id = mission.agent_id
    left join svc.offers offer on offer.organization_id = ${organizationId} and offer.id = mission.offer_id
    cross join lateral (
      select count(*)::int as leads from svc.lead_missions link
      where link.organization_id = ${organizationId} and link.mission_id = mission.id and link.linked_day is not null
    ) members
    cross join lateral (
      select (count(*) filter (where a.kind = 'contacted'))::int as contacted,
        (count(*) filter (where a.kind = 'replied'))::int as replied
      from svc.mission_activity a
      where a.organization_id = ${organizationId} and a.mission_id = mission.id and a.kind in ('contacted', 'replied')
        and a.day is not null
    ) answered
    cross join lateral (
      select coalesce(jsonb_agg(to_jsonb(record) order by record.date desc, record.import_id collate "C" desc),
        '[]'::jsonb) as imports
      from (
        select id as import_id, type, name, created_at as date,
          created_count + updated_count + skipped_count + invalid_count as count,
          created_count, skipped_count, invalid_count, source_url, context
        from svc.imports
        where organization_id = ${organizationId} and mission_id = mission.id
        order by created_at desc, id collate "C" desc
        limit ${Missions.shownImports}
      ) record
    ) history
  `
  const insertOne = (mission: Missions.MissionRow) => (free: Fragment) =>
    sql<Row>`
    with free as (${free})
    insert into svc.missions (organization_id, id, handle, name, status, before_archive, agent_id, offer_id,
      search_text, content, last_used_at, created_at, updated_at)
    select ${mission.organizationId}, ${mission.id}, free.handle, ${mission.name}, ${mission.status},
      ${mission.beforeArchive}::text, ${mission.agentId}::text, ${mission.offerId}::text,
      ${mission.name.toLowerCase()}::text || E'\n' || free.handle, ${jsonOf(mission)}::jsonb,
      ${mission.lastUsedAt}::timestamptz, ${mission.createdAt}::timestamptz, ${mission.updatedAt}::timestamptz
    from free
    on conflict (organization_id, handle) do nothing
    returning *
  `
  const find = (lock: Fragment) => (organizationId: OrganizationId, idOrHandle: string) =>
    sql<Row>`
      select * from svc.missions
      where organization_id = ${organizationId} and (id = ${idOrHandle} or handle = ${idOrHandle})
      ${lock}
    `.pipe(first(missionOf))
  const finished = texts(Missions.finishedStatuses)
  return {
    findByIdOrHandle: find(sql.literal("")),
    hold: find(sql.literal("for no key update")),
    holdForDeletion: (organizationId, idOrHandle) =>
      Effect.gen(function* () {
        const mission = yield* find(sql.literal("for update"))(organizationId, idOrHandle)
        if (mission === undefined) return undefined
        const count = (table: string, more = "") => sql`(select count(*)::int from ${sql.literal(`svc.${table}`)}
          where organization_id = ${organizationId} and mission_id = ${mission.id} ${sql.literal(more)})`
        // A second statement, to see what was committed while the first one waited for the lock.
        const [counts] = yield* orUnavailable(sql<Omit<Missions.MissionToDelete, "mission">>`
          select ${count("lead_missions")} as leads,
            ${count("linkedin_drafts", "and status in ('PENDING_REVIEW', 'READY_TO_SEND')")} as "openDrafts",
            ${count("transmissions", "and state in ('in_review', 'queued', 'sending', 'ambiguous')")} as "openEmails",
            ${count("imports", "and state in ('running', 'paused')")} as "unfinishedImports"
        `)
        return { mission, leads: 0, openDrafts: 0, openEmails: 0, unfinishedImports: 0, ...counts }
      }),
    waiting: (organizationId, missionId) =>
      sql<Missions.WaitingMessages>`
        select (count(*) filter (where d.status = 'PENDING_REVIEW'))::int as "toReview",
          (count(*) filter (where d.status = 'READY_TO_SEND'
            and (q.id is null or (q.state in ('queued', 'waiting_relation') and not q.bypass))))::int as held,
          (count(*) filter (where d.status = 'READY_TO_SEND'
            and q.state in ('queued', 'waiting_relation') and q.bypass))::int as bypassing,
          (count(*) filter (where d.status = 'READY_TO_SEND' and q.state = 'ambiguous'))::int as ambiguous
        from svc.linkedin_drafts d
        left join svc.transmissions q on q.organization_id = ${organizationId} and q.id = d.queue_item_id
        where d.organization_id = ${organizationId} and d.mission_id = ${missionId}
          and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
      `.pipe(only((row) => row)),
    remove: (organizationId, missionId) =>
      sql<{ readonly id: string }>`
        with held as materialized (
          -- Their messages then count for other missions.
          select l.id from svc.leads l
          where l.organization_id = ${organizationId} and l.id in (
            select d.lead_id from svc.linkedin_drafts d
            where d.organization_id = ${organizationId} and d.mission_id = ${missionId}
            union all
            select q.lead_id from svc.transmissions q
            where q.organization_id = ${organizationId} and q.mission_id = ${missionId})
          order by l.id collate "C" for no key update
        ), ended as (
          delete from svc.imports where organization_id = ${organizationId} and mission_id = ${missionId} returning id
        ), rows as (
          delete from svc.import_rows where organization_id = ${organizationId} and import_id in (select id from ended)
        ), freed as (
          update svc.linkedin_drafts set mission_id = null
          where organization_id = ${organizationId} and mission_id = ${missionId} and lead_id in (select id from held)
        ), released as (
          update svc.transmissions set mission_id = null
          where organization_id = ${organizationId} and mission_id = ${missionId}
        ), gone as (
          delete from svc.missions where organization_id = ${organizationId} and id = ${missionId}
        )
        select id from held
      `.pipe(
        Effect.tap(() =>
          noteWork(
            sql,
            sql`select ${organizationId}, kind, '-infinity'::timestamptz from (values ('emails'), ('linkedin')) k (kind)`
          )
        ),
        keepingLeads(sql, organizationId, (held: ReadonlyArray<{ readonly id: string }>) => held.map(({ id }) => id)),
        orUnavailable,
        Effect.asVoid
      ),
    view: (organizationId, idOrHandle) =>
      sql<ViewRow>`
        with mission as (
          select * from svc.missions
          where organization_id = ${organizationId} and (id = ${idOrHandle} or handle = ${idOrHandle})
        )
        select ${shown(organizationId)}
      `.pipe(first(viewOf)),
    list: (organizationId, filter, request) =>
      sql<ViewRow>`
        with mission as (
          select * from svc.missions
          where organization_id = ${organizationId}
            and (${filter.status ?? null}::text is null
              or (status = 'ARCHIVED') = (${filter.status ?? null}::text = 'archived'))
            and (${filter.offerId ?? null}::text is null or offer_id = ${filter.offerId ?? null}::text)
            and (${filter.agent ?? null}::text is null or agent_id in (
              select id from svc.agents
              where organization_id = ${organizationId}
                and (id = ${filter.agent ?? null}::text or handle = ${filter.agent ?? null}::text)
            ))
            and (${filter.query ?? null}::text is null
              or strpos(search_text, ${filter.query?.toLowerCase() ?? null}::text) > 0)
            and ${newestFirst(sql, request)}
        )
        select ${shown(organizationId)}
        order by mission.created_at desc, mission.id collate "C" desc
      `.pipe(page(viewOf, request.limit, ({ mission }) => [mission.createdAt, mission.id])),
    insert: (mission, handles) =>
      insertUnderFreeHandle(sql, "missions", mission.organizationId, handles, insertOne(mission)).pipe(
        first(missionOf)
      ),
    replace: (mission, seenUpdatedAt) =>
      sql<{ readonly is_acting: boolean }>`
        with before as materialized (
          select status = any (${finished}) <> (${mission.status}::text = any (${finished}))
            or (steps <> '[]' and (status, agent_id) is distinct from (${mission.status}::text, ${mission.agentId}::text)) as is_acting
          from svc.missions
          where organization_id = ${mission.organizationId} and id = ${mission.id}
        ), due as (${noteWork(
          sql,
          sql`select ${mission.organizationId}, kind, ${mission.updatedAt}::timestamptz from (values ('emails'), ('linkedin')) k (kind)
            where ${mission.status !== "PAUSED"}::boolean`
        )})
        update svc.missions set name = ${mission.name}, status = ${mission.status},
          before_archive = ${mission.beforeArchive}::text, agent_id = ${mission.agentId}::text,
          offer_id = ${mission.offerId}::text,
          search_text = ${mission.name.toLowerCase()}::text || E'\n' || handle, content = ${jsonOf(mission)}::jsonb,
          updated_at = ${mission.updatedAt}::timestamptz
        where organization_id = ${mission.organizationId} and id = ${mission.id}
          and updated_at = ${seenUpdatedAt}::timestamptz
        returning (select b.is_acting from before b)
      `.pipe(
        Effect.tap(([row]) =>
          row?.is_acting === true ? keepActionsOf(sql, mission.organizationId, "mission", mission.id) : Effect.void
        ),
        (changing) => transacted(sql, changing),
        hasRows
      ),
    saveSteps: (organizationId, missionId, steps) =>
      sql`
        update svc.missions set steps = ${JSON.stringify(steps)}::jsonb
        where organization_id = ${organizationId} and id = ${missionId}
      `.pipe(
        Effect.andThen(keepActionsOf(sql, organizationId, "mission", missionId)),
        (changing) => transacted(sql, changing),
        orUnavailable
      ),
    touch: (organizationId, missionId, at) => touchLastUsed(sql, "missions", organizationId, missionId, at)
  }
})
