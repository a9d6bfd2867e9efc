/** Makes the peer's tables and fills them. */
import { createHash } from "node:crypto"
import { schema } from "../peer/schema.ts"
import {
  type Filling,
  fill,
  identities,
  type Organization,
  offerRows,
  people,
  type Size,
  withConnection
} from "./fill.ts"

const agents = `
  with agents as (
    insert into agents (organization_id, id, handle, first_name, last_name, created_at)
    select $1, 'agt_' || a, 'agent-' || a, 'Ada', 'Martin', now() from generate_series(1, $2::int) a
    returning organization_id, id
  )
  insert into linkedin_accounts (organization_id, id, agent_id, status)
  select organization_id, replace(id, 'agt', 'acc'), id, 'OK' from agents`

const missions = `
  insert into missions (organization_id, id, handle, name, status, offer_id)
  select $1, 'mis_' || m, 'mission-' || m, 'Mission ' || m, 'ACTIVE', 'off_' || lpad(m::text, 26, '0')
  from generate_series(1, $2::int) m`

const many = [
  `with ${people}
  insert into leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
    is_flagged, profile, last_outbound_at, created_at, updated_at)
  select $1, p.id, p.name, p.headline, p.job_title, p.company, p.email, p.linkedin_url, '', 'Contacted', p.n % 100, false,
    p.profile, p.at, p.at, p.at
  from people p`,
  `with ${people} insert into lead_identities (organization_id, kind, value, lead_id) ${identities}`,
  `with ${people}
  insert into lead_messages (organization_id, id, lead_id, direction, channel, content, is_pending, sent_at)
  select $1, 'msg_' || p.n, p.id, 'outbound', 'LINKEDIN', 'Hello, how long does closing a month take your team?', false, p.at
  from people p`,
  `with ${people}
  insert into events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
  select $1, 'evt_' || lpad(p.n::text, 26, '0'), 'lead.created', 'lead', p.id, 'USER', 'usr_1', '{"status":"New"}', p.at
  from people p`,
  `with ${people}
  insert into lead_missions (organization_id, lead_id, mission_id, linked_at)
  select $1, p.id, 'mis_' || p.n % 10 + 1, p.at from people p`,
  `with ${people}
  insert into lead_relations (organization_id, lead_id, account_id, connected, conversation_synced, invited_at, checked_at)
  select $1, p.id, 'acc_' || p.n % 10 + 1, false, false, p.at, p.at from people p where p.n % 5 = 0`,
  `with ${people}
  insert into linkedin_drafts (organization_id, id, lead_id, agent_id, mission_id, status, variations,
    created_by_user_id, created_by_actor_kind, created_at, updated_at)
  select $1, 'drf_' || lpad(p.n::text, 26, '0'), p.id, 'agt_' || p.n % 10 + 1, 'mis_' || p.n % 10 + 1, 'CANCELLED',
    '["Hello, how long does closing a month take your team?"]', 'usr_1', 'USER', p.at, p.at
  from people p where p.n % 5 = 0`,
  `with ${people}
  insert into suppressions (organization_id, kind, value, reason)
  select $1, 'email', 'stop.' || p.email, 'asked for it' from people p where p.n % 100 = 0`
]

const peerKey = `
  with made as (
    insert into organizations (id, name, created_at) values ($1, 'Bench', now()) returning id
  )
  insert into api_keys (key_id, organization_id, user_id, actor_kind, scopes, secret_hash)
  select $2, id, 'usr_1', 'USER', '{leads:read,leads:write,offers:read,offers:write,linkedin:draft}', $3 from made`

const offers = `
  insert into offers (organization_id, id, name, one_liner, value_proposition, description, landing_page_url,
    sales_brief_url, is_draft, parts, created_at, updated_at)
  select $1, o.id, o.name, o.one_liner, o.value_proposition, o.description, 'https://offers.example/' || o.id, null, false,
    o.parts, at, at
  from ${offerRows}`

const filling: Filling = { offers, few: [agents, missions], many }

/** Makes the peer's tables and fills them, with the same organizations and keys. */
export const fillPeer = (url: string, organizations: ReadonlyArray<Organization>, size: Size): Promise<void> =>
  withConnection(url, async (sql) => {
    // The checks of rows name tables of both sides alike. Its own statements name no schema.
    await sql.query("create schema svc; alter database peer set search_path = svc; set search_path = svc")
    await sql.query(schema)
    for (const { api_key, organization_id } of organizations) {
      const [, , keyId, secret = ""] = api_key.split("_")
      await sql.query(peerKey, [organization_id, keyId, createHash("sha256").update(secret).digest("hex")])
    }
    await fill(sql, organizations, size, filling)
  })
