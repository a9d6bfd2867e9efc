/** What is derived from leads and stored: whether it is what it would be if it were derived anew. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { withoutDeadline } from "#postgres/PoolLimits.ts"

/** The tables that `svc_keep_leads` writes, and which of their rows say something. */
const tables = [
  ["mission_activity", "true"],
  ["lead_actions", "rank is not null"]
] as const

const keepAll = `
  select svc.svc_keep_leads(organization_id, array_agg(id)) from (
    select organization_id, id, row_number() over (partition by organization_id) / 1000 as batch from svc.leads) l
  group by organization_id, batch`

/** Derives everything from leads that were written without the service: statements for tests that plant rows. */
export const keepPlantedLeads: ReadonlyArray<string> = [
  `insert into svc.lead_recency (organization_id, updated_at, lead_id)
   select organization_id, updated_at, id from svc.leads on conflict do nothing`,
  // Of values that are in normal form already.
  `insert into svc.lead_labels (organization_id, name, value, updated_at, place, lead_name, lead_id)
   select l.organization_id, g.name, g.value, l.updated_at, - l.score, lower(l.name collate "C"), l.id from svc.leads l
   cross join lateral (
     select '' as name, t.value from jsonb_array_elements_text(l.profile -> 'tags') t
     union all select f.key, f.value from jsonb_each_text(l.profile -> 'ownFields') f) g
   where l.profile ?| array['tags', 'ownFields'] and l.merged_into is null on conflict do nothing`,
  keepAll
]

/** Derives again what tests wrote without its events, where there is a database. */
export const keepQuietLeads = Effect.flatMap(Effect.serviceOption(SqlClient), (sql) =>
  Option.isNone(sql) ? Effect.void : Effect.asVoid(sql.value.unsafe(keepAll))
)

interface Row {
  readonly row: string
}

/** Rows that are stored and should not be, and rows that should be and are not. */
export const keptDifferences = Effect.gen(function* () {
  const sql = yield* SqlClient
  const stored = Effect.map(
    Effect.forEach(tables, ([table, condition]) =>
      sql.unsafe<Row>(
        `select '${table} ' || (to_jsonb(t) - 'announced')::text as row from svc.${table} t where ${condition}`
      )
    ),
    (rows) => rows.flat().map(({ row }) => row)
  )
  const before = yield* stored
  const after = yield* Effect.gen(function* () {
    for (const [table] of tables) yield* sql.unsafe(`delete from svc.${table}`)
    yield* sql.unsafe(keepAll)
    const derived = yield* stored
    yield* sql.unsafe("rollback to savepoint kept")
    return derived
  }).pipe((work) => sql.withTransaction(Effect.andThen(sql.unsafe("savepoint kept"), work)))
  const moved = yield* sql<Row>`
    select 'lead_recency ' || to_jsonb(d)::text as row from (
      (select organization_id, updated_at, id from svc.leads except select organization_id, updated_at, lead_id from svc.lead_recency)
      union all
      (select organization_id, updated_at, lead_id from svc.lead_recency except select organization_id, updated_at, id from svc.leads)
    ) d
  `
  // The texts of labels come from TypeScript; here, that each lead has as many as its profile says, with what lists are sorted by.
  const labelled = yield* sql<Row>`
    select 'lead_labels ' || to_jsonb(d)::text as row from (
      (select l.organization_id, l.id, l.updated_at, - l.score as place,
        coalesce(jsonb_array_length(l.profile -> 'tags'), 0) + (
          select count(*) from jsonb_object_keys(coalesce(l.profile -> 'ownFields', '{}'))) as labels
       from svc.leads l where l.profile ?| array['tags', 'ownFields'] and l.merged_into is null
       except
       select organization_id, lead_id, updated_at, place, count(*) from svc.lead_labels group by 1, 2, 3, 4)
      union all
      (select organization_id, lead_id, updated_at, place, 0 from svc.lead_labels
       except
       select l.organization_id, l.id, l.updated_at, - l.score, 0 from svc.leads l
       where l.profile ?| array['tags', 'ownFields'] and l.merged_into is null)
      union all
      (select k.organization_id, k.lead_id, k.updated_at, k.place, 0 from svc.lead_labels k
       join svc.leads l on l.organization_id = k.organization_id and l.id = k.lead_id
       left join svc.lead_actions a on a.organization_id = l.organization_id and a.lead_id = l.id
       where k.rank is distinct from a.rank
         or k.lead_name <> coalesce(split_part(l.search_text, E'\\n', 1), lower(l.name collate "C")))
    ) d
  `
  return [
    ...before.filter((row) => !after.includes(row)).map((row) => `stored: ${row}`),
    ...after.filter((row) => !before.includes(row)).map((row) => `missing: ${row}`),
    ...[...moved, ...labelled].map(({ row }) => row)
  ]
}).pipe(withoutDeadline)
