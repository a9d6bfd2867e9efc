/**
 * `npm run bench`: how fast a CSV file is imported through the built server, against `COPY` of the same finished rows into
 * the same tables; and how fast on PGlite. Counts are checked, seconds are only told.
 *
 * `npm run bench -- --rows 1000000 --rounds 1` sets the size, `--pglite-rows 20000` that on PGlite (0 leaves it out), and
 * `--only-pglite` leaves PostgreSQL out.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { generateKey } from "#core/workspace/organizations/ApiKey.ts"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import { findPostgres, startPostgres } from "../support/PostgresCluster.ts"
import { startSvc } from "../support/svcProcess.ts"
import { clearRows, copyRows, countRows, keepRows, tables } from "./copiedRows.ts"
import { type ImportCounts, runCommand, uploadFile } from "./importClient.ts"
import { writeLeadFile } from "./leadFile.ts"
import { cpuSeconds, familySeconds, watchMemory } from "./processUse.ts"

/** Goals. */
const goals = { ratio: 0.6, megabytes: 300, pgliteRows: 3_000 } as const

const key = generateKey()

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    "pglite-rows": { type: "string", default: "20000" },
    "only-pglite": { type: "boolean", default: false },
    "node-options": { type: "string" }
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

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** The built server on a database, with an organization and a mission to import into. */
const startServer = async (databaseUrl: string, folder: string) => {
  const server = await startSvc(["serve", "--no-worker"], {
    cwd: folder,
    env: {
      SVC_DATABASE_URL: databaseUrl,
      SVC_BOOTSTRAP_KEY: key,
      SVC_LOG_LEVEL: "warn",
      ...(given["node-options"] === undefined ? {} : { NODE_OPTIONS: given["node-options"] })
    }
  })
  await runCommand(server.url, key, "mission.create", { name: "Bench" })
  const memory = watchMemory(server.child.pid ?? 0)
  return { server, memory }
}

/** Imports a file; answers the seconds. */
const timedImport = async (url: string, file: string, rows: number): Promise<number> => {
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
  try {
    const { memory, server } = await startServer(cluster.url, folder)
    const url = Result.getOrThrow(parseDatabaseUrl(cluster.url))
    if (url._tag !== "Postgres") throw new Error("The cluster has an address of PostgreSQL.")
    const seconds = { import: [] as Array<number>, copy: [] as Array<number> }
    const compare = Effect.gen(function* () {
      const sql = yield* PgClient
      for (let round = 1; round <= rounds; round++) {
        yield* clearRows(sql)
        const cpu = { server: cpuSeconds(server.child.pid ?? 0), database: yield* databaseCpu(sql) }
        const imported = yield* Effect.promise(() => timedImport(server.url, file, rows))
        seconds.import.push(imported)
        cpu.server = cpuSeconds(server.child.pid ?? 0) - cpu.server
        cpu.database = (yield* databaseCpu(sql)) - cpu.database
        const finished = yield* countRows(sql)
        const used = `cpu: server ${cpu.server.toFixed(2)} s, database ${cpu.database.toFixed(2)} s`
        told(`import ${round}`, rows, imported, `peak ${(memory.peak() / 1e6).toFixed(0)} MB, ${used}, ${load()}`)
        if (round === 1) yield* keepRows(sql)
        yield* clearRows(sql)
        const before = yield* databaseCpu(sql)
        const started = performance.now()
        const each = yield* copyRows(sql)
        const copied = (performance.now() - started) / 1000
        seconds.copy.push(copied)
        const loaded = yield* countRows(sql)
        if (tables.some((table) => table !== "events" && loaded[table] !== finished[table])) {
          throw new Error(`COPY made other rows: ${JSON.stringify({ finished, loaded })}`)
        }
        const parts = Object.entries(each).map(([table, part]) => `${table} ${part.toFixed(2)}`)
        const spent = (yield* databaseCpu(sql)) - before
        told(`copy ${round}`, rows, copied, `cpu: database ${spent.toFixed(2)} s, ${load()} (${parts.join(", ")})`)
      }
    })
    await Effect.runPromise(compare.pipe(Effect.provide(Database.layer(url, { maxConnections: 1 })), Effect.scoped))
    const ratio = median(seconds.copy) / median(seconds.import)
    write(`\nimport / COPY      ${ratio.toFixed(2)} at ${rows} rows (goal: ${goals.ratio})`)
    write(`server memory      ${(memory.peak() / 1e6).toFixed(0)} MB at its peak (goal: below ${goals.megabytes})\n`)
    memory.stop()
    await server.stop()
  } finally {
    await cluster.stop()
  }
}

const onPglite = async (folder: string, rows: number): Promise<void> => {
  const file = join(folder, "pglite.csv")
  await writeLeadFile(file, rows)
  const { memory, server } = await startServer(`pglite:${join(folder, "data")}`, folder)
  const before = cpuSeconds(server.child.pid ?? 0)
  const seconds = await timedImport(server.url, file, rows)
  const used = `cpu: server ${(cpuSeconds(server.child.pid ?? 0) - before).toFixed(2)} s`
  told("import on PGlite", rows, seconds, `peak ${(memory.peak() / 1e6).toFixed(0)} MB, ${used}, ${load()}`)
  write(`PGlite             ${Math.round(rows / seconds)} rows/s (goal: ${goals.pgliteRows})`)
  memory.stop()
  await server.stop()
}

const folder = await mkdtemp(join(tmpdir(), "svc-bench-"))
try {
  write(`Node.js ${process.version}, ${load()}\n`)
  if (!given["only-pglite"]) await onPostgres(folder, Number(given.rows), Number(given.rounds))
  if (Number(given["pglite-rows"]) > 0) await onPglite(folder, Number(given["pglite-rows"]))
} finally {
  await rm(folder, { recursive: true, force: true })
}
