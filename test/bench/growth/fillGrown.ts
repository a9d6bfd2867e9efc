/**
 * Organizations that have worked for half a year: leads in every status with the changes, messages, drafts and invitations
 * that led there. Three in ten are in the first mission, the others in nine more.
 */
import { fill, type Organization, withConnection } from "../requests/fill.ts"
import { agents, missions, offers } from "../requests/fillOurs.ts"

/** Leads `$2` of an organization `$1` after number `$3`, and how far each one came: of a hundred, 40 are new. */
const grown = `grown as (
    select n, 'ld_' || lpad(n::text, 26, '0') as id, 'Chiara Person' || n as name,
      'Head of Finance, Company ' || n % 5000 as headline, 'Head of Finance' as job_title,
      'Company ' || n % 5000 || ' GmbH' as company, 'lead' || n || '@company' || n % 5000 || '.example' as email,
      'https://www.linkedin.com/in/lead-' || n as linkedin_url,
      'mis_' || case when n % 10 < 3 then 1 else n % 9 + 2 end as mission_id, 'agt_' || n % 10 + 1 as agent_id,
      at, at + h.k % 10 * interval '1 day' + interval '5 hours' as contacted_at,
      case when h.k >= 85 then at + h.k % 10 * interval '1 day' + interval '2 days' end as replied_at,
      case when h.k >= 40 then case when h.k < 85 then 'Contacted' when h.k < 91 then 'Replied' when h.k < 94 then 'Interested'
        when h.k < 95 then 'MeetingBooked' when h.k < 98 then 'NotInterested' else 'DoNotContact' end else 'New' end as status
    from generate_series($3::int + 1, $3::int + $2::int) n
    cross join lateral (select (hashint4(n) & 2147483647) % 100 as k,
      '2026-05-01Z'::timestamptz + n::bigint * 104729 % 15552000 * interval '1 second' as at) h
  )`

/** The changes of status of each lead that is not new. */
const changes = `changes as (
    select g.n, g.id, s.step, s.changed_from, s.changed_to, s.at
    from grown g cross join lateral (values
      (1, 'New', 'Contacted', g.contacted_at),
      (2, 'Contacted', 'Replied', g.replied_at),
      (3, 'Replied', nullif(g.status, 'Replied'), g.replied_at + interval '1 day')
    ) s (step, changed_from, changed_to, at)
    where g.status <> 'New' and s.at is not null and s.changed_to is not null
  )`

const many = [
  `with ${grown}
  insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
    is_flagged, profile, last_inbound_at, last_outbound_at, created_at, updated_at)
  select $1, g.id, g.name, g.headline, g.job_title, g.company, case when g.n % 50 = 0 then '' else g.email end, g.linkedin_url,
    '', g.status, g.n % 100, g.n % 500 = 0,
    jsonb_build_object('location', 'Berlin, Germany', 'phone', '+49 30 ' || 1000000 + g.n,
      'companyWebsite', 'https://company' || g.n % 5000 || '.example', 'companyIndustry', 'Software', 'companySize', '51-200',
      'provenance', jsonb_build_object('name', 'user', 'email', 'user', 'company', 'user', 'jobTitle', 'user')),
    g.replied_at, case when g.status <> 'New' then g.contacted_at end, g.at,
    case when g.status = 'New' then g.at else coalesce(g.replied_at, g.contacted_at) end
  from grown g order by g.n::bigint * 15485863 % 1000003`,
  `with ${grown}
  insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
  select $1, i.kind, i.value, g.id, false
  from grown g cross join lateral (values ('slug', 'lead-' || g.n), ('email', case when g.n % 50 <> 0 then g.email end)) i (kind, value)
  where i.value is not null order by i.kind, i.value`,
  `with ${grown}
  insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
  select $1, g.mission_id, g.id, g.at from grown g order by g.at`,
  `with ${grown}
  insert into svc.lead_messages (organization_id, id, lead_id, direction, channel, content, date)
  select $1, 'msg_' || m.direction || g.n, g.id, m.direction, 'LINKEDIN', 'Hello, how long does closing a month take your team?', m.at
  from grown g cross join lateral (values ('outbound', g.contacted_at), ('inbound', g.replied_at)) m (direction, at)
  where g.status <> 'New' and m.at is not null order by m.at`,
  `with ${grown}, ${changes}
  insert into svc.events (organization_id, id, sequence, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
  select $1, 'evt_' || lpad(e.place::text, 26, '0'), e.place, e.type, 'lead', e.id, 'USER', 'usr_1', e.data, e.at
  from (
    select row_number() over (order by c.at, c.n, c.step) + $3::int * 4::bigint as place, c.*
    from (
      select g.n, 0 as step, 'lead.created' as type, g.id, '{"status":"New"}'::jsonb as data, g.at from grown g
      union all
      select c.n, c.step, 'lead.status_changed', c.id,
        jsonb_build_object('from', c.changed_from, 'to', c.changed_to, 'reason', 'status'), c.at
      from changes c
    ) c
  ) e order by e.place`,
  `insert into svc.event_heads (organization_id, sequence)
  select $1, count(*) from svc.events where organization_id = $1 and $2::int + $3::int > 0
  on conflict (organization_id) do update set sequence = excluded.sequence`,
  // Half of the first messages were drafts of the mission.
  `with ${grown}
  insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, mission_id, status, variations, selected_index,
    selected_body_text, message_id, created_by_user_id, created_by_actor_kind, dispatched_at, created_at, updated_at)
  select $1, 'drf_' || lpad(g.n::text, 26, '0'), g.id, g.agent_id, g.mission_id, 'DISPATCHED',
    '["Hello, how long does closing a month take your team?"]', 0, 'Hello, how long does closing a month take your team?',
    'msg_outbound' || g.n, 'usr_1', 'USER', g.contacted_at, g.at, g.contacted_at
  from grown g where g.status <> 'New' and g.n / 10 % 2 = 0 order by g.at`,
  `with ${grown}
  insert into svc.transmissions (organization_id, id, kind, agent_id, account_id, lead_id, draft_id, state, bypass, attempts,
    failures, details, created_at, updated_at)
  select $1, 'que_' || lpad(g.n::text, 26, '0'), 'message', g.agent_id, replace(g.agent_id, 'agt', 'acc'), g.id,
    'drf_' || lpad(g.n::text, 26, '0'), 'sent', false, 1, 0,
    jsonb_build_object('text', 'Hello, how long does closing a month take your team?', 'sentAt', g.contacted_at),
    g.at, g.contacted_at
  from grown g where g.status <> 'New' and g.n / 10 % 2 = 0 order by g.at`,
  // One in ten was invited, and half of those accepted.
  `with ${grown}
  insert into svc.transmissions (organization_id, id, kind, agent_id, account_id, lead_id, state, bypass, attempts, failures,
    details, created_at, updated_at)
  select $1, 'inv_' || lpad(g.n::text, 26, '0'), 'invitation', g.agent_id, replace(g.agent_id, 'agt', 'acc'), g.id,
    case when g.n / 100 % 2 = 0 then 'accepted' else 'pending' end, false, 1, 0,
    jsonb_build_object('sentAt', g.contacted_at,
      'endedAt', case when g.n / 100 % 2 = 0 then g.contacted_at + interval '1 day' end),
    g.at, g.contacted_at
  from grown g where g.status <> 'New' and g.n / 10 % 10 = 0 order by g.at`,
  `with ${grown}
  insert into svc.lead_relations (organization_id, account_id, lead_id, connected, invited_at, checked_at)
  select $1, replace(g.agent_id, 'agt', 'acc'), g.id, g.n / 100 % 2 = 0, g.contacted_at, g.contacted_at
  from grown g where g.status <> 'New' and g.n / 10 % 10 = 0 order by g.at`,
  `with ${grown}
  insert into svc.suppressions (organization_id, kind, value, lead_id, reason, created_at)
  select $1, 'lead', g.id, g.id, 'asked for it', g.replied_at from grown g where g.status = 'DoNotContact'`,
  `with ${grown}
  insert into svc.lead_recency (organization_id, updated_at, lead_id)
  select $1, case when g.status = 'New' then g.at else coalesce(g.replied_at, g.contacted_at) end, g.id from grown g`,
  // Three in four new leads have a draft to review.
  `with ${grown}
  insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, mission_id, status, variations,
    created_by_user_id, created_by_actor_kind, created_at, updated_at)
  select $1, 'drf_' || lpad(g.n::text, 26, '0'), g.id, g.agent_id, g.mission_id, 'PENDING_REVIEW',
    '["Hello, how long does closing a month take your team?"]', 'usr_1', 'AI_AGENT', g.at, g.at
  from grown g where g.status = 'New' and g.n % 4 <> 0 order by g.at`
]

/** Fills our tables for an organization that is there. */
export const fillGrown = (url: string, organization: Organization, leads: number): Promise<void> =>
  withConnection(url, async (sql) => {
    await fill(sql, [organization], { leads, offers: 200 }, { offers, few: [agents, missions], many })
    await sql.query("vacuum (analyze)")
    const { rows } = await sql.query(
      `select array_agg(id) as ids from (
        select id, row_number() over () / 1000 as batch from svc.leads where organization_id = $1) l group by batch`,
      [organization.organization_id]
    )
    for (const [index, { ids }] of rows.entries()) {
      await sql.query("select svc.svc_keep_leads($1, $2)", [organization.organization_id, ids])
      // As a process does when tables have doubled.
      if ((index & (index - 1)) === 0) await sql.query("analyze svc.lead_actions, svc.mission_activity")
    }
    await sql.query("vacuum (analyze)")
  })
