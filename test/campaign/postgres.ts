/** Throwaway databases of campaigns. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import { findPostgres, type PostgresCluster, startPostgres } from "../support/PostgresCluster.ts"
import { createDatabase, migrated, type Template } from "../support/PostgresServer.ts"

/** Runs with a server of its own, whose commits survive when it is killed. */
export const withPostgres = async (use: (cluster: PostgresCluster) => Promise<void>): Promise<void> => {
  const binaries = findPostgres()
  if (binaries === undefined) throw new Error("No PostgreSQL is installed here: initdb was not found.")
  const cluster = await startPostgres(binaries, { synchronous_commit: "on" })
  try {
    await use(cluster)
  } finally {
    await cluster.stop()
  }
}

/** The URL of a new database: with today's schema, unless it is to be empty. */
export const newDatabase = async (
  { url }: PostgresCluster,
  template: Template | "empty" = migrated
): Promise<string> => {
  const made = await Effect.runPromise(createDatabase(url, process.pid, template))
  return Redacted.value(made.url.url)
}

/** A draft and where it is: `state` is that of its item in the queue. */
export interface Whereabouts {
  readonly slug: string
  readonly organizationId: string
  readonly status: string
  readonly state: string | null
}

const query = <A>(url: string, run: (sql: SqlClient) => Effect.Effect<A, unknown>): Promise<A> => {
  const parsed = Result.getOrThrow(parseDatabaseUrl(url))
  if (parsed._tag !== "Postgres") throw new Error("Campaigns need a postgres:// URL.")
  return Effect.runPromise(
    Effect.flatMap(SqlClient, run).pipe(Effect.provide(Database.layer(parsed, { maxConnections: 1 })))
  )
}

/** Every draft of a database. */
export const whereabouts = (url: string): Promise<ReadonlyArray<Whereabouts>> =>
  query(
    url,
    (sql) => sql<Whereabouts>`
      select l.name as slug, d.organization_id as "organizationId", d.status, q.state from svc.linkedin_drafts d
      join svc.leads l on l.organization_id = d.organization_id and l.id = d.lead_id
      left join svc.transmissions q on q.organization_id = d.organization_id and q.id = d.queue_item_id`
  )

/** How many deadlocks PostgreSQL ended in a database, as connections tell when they end. */
export const deadlocks = async (url: string): Promise<number> => {
  const rows = await query(
    url,
    (sql) => sql<{ count: number }>`
      select deadlocks::int as count from pg_stat_database where datname = current_database()`
  )
  return rows[0]?.count ?? 0
}

/** Lets what waits for a mailbox go on that nobody reads, as after some minutes: leases of killed processes, and lost connections. */
export const passMailboxWaits = (url: string): Promise<unknown> =>
  query(
    url,
    (sql) => sql`
      with free as (
        update svc.agent_email_accounts set lease_until = null, due_at = least(due_at, now()) where due_at is not null
      )
      update svc.due_work set due_at = now() where kind = 'mailboxes'`
  )

/** How many received mails were taken in. */
export const takenMails = async (url: string): Promise<number> => {
  const rows = await query(url, (sql) => sql<{ taken: number }>`select count(*)::int as taken from svc.taken_mails`)
  return rows[0]?.taken ?? 0
}
