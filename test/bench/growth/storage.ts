/** What an organization's rows take, and what deleting half of its events leaves. */
import { idsLayer } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Retention } from "#core/workspace/retention/Retention.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import * as Repositories from "#postgres/repositories.ts"
import { withConnection } from "../requests/fill.ts"

const megabytes = (bytes: unknown): string => `${(Number(bytes) / 1e6).toFixed(0)} MB`

/** Bytes of a lead with all but its events, of an event, and of the indexes of leads; one line. */
export const storageOf = (url: string): Promise<string> =>
  withConnection(url, async (sql) => {
    const { rows } = await sql.query(`
      with sizes as (
        select c.relname as name, pg_total_relation_size(c.oid) as bytes, pg_indexes_size(c.oid) as indexes,
          (select count(*) from pg_index i where i.indrelid = c.oid) as index_count
        from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind = 'r'
      ), counts as (
        select (select count(*) from svc.leads) as leads, (select count(*) from svc.events) as events
      )
      select (select sum(bytes) from sizes) as whole, counts.*,
        (select bytes from sizes where name = 'events')::float8 / counts.events as event,
        (select sum(bytes) from sizes where name <> 'events')::float8 / counts.leads as lead,
        (select bytes from sizes where name = 'leads')::float8 / counts.leads as alone,
        (select indexes from sizes where name = 'leads') as indexes, (select index_count from sizes where name = 'leads') as many
      from counts`)
    const found = rows[0] ?? {}
    return (
      `${megabytes(found.whole)}; a lead ${Number(found.lead).toFixed(0)} bytes (its row with indexes ${Number(found.alone).toFixed(0)}), ` +
      `an event ${Number(found.event).toFixed(0)}; ${found.many} indexes of leads ${megabytes(found.indexes)}; ${found.events} events`
    )
  })

const sizeOfEvents = (url: string) =>
  withConnection(url, async (sql) => {
    const { rows } = await sql.query(`
      select pg_table_size('svc.events') as rows, pg_indexes_size('svc.events') as indexes, (select count(*) from svc.events) as count,
        (select n_dead_tup from pg_stat_user_tables where relid = 'svc.events'::regclass) as dead`)
    const { count, dead, indexes, rows: table } = rows[0] ?? {}
    return `${count} events, ${megabytes(table)} + ${megabytes(indexes)} of indexes, ${dead} dead`
  })

/** Deletes half of the events, as a worker does in its rounds; several lines. */
export const bloatOf = async (url: string): Promise<ReadonlyArray<string>> => {
  const halfway = await withConnection(url, async (sql) => {
    const { rows } = await sql.query(`
      select extract(epoch from now() - percentile_disc(0.5) within group (order by created_at))::float8 / 86400 as days from svc.events`)
    return Math.ceil(Number(rows[0]?.days))
  })
  const before = await sizeOfEvents(url)
  const parsed = Result.getOrThrow(parseDatabaseUrl(url))
  if (parsed._tag === "Memory") throw new Error("Not a database.")
  const services = Layer.merge(Repositories.layer, idsLayer).pipe(Layer.provideMerge(Database.layer(parsed)))
  let rounds = 0
  const all = Effect.gen(function* () {
    while ((yield* deleteOldRows()).events !== undefined) rounds++
  }).pipe(Effect.provideService(Retention, { idempotency: 0, deliveries: 0, events: halfway, importRows: 0, audit: 0 }))
  const began = performance.now()
  await Effect.runPromise(Effect.provide(all, services))
  const seconds = (performance.now() - began) / 1_000
  const after = await sizeOfEvents(url)
  await withConnection(url, (sql) => sql.query("vacuum svc.events"))
  return [
    `before retention: ${before}`,
    `after ${rounds} rounds in ${seconds.toFixed(1)} s: ${after}`,
    `after a vacuum: ${await sizeOfEvents(url)}`
  ]
}
