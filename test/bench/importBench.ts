/**
 * `npm run bench import`: how fast a CSV file is imported through the built server, against `COPY` of the same finished rows into
 * the same tables and against a merge written by hand in SQL; and how fast on PGlite. Rows are checked, seconds are only told.
 *
 * `npm run bench import -- --rows 1000000 --rounds 1` sets the size, `--pglite-rows 20000` that on PGlite (0 leaves it out),
 * `--only-pglite` leaves PostgreSQL out, and `--profile` runs the server under `--cpu-prof`, into `test/dist/profiles`.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import { withoutDeadline } from "#postgres/PoolLimits.ts"
import { findPostgres, startPostgres } from "../support/PostgresCluster.ts"
import { clearRows, copyRows, countRows, keepRows, tables } from "./copiedRows.ts"
import { type ImportCounts, runCommand, uploadFile } from "./importClient.ts"
import { writeLeadFile } from "./leadFile.ts"
import { fileOfPeer, mergeRows, writtenRows } from "./mergedRows.ts"
import { cpuSeconds, familySeconds, watchMemory } from "./processUse.ts"
import type { Organization } from "./requests/fill.ts"
import { median } from "./requests/rounds.ts"
import { beside, refuseOldBuild, runSvc, startOurs, stopServers } from "./requests/servers.ts"

/** Goals. */
const goals = { copy: 0.75, merge: 1, megabytes: 300, pgliteRows: 3_000 } as const

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    "pglite-rows": { type: "string", default: "20000" },
    "only-pglite": { type: "boolean", default: false },
    profile: { type: "boolean", default: false }
  }
})

const write = (text: string): void => void process.stdout.write(`${text}\n`)

const load = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`

const told = (label: string, rows: number, seconds: number, more: string): void =>
  write(
    `${label.padEnd(18)} ${seconds.toFixed(2).padStart(8)} s ${Math.round(rows / seconds)
      .toString()
      .padStart(8)} rows/s  ${more}`
  )

const checkCounts = (counts: ImportCounts, rows: number): void => {
  if (counts.created !== rows || counts.updated + counts.skipped + counts.invalid > 0) {
    throw new Error(`All ${rows} rows should have been created, but: ${JSON.stringify(counts)}`)
  }
}

/** Processor time of all processes of the database so far, in seconds. */
const databaseCpu = (sql: PgClient) =>
  Effect.map(
    sql<{ readonly pid: string }>`select split_part(pg_read_file('postmaster.pid'), E'\n', 1) as pid`,
    ([row]) => familySeconds(Number(row?.pid))
  )

/** The built server on a database, with an organization and a mission to import into. */
const startServer = async (databaseUrl: string) => {
  const { api_key: key } = (await runSvc(databaseUrl, "orgs", "create", "Bench")) as Organization
  const profile = ["--cpu-prof", `--cpu-prof-dir=${beside("profiles")}`]
  const server = await startOurs(databaseUrl, key, given.profile ? profile : [])
  await runCommand(server.url, key, "mission.create", { name: "Bench" })
  return { key, server, memory: watchMemory(server.pid) }
}

/** Imports a file; answers the seconds. */
const timedImport = async (url: string, key: string, file: string, rows: number): Promise<number> => {
  const started = performance.now()
  checkCounts(await uploadFile(url, key, "bench", file), rows)
  return (performance.now() - started) / 1000
}

const onPostgres = async (folder: string, rows: number, rounds: number): Promise<void> => {
  const binaries = findPostgres()
  if (binaries === undefined) throw new Error("No PostgreSQL is installed here: initdb was not found.")
  const file = join(folder, "leads.csv")
  await writeLeadFile(file, rows)
  const cluster = await startPostgres(binaries)
  const databaseUrl = `${cluster.url}?schema=svc`
  try {
    const { key, memory, server } = await startServer(databaseUrl)
    const url = Result.getOrThrow(parseDatabaseUrl(databaseUrl))
    if (url._tag !== "Postgres") throw new Error("The cluster has an address of PostgreSQL.")
    const seconds = { import: [] as Array<number>, copy: [] as Array<number>, merge: [] as Array<number> }
    const compare = Effect.gen(function* () {
      const sql = yield* PgClient
      const path = yield* fileOfPeer(sql, file)
      /** Empties the tables, runs one of the three and tells what it took; answers how many rows there are then. */
      const timed = Effect.fnUntraced(function* <E, R>(name: keyof typeof seconds, run: Effect.Effect<unknown, E, R>) {
        yield* clearRows(sql)
        const before = { server: cpuSeconds(server.pid), database: yield* databaseCpu(sql) }
        const started = performance.now()
        yield* run
        const took = (performance.now() - started) / 1000
        seconds[name].push(took)
        const ours = cpuSeconds(server.pid) - before.server
        const database = (yield* databaseCpu(sql)) - before.database
        told(name, rows, took, `cpu: server ${ours.toFixed(2)} s, database ${database.toFixed(2)} s, ${load()}`)
        return yield* countRows(sql)
      })
      for (let round = 1; round <= rounds; round++) {
        const ours = yield* timed(
          "import",
          Effect.promise(() => timedImport(server.url, key, file, rows))
        )
        const written = yield* writtenRows(sql)
        if (round === 1) yield* keepRows(sql)
        const others = { copy: yield* timed("copy", copyRows(sql)), merge: yield* timed("merge", mergeRows(sql, path)) }
        for (const [name, loaded] of Object.entries(others)) {
          if (tables.some((table) => table !== "events" && loaded[table] !== ours[table])) {
            throw new Error(`${name} made other rows: ${JSON.stringify({ ours, loaded })}`)
          }
        }
        const merged = yield* writtenRows(sql)
        if (JSON.stringify(merged) !== JSON.stringify(written)) {
          throw new Error(`The merge wrote other rows: ${JSON.stringify({ written, merged })}`)
        }
      }
    })
    await Effect.runPromise(
      compare.pipe(Effect.provide(Database.layer(url, { maxConnections: 1 })), Effect.scoped, withoutDeadline)
    )
    for (const name of ["copy", "merge"] as const) {
      const ratio = median(seconds[name]) / median(seconds.import)
      write(`import ÷ ${name.padEnd(10)} ${ratio.toFixed(2)} at ${rows} rows (goal: ${goals[name]})`)
    }
    write(`server memory      ${(memory.peak() / 1e6).toFixed(0)} MB at its peak (goal: below ${goals.megabytes})\n`)
    memory.stop()
  } finally {
    await stopServers()
    await cluster.stop()
  }
}

const onPglite = async (folder: string, rows: number): Promise<void> => {
  const file = join(folder, "pglite.csv")
  await writeLeadFile(file, rows)
  const { key, memory, server } = await startServer(`pglite:${join(folder, "data")}`)
  const before = cpuSeconds(server.pid)
  const seconds = await timedImport(server.url, key, file, rows)
  const used = `cpu: server ${(cpuSeconds(server.pid) - before).toFixed(2)} s`
  told("import on PGlite", rows, seconds, `peak ${(memory.peak() / 1e6).toFixed(0)} MB, ${used}, ${load()}`)
  write(`PGlite             ${Math.round(rows / seconds)} rows/s (goal: ${goals.pgliteRows})`)
  memory.stop()
  await server.stop()
}

refuseOldBuild()
const folder = await mkdtemp(join(tmpdir(), "svc-bench-"))
try {
  write(`Node.js ${process.version}, ${load()}\n`)
  if (!given["only-pglite"]) await onPostgres(folder, Number(given.rows), Number(given.rounds))
  if (Number(given["pglite-rows"]) > 0) await onPglite(folder, Number(given["pglite-rows"]))
} finally {
  await rm(folder, { recursive: true, force: true })
}
