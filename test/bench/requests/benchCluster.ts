/** A throwaway PostgreSQL like one of production: durable, with memory for the data. */

import { findPostgres, startPostgres } from "../../support/PostgresCluster.ts"
import type { Organization, Size } from "./fill.ts"
import { withConnection } from "./fill.ts"
import { fillOurs } from "./fillOurs.ts"
import { runSvc } from "./servers.ts"

/** Settings of the server. */
export const postgresSettings = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "1GB",
  effective_cache_size: "4GB",
  work_mem: "16MB",
  maintenance_work_mem: "256MB",
  max_wal_size: "8GB",
  checkpoint_timeout: "30min",
  random_page_cost: "1.1"
} as const

/** A running cluster. */
export interface BenchCluster {
  /** URL of the database that the server was made with. */
  readonly url: string
  /** The URL of a database. Ours has its tables in the schema `svc`, which no search path finds. */
  readonly urlOf: (database: string) => string
  /** Process id of the server. */
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Starts a cluster with databases. */
export const startCluster = async (...databases: ReadonlyArray<string>): Promise<BenchCluster> => {
  const binaries = findPostgres()
  if (binaries === undefined) throw new Error("No PostgreSQL is installed here: initdb was not found.")
  const { stop, url } = await startPostgres(binaries, postgresSettings)
  const pid = await withConnection(url, async (sql) => {
    for (const database of databases) await sql.query(`create database ${database}`)
    const { rows } = await sql.query("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid")
    return Number(rows[0]?.pid)
  })
  const urlOf = (database: string) =>
    url.replace(/\/postgres$/, database === "peer" ? "/peer" : `/${database}?schema=svc`)
  return { url, urlOf, pid, stop }
}

/** Makes two organizations in an empty database, with everything that requests ask for. */
export const fillTwo = async (url: string, size: Size): Promise<ReadonlyArray<Organization>> => {
  const organizations: Array<Organization> = []
  for (const name of ["First", "Second"]) {
    organizations.push((await runSvc(url, "orgs", "create", name)) as Organization)
  }
  await fillOurs(url, organizations, size)
  return organizations
}
