/** Fills our tables. */
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

export const agents = `
  with agents as (
    insert into svc.agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at)
    select $1, 'agt_' || a, 'agent-' || a, 'Ada', 'Martin',
      '{"company":"","jobTitle":"","timezone":"UTC","avatarUrl":"","calendarUrl":"","linkedinUrl":"","personality":"","workingHours":{},"emailAccounts":[],"emailSignature":"","smartDeliverability":true}',
      now(), now()
    from generate_series(1, $2::int) a returning organization_id, id
  ), accounts as (
    insert into svc.linkedin_accounts (organization_id, id, agent_id, gateway, gateway_account_id, status, tier, features,
      created_at, updated_at)
    select organization_id, replace(id, 'agt', 'acc'), id, 'simulator', organization_id || id, 'OK', 'PREMIUM', '[]',
      now(), now()
    from agents returning organization_id, id
  )
  insert into svc.senders (organization_id, sender_id) select organization_id, id from accounts`

export const missions = `
  insert into svc.missions (organization_id, id, handle, name, status, agent_id, offer_id, search_text, content, created_at,
    updated_at)
  select $1, 'mis_' || m, 'mission-' || m, 'Mission ' || m, 'ACTIVE', 'agt_' || m, 'off_' || lpad(m::text, 26, '0'),
    'mission ' || m, '{"language": "en", "objective": "", "description": "", "whoAreThey": "", "whyWeContactThem": "",
      "desiredAction": "", "keyMessage": "", "ctaUrl": "", "toneInstructions": ""}', now(), now()
  from generate_series(1, $2::int) m`

const many = [
  `with ${people}
  insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
    is_flagged, profile, last_outbound_at, created_at, updated_at)
  select $1, p.id, p.name, p.headline, p.job_title, p.company, p.email, p.linkedin_url, '', 'Contacted', p.n % 100, false,
    p.profile || '{"provenance":{"name":"user","email":"user","company":"user","jobTitle":"user","linkedinUrl":"user"}}',
    p.at, p.at, p.at
  from people p`,
  `with ${people}
  insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
  select i.*, false from (${identities}) i`,
  `with ${people}
  insert into svc.lead_messages (organization_id, id, lead_id, direction, channel, content, date)
  select $1, 'msg_' || p.n, p.id, 'outbound', 'LINKEDIN', 'Hello, how long does closing a month take your team?', p.at
  from people p`,
  `with ${people}
  insert into svc.events (organization_id, id, sequence, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
  select $1, 'evt_' || lpad(p.n::text, 26, '0'), p.n - $3::int, 'lead.created', 'lead', p.id, 'USER', 'usr_1',
    '{"status":"New"}', p.at
  from people p`,
  `insert into svc.event_heads (organization_id, sequence)
  select $1, count(*) from svc.events where organization_id = $1 and $2::int + $3::int > 0
  on conflict (organization_id) do update set sequence = excluded.sequence`,
  `with ${people}
  insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
  select $1, 'mis_' || p.n % 10 + 1, p.id, p.at from people p`,
  `with ${people}
  insert into svc.lead_relations (organization_id, account_id, lead_id, connected, invited_at, checked_at)
  select $1, 'acc_' || p.n % 10 + 1, p.id, false, p.at, p.at from people p where p.n % 5 = 0`,
  `with ${people}
  insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, mission_id, status, variations,
    created_by_user_id, created_by_actor_kind, cancelled_at, created_at, updated_at)
  select $1, 'drf_' || lpad(p.n::text, 26, '0'), p.id, 'agt_' || p.n % 10 + 1, 'mis_' || p.n % 10 + 1, 'CANCELLED',
    '["Hello, how long does closing a month take your team?"]', 'usr_1', 'USER', p.at, p.at, p.at
  from people p where p.n % 5 = 0`,
  `with ${people}
  insert into svc.suppressions (organization_id, kind, value, reason, created_at)
  select $1, 'email', 'stop.' || p.email, 'asked for it', p.at from people p where p.n % 100 = 0`,
  `with ${people}
  insert into svc.lead_recency (organization_id, updated_at, lead_id) select $1, p.at, p.id from people p`,
  `with ${people}
  select count(svc.svc_keep_leads($1, c.ids)) from (select array_agg(p.id) as ids from people p group by p.n / 1000) c`
]

const isoText = `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const offers = `
  insert into svc.offers (organization_id, id, name, one_liner, is_draft, search_text, document, created_at, updated_at)
  select $1, o.id, o.name, o.one_liner, false, lower(o.name || E'\\n' || o.one_liner),
    (jsonb_build_object('id', o.id, 'organizationId', $1::text, 'name', o.name, 'oneLiner', o.one_liner,
      'valueProposition', o.value_proposition, 'description', o.description,
      'landingPageUrl', 'https://offers.example/' || o.id, 'salesBriefUrl', null, 'isDraft', false,
      'createdAt', ${isoText}, 'updatedAt', ${isoText}) || o.parts)::text::json, at, at
  from ${offerRows}`

const filling: Filling = { offers, few: [agents, missions], many }

/** Fills our tables for organizations that are there. */
export const fillOurs = (url: string, organizations: ReadonlyArray<Organization>, size: Size): Promise<void> =>
  withConnection(url, (sql) => fill(sql, organizations, size, filling))
