/** `linkedin.draft.create` of the peer: two statements. */
import { Failure } from "./Failure.ts"
import { readIdentities } from "./identities.ts"
import { type Call, type Command, journalParameters, type Plan, withJournal } from "./runCommand.ts"
import { canonicalJson, makeId, sha256 } from "./text.ts"

interface DraftInput {
  readonly variations: ReadonlyArray<{ readonly body_text: string }>
  readonly lead_id?: string
  readonly email?: string
  readonly linkedin_url?: string
  readonly agent_handle: string
  readonly mission_id?: string
}

/** JSON schema of the input. */
export const draftInput = {
  type: "object",
  additionalProperties: false,
  required: ["variations", "agent_handle"],
  properties: {
    variations: {
      type: "array",
      minItems: 1,
      maxItems: 3,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["body_text"],
        properties: { body_text: { type: "string", minLength: 1, maxLength: 8_000 } }
      }
    },
    lead_id: { type: "string", minLength: 1, maxLength: 64 },
    email: { type: "string", maxLength: 500 },
    linkedin_url: { type: "string", maxLength: 4_000 },
    agent_handle: { type: "string", minLength: 1, maxLength: 64 },
    mission_id: { type: "string", minLength: 1, maxLength: 64 },
    replace_open: { enum: [false], default: false }
  }
}

const find = {
  name: "find_for_draft",
  text: `select l.id, l.name, l.company, l.job_title, l.linkedin_url, l.status, a.agent, m.mission, d.id as open_draft_id,
      exists (
        select 1 from (
          select i.kind, i.value from lead_identities i where i.organization_id = $1 and i.lead_id = l.id
          union all values ('lead', l.id), ('domain', split_part(l.email, '@', 2))
        ) g (kind, value)
        join suppressions s on s.organization_id = $1 and s.kind = g.kind and s.value = g.value
        where s.until is null or s.until > now()) as suppressed
    from (
      select $2::text as id where $2::text is not null
      union
      select i.lead_id from unnest($3::text[], $4::text[]) g (kind, value)
      join lead_identities i on i.organization_id = $1 and i.kind = g.kind and i.value = g.value
    ) h
    join leads l on l.organization_id = $1 and l.id = h.id
    left join lateral (
      select g.id, json_build_object('agent_id', g.id, 'handle', g.handle,
        'name', g.first_name || ' ' || g.last_name) as agent
      from agents g where g.organization_id = $1 and g.handle = $5) a on true
    left join lateral (
      select json_build_object('mission_id', g.id, 'handle', g.handle, 'name', g.name, 'status', g.status) as mission
      from missions g where g.organization_id = $1 and (g.id = $6 or g.handle = $6) limit 1) m on true
    left join linkedin_drafts d on d.organization_id = $1 and d.lead_id = l.id and d.agent_id = a.id
      and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')`
}

interface FoundRow {
  readonly id: string
  readonly name: string
  readonly company: string
  readonly job_title: string
  readonly linkedin_url: string
  readonly status: string
  readonly suppressed: boolean
  readonly agent: { readonly agent_id: string; readonly handle: string; readonly name: string } | null
  readonly mission: {
    readonly mission_id: string
    readonly handle: string
    readonly name: string
    readonly status: string
  } | null
  readonly open_draft_id: string | null
}

const p = (index: number, type: string): string => `$${journalParameters + index}::${type}`

const insert = withJournal(
  "create_draft",
  `written as (
    insert into linkedin_drafts (organization_id, id, lead_id, agent_id, mission_id, status, variations,
      created_by_user_id, created_by_actor_kind, created_at, updated_at)
    values ($1::text, ${p(1, "text")}, ${p(2, "text")}, ${p(3, "text")}, ${p(4, "text")}, 'PENDING_REVIEW',
      ${p(5, "jsonb")}, $3::text, $2::text, $8::timestamptz, $8::timestamptz)
    returning id
  )`
)

const plan = async ({ actor, at, input, query }: Call<DraftInput>): Promise<Plan> => {
  const { organizationId, kind, userId } = actor
  const { identities } = readIdentities(input.email, input.linkedin_url)
  const { agent_handle: handle, lead_id: leadId = null, mission_id: missionId = null } = input
  if (identities.length === 0 && leadId === null)
    throw new Failure(400, "IDENTIFIER_REQUIRED", "Name the lead: send lead_id, email or linkedin_url.")
  const texts = input.variations.map(({ body_text }) => body_text)
  const rows = await query<FoundRow>(find, [
    organizationId,
    leadId,
    identities.map((identity) => identity.kind),
    identities.map(({ value }) => value),
    handle,
    missionId
  ])
  const [lead] = rows
  if (lead === undefined) throw new Failure(404, "NOT_FOUND", "Lead not found.")
  if (rows.length > 1) throw new Failure(409, "IDENTITY_CONFLICT", "The identifiers belong to several leads.")
  const { agent, mission } = lead
  if (agent === null) throw new Failure(404, "NOT_FOUND", `Agent ${handle} not found.`)
  if (missionId !== null && mission === null) throw new Failure(404, "NOT_FOUND", `Mission ${missionId} not found.`)
  if (mission?.status === "ARCHIVED") throw new Failure(409, "MISSION_ARCHIVED", `Mission ${missionId} is archived.`)
  if (lead.status === "DoNotContact" || lead.suppressed)
    throw new Failure(409, "LEAD_SUPPRESSED", `Lead ${lead.id} must not be contacted.`)
  if (lead.open_draft_id !== null)
    throw new Failure(409, "DRAFT_OPEN", `Lead ${lead.id} already has the open draft ${lead.open_draft_id}.`)
  const id = makeId("drf")
  const contentHash = sha256(canonicalJson({ lead_id: lead.id, agent_id: agent.agent_id, variations: texts }))
  return {
    statement: insert,
    values: [id, lead.id, agent.agent_id, mission?.mission_id ?? null, JSON.stringify(texts)],
    subject: { type: "draft", id },
    event: {
      type: "draft.created",
      data: {
        status: "PENDING_REVIEW",
        lead_id: lead.id,
        agent_id: agent.agent_id,
        mission_id: mission?.mission_id ?? null,
        content_hash: contentHash
      }
    },
    output: {
      draft: {
        draft_id: id,
        status: "PENDING_REVIEW",
        channel: "LINKEDIN",
        dispatched_queue_item_id: null,
        dispatched_message_id: null,
        dispatched_external_message_id: null,
        selected_variation_index: null,
        selected_body_text: null,
        approved_at: null,
        cancelled_at: null,
        dispatched_at: null,
        created_at: at,
        updated_at: at,
        created_by_user_id: userId,
        created_by_actor_kind: kind,
        approved_by_user_id: null,
        approved_by_actor_kind: null,
        lead: {
          lead_id: lead.id,
          name: lead.name,
          company_name: lead.company || null,
          job_title: lead.job_title || null,
          linkedin_url: lead.linkedin_url || null
        },
        agent,
        mission: mission && { mission_id: mission.mission_id, handle: mission.handle, name: mission.name },
        variations: texts.map((body_text, position) => ({ position, body_text }))
      }
    }
  }
}

/** Stores a draft for review. */
export const createDraft: Command<DraftInput> = { id: "linkedin.draft.create", scope: "linkedin:draft", plan }
