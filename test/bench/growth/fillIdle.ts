/** Many organizations in which nothing is due: what workers look through every second. */
import { withConnection } from "../requests/fill.ts"

const statements = [
  `insert into svc.organizations (id, name, created_at) select 'org_idle' || n, 'Idle ' || n, now() from generate_series($1::int, $2::int) n`,
  `insert into svc.agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at)
   select 'org_idle' || n, 'agt_1', 'ada', 'Ada', 'Martin', '{"timezone":"UTC"}', now(), now() from generate_series($1::int, $2::int) n`,
  // Of a gateway that this process does not poll.
  `insert into svc.linkedin_accounts (organization_id, id, agent_id, gateway, gateway_account_id, status, tier, features, created_at,
     updated_at)
   select 'org_idle' || n, 'acc_1', 'agt_1', 'unipile', 'idle' || n, 'OK', 'PREMIUM', '[]', now(), now()
   from generate_series($1::int, $2::int) n`,
  `insert into svc.senders (organization_id, sender_id) select 'org_idle' || n, 'acc_1' from generate_series($1::int, $2::int) n`,
  `insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
     is_flagged, profile, created_at, updated_at)
   select 'org_idle' || n, 'ld_' || p, 'Person ' || p, '', '', '', '', '', '', 'New', 0, false, '{"provenance":{}}', now(), now()
   from generate_series($1::int, $2::int) n cross join generate_series(1, 5) p`,
  `insert into svc.events (organization_id, id, sequence, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
   select 'org_idle' || n, 'evt_' || p, p, 'lead.created', 'lead', 'ld_' || p, 'USER', 'usr_1', '{"status":"New"}', now()
   from generate_series($1::int, $2::int) n cross join generate_series(1, 5) p`,
  `insert into svc.event_heads (organization_id, sequence) select 'org_idle' || n, 5 from generate_series($1::int, $2::int) n`,
  // Each has a webhook that has been told everything.
  `insert into svc.webhooks (organization_id, id, url, description, event_types, is_active, told_sequence, secrets, created_at, updated_at)
   select 'org_idle' || n, 'whk_1', 'https://hooks.example.com', '', '{}', true, 5, '[]', now(), now()
   from generate_series($1::int, $2::int) n`,
  // The turns of retention are spread over the six hours between two.
  `insert into svc.due_work (organization_id, kind, due_at)
   select 'org_idle' || n, 'retention', now() + random() * interval '6 hours' from generate_series($1::int, $2::int) n`
]

/** Makes organizations from one number to another. */
export const fillIdle = (url: string, from: number, to: number): Promise<void> =>
  withConnection(url, async (sql) => {
    await sql.query("set synchronous_commit = off; set statement_timeout = 0")
    for (const statement of statements) await sql.query(statement, [from, to])
    await sql.query("vacuum (analyze)")
  })
