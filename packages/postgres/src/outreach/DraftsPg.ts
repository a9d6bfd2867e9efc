/** LinkedIn drafts in PostgreSQL. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type DraftId, type OrganizationId, type StoreFailure } from "@svc/core"
import { DraftOpen } from "@svc/core/leads"
import { type DraftOwner, type DraftRow, DraftsRepo, type DraftView } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { first, newestFirst, page } from "../results.ts"
import { catchUnique, orUnavailable, retryTransaction } from "../SqlFailure.ts"
import { checksPg } from "./checksPg.ts"
import { draftChanges, draftColumns, draftTypes, selectDraftView } from "./draftRows.ts"

const uniqueOpenDraft = catchUnique("linkedin_drafts_open", () => new DraftOpen())

interface ViewColumns {
  readonly view: DraftView
}

const viewOf = ({ view }: ViewColumns): DraftView => view

const make = (sql: PgClient) => {
  // The same text for every call; parameters follow.
  const view = sql.literal(selectDraftView)
  const isOpen = sql.literal("d.status in ('PENDING_REVIEW', 'READY_TO_SEND')")

  const owned = (owner: DraftOwner) =>
    "leadId" in owner
      ? sql`d.lead_id = ${owner.leadId}`
      : "missionId" in owner
        ? sql`d.mission_id = ${owner.missionId} and ${owner.leadIds === undefined ? sql`true` : sql`d.lead_id = any (${[...owner.leadIds]}::text[])`}`
        : sql`d.agent_id = ${owner.agentId}`

  const hold = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    draftId: DraftId
  ): Effect.fn.Return<DraftView | undefined, StoreFailure> {
    const [lead] = yield* orUnavailable(sql<{ readonly id: string; readonly is_merged: boolean }>`
        select l.id, l.merged_into is not null as is_merged from svc.linkedin_drafts d
        join svc.leads l on l.organization_id = d.organization_id and l.id = d.lead_id
        where d.organization_id = ${organizationId} and d.id = ${draftId}
        for no key update of l
      `)
    if (lead === undefined) return undefined
    // The lead was merged while this transaction waited for it.
    if (lead.is_merged) return yield* retryTransaction
    const [row] = yield* orUnavailable(sql<ViewColumns>`
        ${view} where d.organization_id = ${organizationId} and d.id = ${draftId} for update of d
      `)
    // The draft moved to another lead while this transaction waited for the first one.
    if (row !== undefined && row.view.lead.id !== lead.id) return yield* hold(organizationId, draftId)
    return row?.view
  })

  const holdMany = (
    organizationId: OrganizationId,
    draftIds: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<DraftView>, StoreFailure> =>
    Effect.gen(function* () {
      const leads = yield* orUnavailable(sql<{ readonly id: string }>`
        select l.id from svc.leads l
        where l.organization_id = ${organizationId} and l.id in (
          select d.lead_id from svc.linkedin_drafts d
          where d.organization_id = ${organizationId} and d.id = any (${[...draftIds]}::text[]))
        order by l.id collate "C" for no key update
      `)
      const rows = yield* orUnavailable(sql<ViewColumns>`
        ${view} where d.organization_id = ${organizationId} and d.id = any (${[...draftIds]}::text[])
        order by d.id collate "C" for update of d
      `)
      const held = new Set(leads.map(({ id }) => id))
      // A draft moved to another lead in the meantime, and locks are only acquired in ascending order.
      return rows.every((row) => held.has(row.view.lead.id)) ? rows.map(viewOf) : yield* retryTransaction
    })

  const save = (organizationId: OrganizationId, drafts: ReadonlyArray<DraftRow>) =>
    sql`
      update svc.linkedin_drafts d set ${sql.literal(draftChanges)}
      from jsonb_to_recordset(${sql.json(drafts.map(draftColumns))}) as r (${sql.literal(draftTypes)})
      where d.organization_id = ${organizationId} and d.id = r.id
    `.pipe(Effect.asVoid)

  const insert = (drafts: ReadonlyArray<DraftRow>) =>
    sql<{ readonly id: string; readonly lead_id: string; readonly agent_id: string }>`
      select * from svc.svc_insert_drafts(${drafts[0]?.organizationId}, ${sql.json(drafts.map(draftColumns))})
    `.pipe(
      orUnavailable,
      Effect.map((open) =>
        drafts.map(({ agentId, leadId }) => open.find((row) => row.lead_id === leadId && row.agent_id === agentId)?.id)
      )
    )

  return DraftsRepo.of({
    ...checksPg(sql),
    find: (organizationId, draftId) =>
      sql<ViewColumns>`${view} where d.organization_id = ${organizationId} and d.id = ${draftId}`.pipe(first(viewOf)),
    hold,
    holdMany,
    holdOpen: (organizationId, owner) =>
      Effect.gen(function* () {
        const leads = yield* orUnavailable(sql`
          select l.id from svc.leads l
          where l.organization_id = ${organizationId} and l.id in (
            select d.lead_id from svc.linkedin_drafts d
            where d.organization_id = ${organizationId} and ${isOpen} and ${owned(owner)})
          order by l.id collate "C" for no key update
        `)
        if (leads.length === 0) return []
        const rows = yield* orUnavailable(sql<ViewColumns>`
          ${view} where d.organization_id = ${organizationId} and ${isOpen} and ${owned(owner)}
          order by d.id collate "C" for update of d
        `)
        return rows.map(viewOf)
      }),
    findOpen: (organizationId, leadId, agentId) =>
      sql<{ readonly id: string }>`
        select d.id from svc.linkedin_drafts d
        where d.organization_id = ${organizationId} and d.lead_id = ${leadId} and d.agent_id = ${agentId} and ${isOpen}
      `.pipe(
        orUnavailable,
        Effect.map(([row]) => row?.id)
      ),
    insert,
    save: (organizationId, drafts) => orUnavailable(save(organizationId, drafts)),
    give: (draft) => save(draft.organizationId, [draft]).pipe(uniqueOpenDraft, orUnavailable),
    list: (organizationId, { agent, leadId, mission, status }, request) =>
      sql<ViewColumns>`
        ${view}
        where d.organization_id = ${organizationId}
          and (cardinality(${[...status]}::text[]) = 0 or d.status = any (${[...status]}::text[]))
          and (${leadId ?? null}::text is null or d.lead_id = ${leadId ?? null}::text)
          and (${mission ?? null}::text is null or m.id = ${mission ?? null}::text or m.handle = ${mission ?? null}::text)
          and (${agent ?? null}::text is null or a.id = ${agent ?? null}::text or a.handle = ${agent ?? null}::text)
          and ${newestFirst(sql, request, "d.")}
      `.pipe(page(viewOf, request.limit, ({ row }) => [row.createdAt, row.id])),
    pending: (organizationId, { after, limit }) => {
      const [createdAt = null, id = null] = after ?? []
      return sql<ViewColumns & { readonly total: number }>`
        select x.*, counted.total
        from (
          select count(*)::int as total from svc.linkedin_drafts
          where organization_id = ${organizationId} and status = 'PENDING_REVIEW'
        ) counted
        left join (
          ${view} where d.organization_id = ${organizationId} and d.status = 'PENDING_REVIEW'
            and (${createdAt}::timestamptz is null
              or (d.created_at, d.id collate "C") > (${createdAt}::timestamptz, ${id}::text collate "C"))
          order by d.created_at, d.id collate "C" limit ${limit + 1}
        ) x on true
        order by x.created_at, x.id collate "C"
      `.pipe(
        orUnavailable,
        Effect.map((rows) => ({
          // A page without drafts is one row with the total only.
          ...cutPage(rows.filter(({ view }) => view !== null).map(viewOf), limit, ({ row }) => [row.createdAt, row.id]),
          total: rows[0]?.total ?? 0
        }))
      )
    }
  })
}

/** Keeps drafts in the database, and reads the facts of checks. */
export const layer: Layer.Layer<DraftsRepo, never, PgClient> = Layer.effect(DraftsRepo, Effect.map(PgClient, make))
