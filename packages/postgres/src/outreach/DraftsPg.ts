/** LinkedIn drafts in PostgreSQL. */

import type { PgClient } from "@effect/sql-pg/PgClient"
import { cutPage, type OrganizationId, type StoreFailure } from "@svc/core"
import { DraftOpen } from "@svc/core/leads"
import { type DraftRow, DraftsRepo, type DraftView } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import { first, newestFirst, oldestFirst, page, repository } from "../results.ts"
import { catchUnique, orUnavailable, retryTransaction } from "../SqlFailure.ts"
import { checksPg } from "./checksPg.ts"
import { instant, missionJson, object, personJson, rowJson, senderJson } from "./transmissionJson.ts"

/** Columns by the name of their field, in {@link draftColumns}. */
const columns = {
  id: "id text",
  organizationId: "organization_id text",
  leadId: "lead_id text",
  agentId: "agent_id text",
  missionId: "mission_id text",
  status: "status text",
  variations: "variations jsonb",
  selectedIndex: "selected_index integer",
  selectedBodyText: "selected_body_text text",
  queueItemId: "queue_item_id text",
  messageId: "message_id text",
  externalMessageId: "external_message_id text",
  snoozedUntil: "snoozed_until timestamptz",
  flagged: "flagged boolean",
  flagNote: "flag_note text",
  rejection: "rejection jsonb",
  rewrite: "rewrite jsonb",
  steps: "steps jsonb",
  evidence: "evidence jsonb",
  createdByUserId: "created_by_user_id text",
  createdByActorKind: "created_by_actor_kind text",
  approvedByUserId: "approved_by_user_id text",
  approvedByActorKind: "approved_by_actor_kind text",
  recipient: "recipient jsonb",
  approvedAt: "approved_at timestamptz",
  cancelledAt: "cancelled_at timestamptz",
  dispatchedAt: "dispatched_at timestamptz",
  createdAt: "created_at timestamptz",
  updatedAt: "updated_at timestamptz"
} as const

type Field = keyof typeof columns

const nested: Readonly<Record<string, ReadonlyArray<Field>>> = {
  review: ["snoozedUntil", "flagged", "flagNote", "rejection", "rewrite"],
  actors: ["createdByUserId", "createdByActorKind", "approvedByUserId", "approvedByActorKind"]
}

const isField = (name: string): name is Field => name in columns

const json = (fields: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields.filter(isField).map((field) => {
      const [column = "", type] = columns[field].split(" ")
      return [field, type === "timestamptz" ? instant(`d.${column}`) : `d.${column}`]
    })
  )

const actor = (by: string) => object({ userId: `d.${by}_by_user_id`, actorKind: `d.${by}_by_actor_kind` })
const apart: ReadonlyArray<string> = Object.values(nested).flat()

/** Views of d: l is its lead, a its agent, m its mission, q the message that carries it. */
const selectDraftView = `
  select d.id, d.created_at, ${object({
    row: object({
      ...json(Object.keys(columns).filter((field) => !apart.includes(field))),
      review: object(json(nested["review"] ?? [])),
      createdBy: actor("created"),
      approvedBy: `case when d.approved_by_user_id is not null then ${actor("approved")} end`
    }),
    item: `case when q.id is not null then ${rowJson} end`,
    rules: "coalesce((select o.policy from svc.organizations o where o.id = d.organization_id), '{}')",
    lead: object({ ...personJson, jobTitle: "l.job_title" }),
    agent: object(senderJson),
    mission: missionJson
  })} as view
  from svc.linkedin_drafts d
  join svc.leads l on l.organization_id = d.organization_id and l.id = d.lead_id
  join svc.agents a on a.organization_id = d.organization_id and a.id = d.agent_id
  left join svc.missions m on m.organization_id = d.organization_id and m.id = d.mission_id
  left join svc.transmissions q on q.organization_id = d.organization_id and q.id = d.queue_item_id`

const names = Object.values(columns)
const fixed = ["id", "organization_id", "agent_id", "created_by_user_id", "created_by_actor_kind", "created_at"]
const changing = names.map((column) => column.split(" ")[0] ?? "").filter((name) => !fixed.includes(name))

/** For an update from a JSON list of drafts r: what changes, and the columns of r. */
const draftChanges = changing.map((name) => `${name} = r.${name}`).join(", ")
const draftTypes = names.join(", ")

/** The columns of a draft, for `jsonb_to_recordset`. */
const draftColumns = (row: DraftRow): Readonly<Record<string, unknown>> => {
  const { approvedBy, createdBy, review, ...rest } = row
  const fields: Readonly<Record<Field, unknown>> = {
    ...rest,
    ...review,
    createdByUserId: createdBy.userId,
    createdByActorKind: createdBy.actorKind,
    approvedByUserId: approvedBy?.userId ?? null,
    approvedByActorKind: approvedBy?.actorKind ?? null
  }
  return Object.fromEntries(
    Object.entries(columns).map(([field, column]) => [column.split(" ")[0], Object(fields)[field]])
  )
}

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
