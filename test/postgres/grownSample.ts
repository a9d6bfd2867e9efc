/** The sample data, to which examples refer, in an organization that has grown. */
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import { keepPlantedLeads } from "../support/keptLeads.ts"

/** How many leads, and how many of them have a draft that waits for review. */
export const [grownLeads, pendingDrafts] = [20_000, 6_000]

/** Tags, and one in how many leads has each. */
export const grownTags = [
  { tag: "customer", each: 1 },
  { tag: "partner", each: 2 },
  { tag: "fair", each: 20 },
  { tag: "board", each: 2_000 }
]

const content = "'Hello, how long does closing a month take your team?'"

/** `$1` is the organization. Of a hundred leads 30 have a pending draft, 20 were written to, 20 of them replied. */
const statements = [
  `insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
     is_flagged, profile, last_inbound_at, last_outbound_at, created_at, updated_at)
   select $1, 'ld_G' || n, 'Person ' || n, 'Head of Finance', 'Head of Finance ' || n % 100, 'Company ' || n % 5000,
     case when n % 50 = 0 then '' else 'p' || n || '@grown.example' end, '', '',
     case when n <= ${pendingDrafts} or n % 10 < 4 then 'New' when n % 10 < 6 then 'Replied' else 'Contacted' end, n % 100,
     n % 1000 = 4, jsonb_build_object('tags', (select jsonb_agg(g.tag) from (values ${grownTags.map(({ each, tag }) => `('${tag}', ${each})`)}) g (tag, each)
       where n % g.each = 0), 'ownFields', jsonb_build_object('seats', n % 50)), case when n > ${pendingDrafts} and n % 10 in (4, 5) then at + interval '2 days' end,
     case when n > ${pendingDrafts} and n % 10 >= 4 then at + interval '1 day' end, at, at
   from generate_series(1, ${grownLeads}) n
   cross join lateral (select timestamptz '2026-05-01Z' + n * interval '10 minutes' as at) h`,
  `insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
   select organization_id, 'email', email, id, false from svc.leads where organization_id = $1 and id like 'ld_G%' and email <> ''`,
  `insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
   select $1, m.id, l.id, l.created_at from svc.leads l join svc.missions m on m.organization_id = $1 and m.handle = 'spring-outreach'
   where l.organization_id = $1 and l.id like 'ld_G%' and l.score < 70`,
  `insert into svc.lead_messages (organization_id, id, lead_id, direction, channel, content, date)
   select $1, 'msg_' || m.direction || l.id, l.id, m.direction, 'LINKEDIN', ${content}, m.at
   from svc.leads l cross join lateral (values ('outbound', l.last_outbound_at), ('inbound', l.last_inbound_at)) m (direction, at)
   where l.organization_id = $1 and l.id like 'ld_G%' and m.at is not null`,
  `insert into svc.events (organization_id, id, sequence, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
   select $1, 'evt_G' || row_number() over (), 1000 + row_number() over (order by e.at, l.id, e.type), e.type, 'lead', l.id, 'USER', 'usr_1',
     e.data::jsonb, e.at
   from svc.leads l cross join lateral (values ('lead.created', '{"status":"New"}', l.created_at),
     ('lead.status_changed', '{"from":"New","to":"Contacted","reason":"status"}', l.last_outbound_at),
     ('lead.status_changed', '{"from":"Contacted","to":"Replied","reason":"status"}', l.last_inbound_at)) e (type, data, at)
   where l.organization_id = $1 and l.id like 'ld_G%' and e.at is not null`,
  `insert into svc.audit_entries (organization_id, id, sequence, hash, actor_kind, user_id, command_id, command_hash, subject_type,
     subject_id, outcome, created_at)
   select $1, 'aud_G' || n, 1000 + n, '', 'USER', 'usr_1', 'lead.upsert', '', 'lead', 'ld_G' || n, 'ok',
     timestamptz '2026-05-01Z' + n * interval '10 minutes'
   from generate_series(1, ${grownLeads}) n`,
  `insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, mission_id, status, variations, selected_index,
     selected_body_text, message_id, created_by_user_id, created_by_actor_kind, dispatched_at, created_at, updated_at)
   select $1, 'drf_' || l.id, l.id, a.id, k.mission_id, case when d.is_sent then 'DISPATCHED' else 'PENDING_REVIEW' end,
     jsonb_build_array(${content}), case when d.is_sent then 0 end, case when d.is_sent then ${content} end,
     case when d.is_sent then 'msg_outbound' || l.id end, 'usr_1', 'USER', case when d.is_sent then l.last_outbound_at end, l.created_at,
     l.created_at
   from svc.leads l cross join lateral (select l.last_outbound_at is not null as is_sent) d
   join svc.agents a on a.organization_id = $1 and a.handle = 'ada-martin'
   left join svc.lead_missions k on k.organization_id = $1 and k.lead_id = l.id
   where l.organization_id = $1 and l.id like 'ld_G%' and (d.is_sent or substr(l.id, 5)::int <= ${pendingDrafts})`,
  `insert into svc.transmissions (organization_id, id, kind, agent_id, account_id, lead_id, draft_id, mission_id, state, bypass,
     attempts, failures, details, created_at, updated_at)
   select $1, 'que_' || d.id, 'message', d.agent_id, c.id, d.lead_id, d.id, d.mission_id, 'sent', false, 1, 0,
     jsonb_build_object('text', ${content}, 'sentAt', d.dispatched_at), d.created_at, d.dispatched_at
   from svc.linkedin_drafts d join svc.linkedin_accounts c on c.organization_id = $1 and c.agent_id = d.agent_id
   where d.organization_id = $1 and d.id like 'drf_ld_G%' and d.status = 'DISPATCHED'`,
  `insert into svc.transmissions (organization_id, id, kind, agent_id, account_id, lead_id, state, bypass, attempts, failures,
     details, created_at, updated_at)
   select $1, 'inv_' || l.id, 'invitation', c.agent_id, c.id, l.id, 'accepted', false, 1, 0,
     jsonb_build_object('sentAt', l.last_outbound_at, 'endedAt', l.last_outbound_at), l.created_at, l.last_outbound_at
   from svc.leads l join svc.agents a on a.organization_id = $1 and a.handle = 'ada-martin'
   join svc.linkedin_accounts c on c.organization_id = $1 and c.agent_id = a.id
   where l.organization_id = $1 and l.id like 'ld_G%' and l.last_outbound_at is not null and l.score < 50`,
  `insert into svc.transmissions (organization_id, id, kind, agent_id, account_id, lead_id, mission_id, state, reason, bypass, attempts,
     failures, not_before, expires_at, details, created_at, updated_at)
   select $1, t.id || 'G' || n, t.kind, t.agent_id, t.account_id, 'ld_G' || n, t.mission_id, t.state, t.reason, t.bypass, t.attempts,
     t.failures, t.not_before, t.expires_at, t.details, t.created_at, t.updated_at
   from (select * from svc.transmissions where organization_id = $1 and kind = 'email' and state = 'in_review' order by id limit 1) t
   cross join generate_series(1, 3000) n`,
  `insert into svc.lead_relations (organization_id, account_id, lead_id, connected, checked_at)
   select $1, c.id, l.id, l.score < 50, l.created_at
   from svc.leads l join svc.linkedin_accounts c on c.organization_id = $1
   where l.organization_id = $1 and l.id like 'ld_G%' and l.last_outbound_at is not null on conflict do nothing`,
  `insert into svc.import_rows (organization_id, import_id, position, outcome, reason, lead_id)
   select $1, 'imp_SAMPLE00000000000000000001', 1000 + n, case when n % 2 = 0 then 'created' else 'skipped' end,
     case when n % 2 = 1 then 'UNCHANGED' end, 'ld_G' || n
   from generate_series(1, ${grownLeads}) n`,
  `insert into svc.suppressions (organization_id, kind, value, reason, created_at)
   select $1, 'email', 'stop' || n || '@grown.example', 'asked for it', timestamptz '2026-05-01Z' + n * interval '10 minutes'
   from generate_series(1, 5000) n`,
  `insert into svc.webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, payload, state, attempts, created_at, ended_at)
   select $1, 'dlv_G' || n, 'whk_SAMPLE00000000000000000001', 'evt_G' || n, 'lead.created', '{}',
     case when n % 2 = 0 then 'failed' else 'delivered' end, 1, at, at
   from generate_series(1, 5000) n cross join lateral (select timestamptz '2026-05-01Z' + n * interval '10 minutes' as at) h`,
  `insert into svc.approval_requests (organization_id, id, command_id, command_hash, requested_kind, requested_user_id, created_at,
     expires_at, state, resolved_kind, resolved_user_id, resolved_at, outcome)
   select $1, 'apr_G' || n, 'offer.update', 'hash' || n, 'AI_AGENT', 'usr_1', at, at + interval '1 day', 'rejected', 'USER', 'usr_1', at, null
   from generate_series(1, 3000) n cross join lateral (select timestamptz '2026-05-01Z' + n * interval '10 minutes' as at) h`,
  `insert into svc.lead_notes (organization_id, id, lead_id, text, user_id, actor_kind, created_at)
   select $1, 'note_G' || n, 'ld_G' || n, 'Met at a fair', 'usr_1', 'USER', timestamptz '2026-05-01Z' from generate_series(1, 5000) n`
]

/** Tables of which others have twice as much, in an order in which rows find what they name. */
const shared = [
  "agents",
  "linkedin_accounts",
  "offers",
  "missions",
  "imports",
  "webhooks",
  "leads",
  "lead_identities",
  "lead_missions",
  "lead_messages",
  "lead_notes",
  "events",
  "audit_entries",
  "linkedin_drafts",
  "transmissions",
  "lead_relations",
  "import_rows",
  "suppressions",
  "webhook_deliveries",
  "approval_requests"
]

const others = ["org_other", "org_another"]

/** Without rows whose message is queued, which name each other. */
const unqueued: Readonly<Record<string, string>> = {
  linkedin_drafts: "and queue_item_id is null",
  transmissions:
    "and (draft_id is null or draft_id in (select d.id from svc.linkedin_drafts d where d.organization_id = $1 and d.queue_item_id is null))"
}

/** Copies a table for the others. */
const copy = (sql: PgClient, table: string, organizationId: string) =>
  Effect.gen(function* () {
    const columns = yield* sql<{ readonly name: string }>`
      select quote_ident(column_name) as name from information_schema.columns
      where table_schema = 'svc' and table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'
        and column_name <> 'organization_id'`
    const names = columns.map(({ name }) => name).join(", ")
    const values = names.replace("gateway_account_id", "o || gateway_account_id")
    yield* sql.unsafe(
      `insert into svc.${table} (organization_id, ${names}) select o, ${values} from svc.${table} t cross join unnest($2::text[]) o
       where organization_id = $1 ${unqueued[table] ?? ""}`,
      [organizationId, others]
    ).unprepared
  })

/** Grows the organization, in the tables. Others have twice as much of everything. */
export const growSample = (organizationId: string): Effect.Effect<void, never, PgClient> =>
  Effect.gen(function* () {
    const sql = yield* PgClient
    const filling = sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`set local statement_timeout = 0`
        for (const statement of statements) yield* sql.unsafe(statement, [organizationId]).unprepared
        yield* sql`insert into svc.organizations (id, name, created_at) select o, o, now() from unnest(${others}::text[]) o`
        yield* Effect.forEach(shared, (table) => copy(sql, table, organizationId), { discard: true })
        yield* sql`
          insert into svc.event_heads as h (organization_id, sequence)
          select organization_id, max(sequence) from svc.events group by organization_id
          on conflict (organization_id) do update set sequence = excluded.sequence`
        // Without statistics, what is derived would be looked up by the wrong indexes.
        for (const statement of ["analyze", ...keepPlantedLeads, "analyze"]) yield* sql.unsafe(statement).unprepared
      })
    )
    yield* Effect.promise(() => Effect.runPromise(withoutDeadline(filling)))
  })
