/** Transmissions of all kinds in PostgreSQL. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { type LeadId, type MissionId, type OrganizationId, type StoreFailure, snakeKeys } from "@svc/core"
import { DraftOpen, type Identity, sortIdentities } from "@svc/core/leads"
import * as Outreach from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { noteWork } from "../background/DueWorkPg.ts"
import { type LeaseClock, leaseClock } from "../background/leases.ts"
import { after, type RowOf, recordOf, texts } from "../columns.ts"
import { keepingLeads } from "../leads/keepLeads.ts"
import { each, first, only, page } from "../results.ts"
import { catchUnique, orUnavailable } from "../SqlFailure.ts"
import { insertRows, relationJson, rowJson, savedWorkRows, selectView } from "./transmissionJson.ts"
import { pacesPg, turnsPg } from "./turnsPg.ts"

interface ViewColumns {
  readonly view: Outreach.TransmissionView
}

const uniqueOpenDraft = catchUnique("linkedin_drafts_open", () => new DraftOpen())
const viewOf = ({ view }: ViewColumns) => view

/** The part of an id that grows with time: what follows its prefix. */
const ageOf = ({ row: { id } }: Outreach.TransmissionView): string => id.slice(id.indexOf("_") + 1)

const make = (sql: PgClient, clock: LeaseClock) => {
  // The same text for every call; parameters follow.
  const row = sql.literal(rowJson)
  const relation = sql.literal(relationJson)
  const savedWork = sql.literal(savedWorkRows)

  const hold = (
    organizationId: OrganizationId,
    id: Outreach.TransmissionId
  ): Effect.Effect<Outreach.TransmissionView | undefined, StoreFailure> =>
    Effect.gen(function* () {
      const [lead] = yield* orUnavailable(sql<{ readonly id: LeadId }>`
        select l.id from svc.transmissions q
        join svc.leads l on l.organization_id = q.organization_id and l.id = q.lead_id
        where q.organization_id = ${organizationId} and q.id = ${id} for no key update of l
      `)
      if (lead === undefined) return undefined
      const held = yield* sql<ViewColumns>`
        ${selectView(sql, organizationId)} where q.organization_id = ${organizationId} and q.id = ${id} for update of q
      `.pipe(first(viewOf))
      // The lead was merged while this transaction waited for it.
      return held === undefined || held.lead.id === lead.id ? held : yield* hold(organizationId, id)
    })

  return Outreach.TransmissionsRepo.of({
    ...turnsPg(sql, clock),
    ...pacesPg(sql),
    hold,
    find: (organizationId, id) =>
      sql<ViewColumns>`${selectView(sql, organizationId)} where q.organization_id = ${organizationId} and q.id = ${id}`.pipe(
        first(viewOf)
      ),
    list: (organizationId, filter, { after, limit }) => {
      const { accountId = null, kinds, leadId = null, mission = null, order, reviewed = false, states } = filter
      const [from = null] = after ?? []
      const age = sql.literal(`substr(q.id, 5) collate "C"`)
      const [kind] = kinds
      // A single kind is read in index order.
      const ofKinds = kinds.length === 1 ? sql`q.kind = ${kind}` : sql`q.kind = any (${[...kinds]}::text[])`
      const next = order === "oldest" ? sql`${age} > ${from}::text` : sql`${age} < ${from}::text`
      return sql<ViewColumns>`
        ${selectView(sql, organizationId)}
        where q.organization_id = ${organizationId} and ${ofKinds}
          and ${states.length === 0 ? sql`true` : sql`q.state = any (${[...states]}::text[])`}
          and (${accountId}::text is null or q.account_id = ${accountId}::text)
          and (${leadId}::text is null or q.lead_id = (
            select coalesce(w.merged_into, w.id) from svc.leads w
            where w.organization_id = ${organizationId} and w.id = ${leadId}::text))
          and (${mission}::text is null or m.id = ${mission}::text or m.handle = ${mission}::text)
          and (not ${reviewed}::boolean or q.details ->> 'strategy' <> 'AUTO')
          and (${from}::text is null or ${next})
        order by ${age} ${sql.literal(order === "oldest" ? "asc" : "desc")} limit ${limit + 1}
      `.pipe(page(viewOf, limit, (found) => [ageOf(found)]))
    },
    save: (organizationId, rows) =>
      sql`
        with given as (select ${organizationId}::text as organization_id, ${sql.json([...rows])}::jsonb as list),
        saved as (${sql.literal(insertRows)} returning q.*), due as (${noteWork(sql, savedWork)})
        insert into svc.senders (organization_id, sender_id) select distinct organization_id, sender_id from saved
        on conflict (organization_id, sender_id) do nothing
      `.pipe(
        keepingLeads(
          sql,
          organizationId,
          rows.map(({ leadId }) => leadId),
          rows.some(({ kind }) => kind !== "message")
        ),
        orUnavailable,
        Effect.asVoid
      ),
    ofLead: (organizationId, leadId) =>
      sql<{ readonly row: Outreach.Transmission }>`
        select ${row} as row from svc.transmissions q
        where q.organization_id = ${organizationId} and q.lead_id = ${leadId} order by q.id collate "C" desc
      `.pipe(each((found) => found.row)),
    queued: (organizationId, owner) => {
      const ofMission = (missionId: MissionId, leadIds: ReadonlyArray<string>) => sql`q.kind = 'email'
        and q.state in ('in_review', 'queued') and q.mission_id = ${missionId} and q.lead_id = any (${texts(leadIds)})`
      const ofOwner = (isTheirs: Fragment) => sql`q.kind <> 'message' and q.state = 'queued' and ${isTheirs}`
      const isWanted =
        "missionId" in owner
          ? ofMission(owner.missionId, owner.leadIds)
          : ofOwner(
              "agentId" in owner ? sql`q.agent_id = ${owner.agentId}` : sql`q.draft_id = any (${texts(owner.draftIds)})`
            )
      return sql<{ readonly row: Outreach.Invitation | Outreach.EmailRow }>`
        select ${row} as row from svc.transmissions q
        where q.organization_id = ${organizationId} and ${isWanted} order by q.id collate "C"
      `.pipe(each((found) => found.row))
    },
    unqueued: ({ approvedBefore, limit, organizationId }) =>
      sql<Pick<Outreach.Transmission, "id">>`
        select d.id from svc.linkedin_drafts d
        left join svc.missions m on m.organization_id = d.organization_id and m.id = d.mission_id
        where d.organization_id = ${organizationId} and d.status = 'READY_TO_SEND' and d.queue_item_id is null
          and d.approved_at <= ${approvedBefore}::timestamptz and (d.mission_id is null or m.status = 'ACTIVE')
        order by d.approved_at, d.id collate "C" limit ${limit}
      `.pipe(each(({ id }) => id)),
    expired: ({ limit, now, organizationId }) =>
      sql<Pick<Outreach.Transmission, "id">>`
        select q.id from svc.transmissions q
        where q.organization_id = ${organizationId} and q.state = 'in_review' and q.expires_at <= ${now}::timestamptz
        order by q.expires_at, q.id collate "C" limit ${limit}
      `.pipe(each(({ id }) => id)),
    countUnsent: (organizationId, agentId) =>
      sql<{ readonly count: number }>`
        select count(*)::int as count from svc.transmissions q
        where q.organization_id = ${organizationId} and q.agent_id = ${agentId} and q.kind <> 'email'
          and q.state in ('queued', 'waiting_relation', 'sending', 'ambiguous')
      `.pipe(only(({ count }) => count)),
    saveAttempt: (attempt) =>
      sql`
        insert into svc.linkedin_attempts as a ${sql.insert(snakeKeys(attempt))}
        on conflict (organization_id, queue_item_id, number) do update set action = excluded.action,
          outcome = excluded.outcome, detail = excluded.detail, ended_at = excluded.ended_at
        where a.organization_id = excluded.organization_id
      `.pipe(orUnavailable, Effect.asVoid),
    attemptsOf: (organizationId, id) =>
      sql<RowOf<Outreach.SendAttempt>>`
        select t.* from svc.linkedin_attempts t
        where t.organization_id = ${organizationId} and t.queue_item_id = ${id} order by t.number
      `.pipe(each(recordOf<Outreach.SendAttempt>)),
    person: (organizationId, accountId, leadId) =>
      sql<{ readonly identities: ReadonlyArray<Identity>; readonly relation: Outreach.LeadRelation | null }>`
        select (
          select coalesce(jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value, 'derived', i.derived)), '[]')
          from svc.lead_identities i where i.organization_id = ${organizationId} and i.lead_id = ${leadId}
        ) as identities, (
          select ${relation} from svc.lead_relations r
          where r.organization_id = ${organizationId} and r.account_id = ${accountId} and r.lead_id = ${leadId}
        ) as relation
      `.pipe(
        only((found) => ({ identities: sortIdentities(found.identities), relation: found.relation ?? undefined }))
      ),
    saveRelation: (known) =>
      sql`
        insert into svc.lead_relations as r ${sql.insert(snakeKeys(known))}
        on conflict (organization_id, account_id, lead_id) do update set connected = excluded.connected,
          chat_id = excluded.chat_id, invited_at = excluded.invited_at, checked_at = excluded.checked_at
        where r.organization_id = excluded.organization_id
      `.pipe(keepingLeads(sql, known.organizationId, [known.leadId], false), orUnavailable, Effect.asVoid),
    forgetRelations: (organizationId, leadId) =>
      sql`delete from svc.lead_relations where organization_id = ${organizationId} and lead_id = ${leadId}`.pipe(
        keepingLeads(sql, organizationId, [leadId], false),
        orUnavailable,
        Effect.asVoid
      ),
    adopt: (organizationId, winnerLeadId, loserLeadIds, at) => {
      const theirs = sql`lead_id = any (${texts(loserLeadIds)})`
      const moved = sql`lead_id = ${winnerLeadId}, updated_at = greatest(${at}::timestamptz, ${sql.literal(after("updated_at"))})`
      return sql`
        with drafts as (
          update svc.linkedin_drafts set ${moved} where organization_id = ${organizationId} and ${theirs}
        ), sent as (
          update svc.transmissions set ${moved} where organization_id = ${organizationId} and ${theirs}
        ), gone as (
          delete from svc.lead_relations where organization_id = ${organizationId} and ${theirs}
          returning account_id, lead_id, connected, chat_id, invited_at, checked_at
        )
        insert into svc.lead_relations (organization_id, account_id, lead_id, connected, chat_id, invited_at, checked_at)
        select distinct on (account_id) ${organizationId}, account_id, ${winnerLeadId}, connected, chat_id, invited_at,
          checked_at
        from gone order by account_id, lead_id collate "C"
        on conflict (organization_id, account_id, lead_id) do nothing
      `.pipe(
        uniqueOpenDraft,
        keepingLeads(sql, organizationId, [winnerLeadId, ...loserLeadIds]),
        orUnavailable,
        Effect.asVoid
      )
    }
  })
}

/** Keeps transmissions in the database. Leases follow the database's clock. */
export const layer = Layer.effect(Outreach.TransmissionsRepo, Effect.zipWith(PgClient, leaseClock, make))
