/** Many leads put into the tables at once, for looking at plans: a quarter of org_1, three of org_2. */
import { createHash } from "node:crypto"
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Database from "#postgres/Database.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import * as Repositories from "#postgres/repositories.ts"
import { keepPlantedLeads } from "../support/keptLeads.ts"
import { organization } from "../support/organization.ts"
import { migrated, schemaId, type Template } from "../support/PostgresServer.ts"

/** Leads of org_1. */
export const plantedLeads = 20_000

const statements = [
  `insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
   select o, m || case o when 'org_1' then '' else '_other' end, m, m, 'ACTIVE', m, '{}', '2026-11-01', '2026-11-01'
   from unnest(array['org_1', 'org_2']) o, unnest(array['mis_small', 'mis_large']) m`,
  // One in a thousand is what a filter looks for; scores go round from 0 to 100, changes through the day.
  `insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status,
     score, is_flagged, profile, last_inbound_at, created_at, updated_at)
   select o, 'ld_' || case o when 'org_1' then '' else 'other_' end || n, 'Lead ' || n || ' Person ' || n, 'Headline', 'CFO ' || n % 1000,
     'Company ' || n % 5000, case n % 1000 when 1 then '' else 'lead' || n || '@example.com' end, '', '',
     case n % 1000 when 2 then 'MeetingBooked' when 3 then 'Interested' else case when n % 3 = 0 then 'Contacted' else 'New' end end,
     (n % 1001) / 10.0, n % 1000 = 4,
     '{"provenance": {}}', case n % 1000 when 5 then '2026-11-20'::timestamptz end,
     '2026-11-20'::timestamptz + n % 20000 * interval '1.7 s', '2026-11-20'::timestamptz + n % 20000 * interval '1.7 s'
   from unnest(array['org_1', 'org_2']) o, generate_series(1, case o when 'org_1' then ${plantedLeads} else ${plantedLeads * 3} end) n`,
  `insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
   select organization_id, 'email', email, id, false from svc.leads where email <> ''`,
  `insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
   select organization_id, 'mis_large' || case organization_id when 'org_1' then '' else '_other' end, id, created_at
   from svc.leads where score >= 20
   union all
   select organization_id, 'mis_small', id, created_at from svc.leads where organization_id = 'org_1' and score = 99`,
  `insert into svc.imports (organization_id, id, mission_id, type, name, state, created_count, updated_count, skipped_count,
     invalid_count, enrolled_count, attempt, created_at, updated_at)
   select 'org_1', i, 'mis_large', 'CSV', i, 'completed', 0, 0, 0, 0, 0, 1, '2026-11-20', '2026-11-20'
   from unnest(array['imp_small', 'imp_large']) i`,
  `insert into svc.import_rows (organization_id, import_id, position, outcome, reason, lead_id)
   select 'org_1', case when score = 98 then 'imp_small' else 'imp_large' end, row_number() over () - 1,
     case when is_flagged then 'created' else 'skipped' end, case when is_flagged then null else 'UNCHANGED' end, id
   from svc.leads where organization_id = 'org_1'`,
  ...keepPlantedLeads,
  "vacuum analyze svc.lead_actions",
  "analyze svc.missions, svc.leads, svc.lead_identities, svc.lead_missions, svc.imports, svc.import_rows"
]

/** Databases with them in, and both organizations. */
export const planted: Template = {
  name: `svc_planted_${schemaId}_${createHash("sha256").update(statements.join()).digest("hex").slice(0, 12)}`,
  from: migrated,
  fill: (url) =>
    Effect.gen(function* () {
      const sql = yield* PgClient
      yield* organization("org_1")
      yield* organization("org_2")
      yield* sql`set statement_timeout = 0`
      for (const statement of statements) yield* sql.unsafe(statement).unprepared
    }).pipe(
      Effect.provide(Repositories.layer.pipe(Layer.provideMerge(Database.layer(url, { maxConnections: 1 })))),
      Effect.scoped,
      withoutDeadline
    )
}
