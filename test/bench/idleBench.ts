/**
 * Part of `npm run bench`: what a worker costs the database while nothing is due, in milliseconds of statements a second as PostgreSQL
 * counts them (`pg_stat_database.active_time`). `--organizations 10000`, each with an active webhook.
 */
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import pg from "pg"
import { createSvc } from "#embed/createSvc.ts"
import { findPostgres, startPostgres } from "../support/PostgresCluster.ts"

const { values } = parseArgs({
  options: { organizations: { type: "string", default: "10000" }, seconds: { type: "string", default: "60" } }
})
const organizations = Number(values.organizations)
const seconds = Number(values.seconds)

const binaries = findPostgres()
if (binaries === undefined) throw new Error("No PostgreSQL is installed here: initdb was not found.")
const cluster = await startPostgres(binaries)
const open = (worker: boolean) => createSvc({ databaseUrl: `${cluster.url}?schema=svc`, env: false, worker })
const client = new pg.Client({ connectionString: cluster.url })
await client.connect()
const read = async (text: string) => (await client.query(text)).rows[0]
try {
  await (await open(false)).close()
  await client.query(`insert into svc.organizations (id, name, created_at)
    select 'org_' || n, 'Idle', now() from generate_series(1, ${organizations}) n`)
  await client.query(`insert into svc.webhooks (organization_id, id, url, description, event_types, is_active, secrets,
      created_at, updated_at)
    select id, 'whk_' || id, 'https://idle.example', '', '{}', true, '[]', now(), now() from svc.organizations`)
  const { has } = await read("select to_regclass('svc.due_work') is not null as has")
  // Their turns are spread over the six hours between two.
  if (has === true) {
    await client.query(`insert into svc.due_work
      select id, 'retention', now() + random() * interval '6 hours' from svc.organizations
      on conflict (organization_id, kind) do update set due_at = excluded.due_at`)
  }
  await client.query("analyze")
  const svc = await open(true)
  await wait(15_000)
  const active = async () =>
    Number((await read("select active_time as time from pg_stat_database where datname = current_database()")).time)
  const before = await active()
  await wait(seconds * 1_000)
  const spent = (await active()) - before
  await svc.close()
  process.stdout.write(
    `idle, ${organizations} organizations   ${(spent / seconds).toFixed(2)} ms of the database a second\n`
  )
} finally {
  await client.end()
  await cluster.stop()
}
