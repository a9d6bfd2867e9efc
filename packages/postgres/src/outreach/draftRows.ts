/** Drafts as JSON in the form of their TypeScript type, and as columns. Alias: d is a draft. */
import type { DraftRow } from "@svc/core/outreach"
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
export const selectDraftView = `
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
export const draftChanges = changing.map((name) => `${name} = r.${name}`).join(", ")
export const draftTypes = names.join(", ")

/** The columns of a draft, for `jsonb_to_recordset`. */
export const draftColumns = (row: DraftRow): Readonly<Record<string, unknown>> => {
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
