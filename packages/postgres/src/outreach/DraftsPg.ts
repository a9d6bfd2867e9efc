/** LinkedIn drafts in PostgreSQL. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, type StoreFailure } from "@svc/core"
import { DraftOpen } from "@svc/core/leads"
import { type DraftRow, DraftsRepo, type DraftView } from "@svc/core/outreach"
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

type Which = Parameters<DraftsRepo["Service"]["hold"]>[1]

const viewOf = ({ view }: ViewColumns): DraftView => view

const make = (sql: PgClient) => {
  // The same text for every call; parameters follow.
  const view = sql.literal(selectDraftView)
  const isOpen = sql.literal("d.status in ('PENDING_REVIEW', 'READY_TO_SEND')")

  const wanted = (which: Which) => {
    if ("draftIds" in which) return sql`d.id = any (${[...which.draftIds]}::text[])`
    if ("leadId" in which) return sql`${isOpen} and d.lead_id = ${which.leadId}`
    if ("agentId" in which) return sql`${isOpen} and d.agent_id = ${which.agentId}`
    const { leadIds, missionId } = which
    return sql`${isOpen} and d.mission_id = ${missionId}
      and ${leadIds === undefined ? sql`true` : sql`d.lead_id = any (${[...leadIds]}::text[])`}`
  }

  const hold = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    which: Which
  ): Effect.fn.Return<ReadonlyArray<DraftView>, StoreFailure> {
    const leads = yield* orUnavailable(sql<{ readonly id: string }>`
      select l.id from svc.leads l
      where l.organization_id = ${organizationId} and l.id in (
        select d.lead_id from svc.linkedin_drafts d where d.organization_id = ${organizationId} and ${wanted(which)})
      order by l.id collate "C" for no key update
    `)
    if (leads.length === 0) return []
    const rows = yield* orUnavailable(sql<ViewColumns>`
      ${view} where d.organization_id = ${organizationId} and ${wanted(which)} order by d.id collate "C" for update of d
    `)
    const held = new Set(leads.map(({ id }) => id))
    // A lead was merged or a draft moved to another one in the meantime, and locks are only acquired in ascending order.
    const isMoved = "draftIds" in which && !rows.every((row) => held.has(row.view.lead.id))
    return isMoved ? yield* retryTransaction : rows.map(viewOf)
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
