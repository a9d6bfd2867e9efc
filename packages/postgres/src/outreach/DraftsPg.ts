/** LinkedIn drafts in PostgreSQL. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, type StoreFailure, snakeKeys } from "@svc/core"
import { snakeCase } from "@svc/core/internal"
import { DraftOpen } from "@svc/core/leads"
import { type DraftRow, DraftsRepo, type DraftView } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import { noteWork } from "../background/DueWorkPg.ts"
import { texts } from "../columns.ts"
import { keepingLeads } from "../leads/keepLeads.ts"
import { first, newestFirst, oldestFirst, page, repository } from "../results.ts"
import { catchUnique, orUnavailable, retryTransaction } from "../SqlFailure.ts"
import { checksPg } from "./checksPg.ts"
import { agentJson, fieldsOf, missionJson, object, personJson, rowJson } from "./transmissionJson.ts"

const ids = ["id", "organizationId", "leadId", "agentId", "missionId", "queueItemId", "messageId", "externalMessageId"]
const content = [
  "status",
  "variations",
  "selectedIndex",
  "selectedBodyText",
  "approved",
  "steps",
  "evidence",
  "followUp"
]
const instants = ["approvedAt", "cancelledAt", "dispatchedAt", "createdAt", "updatedAt"]
/** The fields of a draft that have a column of their name, and those of its review. */
const own = [...ids, ...content, ...instants]
const ofReview = ["snoozedUntil", "flagged", "flagNote", "rejection", "rewrite"]

const actor = (by: string) => object({ userId: `d.${by}_by_user_id`, actorKind: `d.${by}_by_actor_kind` })

/** Views of d: l is its lead, a its agent, m its mission, q the message that carries it. */
const selectDraftView = `
  select d.id, d.created_at, ${object({
    row: object({
      ...fieldsOf("d", own),
      review: object(fieldsOf("d", ofReview)),
      createdBy: actor("created"),
      approvedBy: `case when d.approved_by_user_id is not null then ${actor("approved")} end`
    }),
    item: `case when q.id is not null then ${rowJson} end`,
    rules: "coalesce((select o.policy from svc.organizations o where o.id = d.organization_id), '{}')",
    lead: object({ ...personJson, jobTitle: "l.job_title" }),
    agent: object(agentJson),
    mission: missionJson
  })} as view
  from svc.linkedin_drafts d
  join svc.leads l on l.organization_id = d.organization_id and l.id = d.lead_id
  join svc.agents a on a.organization_id = d.organization_id and a.id = d.agent_id
  left join svc.missions m on m.organization_id = d.organization_id and m.id = d.mission_id
  left join svc.transmissions q on q.organization_id = d.organization_id and q.id = d.queue_item_id`

const fixed = ["id", "organizationId", "agentId", "createdAt"]
const changing = [...own.filter((field) => !fixed.includes(field)), ...ofReview].map(snakeCase)

/** What changes, for an update from a JSON list of drafts r. */
const draftChanges = [...changing, "approved_by_user_id", "approved_by_actor_kind"]
  .map((column) => `${column} = r.${column}`)
  .join(", ")

/** The columns of a draft. */
const columnsOf = ({ approvedBy, createdBy, review, ...row }: DraftRow) => ({
  ...snakeKeys({ ...row, ...review }),
  created_by_user_id: createdBy.userId,
  created_by_actor_kind: createdBy.actorKind,
  approved_by_user_id: approvedBy?.userId ?? null,
  approved_by_actor_kind: approvedBy?.actorKind ?? null
})

const uniqueOpenDraft = catchUnique("linkedin_drafts_open", () => new DraftOpen())

interface ViewColumns {
  readonly view: DraftView
}

type Which = Parameters<DraftsRepo["Service"]["hold"]>[1]

/** By what missions count the message and the invitation of a draft. */
interface Counted {
  readonly id: string
  readonly lead_id: string
  readonly message_id: string | null
  readonly mission_id: string | null
  /** Whether an invitation counts for its step, variation and writer. */
  readonly is_invited: boolean
}

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

  /** Drafts without a queue item are due when they are approved. */
  const unqueuedOf = (organizationId: OrganizationId, drafts: ReadonlyArray<DraftRow>) => {
    const approved = drafts.flatMap(({ approvedAt, queueItemId, status }) =>
      status === "READY_TO_SEND" && queueItemId === null ? [approvedAt] : []
    )
    return sql`
      select ${organizationId}, 'linkedin', min(at) from unnest(${texts(approved)}::timestamptz[]) at having min(at) is not null`
  }

  const save = (organizationId: OrganizationId, drafts: ReadonlyArray<DraftRow>) =>
    sql<Counted>`
      with due as (${noteWork(sql, unqueuedOf(organizationId, drafts))}), saved as (
        update svc.linkedin_drafts d set ${sql.literal(draftChanges)}
        from jsonb_populate_recordset(null::svc.linkedin_drafts, ${sql.json(drafts.map(columnsOf))}) as r
        where d.organization_id = ${organizationId} and d.id = r.id
      )
      select b.id, b.lead_id, b.mission_id, b.message_id, exists (
        select from svc.transmissions i
        where i.organization_id = ${organizationId} and i.draft_id = b.id and i.kind = 'invitation'
      ) as is_invited
      from svc.linkedin_drafts b
      where b.organization_id = ${organizationId} and b.id = any (${texts(drafts.map(({ id }) => id))})
    `.pipe(
      // A draft may have been another lead's.
      keepingLeads(
        sql,
        organizationId,
        (before: ReadonlyArray<Counted>) => [
          ...before.map(({ lead_id }) => lead_id),
          ...drafts.map(({ leadId }) => leadId)
        ],
        (before) =>
          before.some(({ id, is_invited, lead_id, message_id, mission_id }) => {
            const now = drafts.find((draft) => draft.id === id)
            return is_invited || now?.leadId !== lead_id || now.messageId !== message_id || now.missionId !== mission_id
          })
      ),
      Effect.asVoid
    )

  const insert = (drafts: ReadonlyArray<DraftRow>) =>
    sql<{ readonly id: string; readonly lead_id: string; readonly agent_id: string }>`
      select * from svc.svc_insert_drafts(${drafts[0]?.organizationId}, ${sql.json(drafts.map(columnsOf))})
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
      `.pipe(first(({ id }) => id)),
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
    pending: (organizationId, request) =>
      sql<ViewColumns & { readonly total: number }>`
        select x.*, counted.total
        from (
          select count(*)::int as total from svc.linkedin_drafts
          where organization_id = ${organizationId} and status = 'PENDING_REVIEW'
        ) counted
        left join (
          ${view} where d.organization_id = ${organizationId} and d.status = 'PENDING_REVIEW'
            and ${oldestFirst(sql, request, "d.", "created_at")}
        ) x on true
        order by x.created_at, x.id collate "C"
      `.pipe(
        orUnavailable,
        Effect.map((rows) => ({
          // A page without drafts is one row with the total only.
          ...cutPage(rows.filter(({ view }) => view !== null).map(viewOf), request.limit, ({ row }) => [
            row.createdAt,
            row.id
          ]),
          total: rows[0]?.total ?? 0
        }))
      )
  })
}

/** Keeps drafts in the database, and reads the facts of checks. */
export const layer = repository(DraftsRepo, make)
