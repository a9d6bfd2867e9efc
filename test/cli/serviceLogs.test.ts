/** What services write to stderr: one shape of JSON lines, from the first one to the last. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "#postgres/Database.ts"
import { migrations } from "#postgres/migrations/index.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { freePort } from "../support/freePort.ts"
import { type LogLine, logLines } from "../support/logLines.ts"
import { oneJson, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const memory = { SVC_DATABASE_URL: "memory:" }
const messages = (stderr: string) => logLines(stderr).map(({ message }) => message)
const lineWith = (stderr: string, message: string): LogLine => {
  const found = logLines(stderr).find((line) => line.message === message)
  assert.isDefined(found, `${message} is not in ${stderr}`)
  return found ?? { timestamp: "", level: "", message: "" }
}

describe("the log of a service", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let scope: Scope.Closeable
  beforeAll(async () => {
    folder = await temporaryFolder()
    scope = Effect.runSync(Scope.make())
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await folder.remove()
  })

  it("tells at level info that it started and stopped, and no more", async () => {
    const server = await startSvc(["serve"], { env: memory })
    await fetch(`${server.url}/docs`)
    assert.strictEqual(await server.stop(), 0)
    assert.deepStrictEqual(messages(server.stderr()), ["Started", "Stopping", "Stopped"])
    const { database, level, service, url, version, worker } = lineWith(server.stderr(), "Started")
    assert.deepStrictEqual([service, url, database, worker, level], ["serve", server.url, "memory:", true, "INFO"])
    assert.strictEqual(version, server.ready["version"])
    const dev = await startSvc(["dev"], { env: memory })
    assert.strictEqual(await dev.stop(), 0)
    assert.deepStrictEqual(messages(dev.stderr()), [], "a developer reads the banner")
  })

  it("has the fields of a line beside its text", async () => {
    const server = await startSvc(["serve"], { env: { ...memory, SVC_LOG_LEVEL: "trace" } })
    await fetch(`${server.url}/api/v1/me`)
    assert.strictEqual(await server.stop(), 0)
    const line = logLines(server.stderr()).find(({ route }) => route === "/api/v1/me")
    assert.deepInclude(line, { message: "request", level: "DEBUG", method: "GET", status: 401 })
    assert.match(String(line?.["requestId"]), /^req_/)
  })

  it("is of one shape when the service cannot start, and stdout is as with --json elsewhere", async () => {
    const server = await startSvc(["serve"], { env: memory })
    const { port } = new URL(server.url)
    const refusals = [
      { args: ["serve"], env: { SVC_PORT: "80808" }, code: "INVALID_INPUT", exit: 2 },
      { args: ["serve", "--port", port], env: memory, code: "UNAVAILABLE", exit: 6 },
      { args: ["serve"], env: { SVC_DATABASE_URL: "postgres://svc@127.0.0.1:1/svc" }, code: "UNAVAILABLE", exit: 6 },
      { args: ["dev"], env: { SVC_LOG_LEVEL: "loud" }, code: "INVALID_INPUT", exit: 2 },
      { args: ["worker"], env: { ...memory, SVC_LOG_LEVEL: "none" }, code: "WRONG_STATE", exit: 5 }
    ]
    for (const { args, code, env, exit } of refusals) {
      const ran = await svc(args, { env })
      assert.deepStrictEqual([ran.code, ran.stdout], [exit, ""], ran.stderr)
      const [line, ...more] = logLines(ran.stderr)
      assert.deepInclude(line, { level: "ERROR", code })
      assert.deepStrictEqual(more, [])
      const asked = await svc([...args, "--json"], { env })
      const { message } = Object(oneJson(asked)["error"])
      assert.strictEqual(message, line?.message)
      assert.deepInclude(logLines(asked.stderr)[0], { message, code })
      const told = await svc(args, { env: { ...env, SVC_LOG_FORMAT: "pretty" } })
      assert.strictEqual(told.stderr, `svc: ${message} [${code}]\n`)
    }
    await server.stop()
  })

  it("is of one shape when Node warns, and when an error was caught nowhere", async () => {
    const script = join(folder.path, "trouble.cjs")
    await writeFile(
      script,
      `process.once("SIGUSR2", () => {
        process.emitWarning("too many", "CanaryWarning")
        setImmediate(() => { throw new Error("canary") })
      })`
    )
    const env = { ...memory, NODE_OPTIONS: `--require ${script}`, NODE_NO_WARNINGS: "" }
    const failing = await startSvc(["serve"], { env })
    const code = await failing.stop("SIGUSR2")
    assert.strictEqual(code, 1)
    assert.deepInclude(lineWith(failing.stderr(), "too many"), { level: "WARN", name: "CanaryWarning" })
    const line = lineWith(failing.stderr(), "Unexpected error. The process ends.")
    assert.match(String(line["cause"]), /Error: canary\n {4}at /)
  })

  it.skipIf(!hasPostgres())("tells of migrations, holds, outages of the database, and defects", async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshPostgres("empty"), scope))
    const sql = <A>(run: (sql: SqlClient) => Effect.Effect<A, unknown>) =>
      Effect.runPromise(Effect.provide(Effect.flatMap(SqlClient, run), Database.layer(url, { maxConnections: 1 })))
    const env = { SVC_DATABASE_URL: clearUrl(url), SVC_ADMIN_PORT: String(await freePort()) }
    const made = await svc(["orgs", "create", "Logs", "--json"], { env })
    assert.deepInclude(lineWith(made.stderr, "Migrated the database"), {
      level: "INFO",
      migrations: migrations.map(({ name }) => name)
    })
    await sql(
      (sql) => sql`
        create function svc.break() returns trigger language plpgsql as $$
        begin raise exception using errcode = new.name, message = 'canary'; end $$`
    )
    await sql((sql) => sql`create trigger break before insert on svc.offers for each row execute function svc.break()`)
    await sql((sql) => sql`update svc.deployment set hold_reason = 'no_heartbeat', held_since = now()`)
    const server = await startSvc(["serve"], { env })
    const admin = String(server.ready["admin_url"])
    const status = async (name: string) => {
      const headers = { authorization: `Bearer ${oneJson(made)["api_key"]}`, "content-type": "application/json" }
      const body = JSON.stringify({ name, one_liner: "One", value_proposition: "Two" })
      return (await fetch(`${server.url}/api/v1/commands/offer.create`, { method: "POST", headers, body })).status
    }
    assert.strictEqual(await status("57014"), 503)
    assert.strictEqual(await status("55P03"), 503)
    assert.strictEqual(await status("53100"), 503)
    assert.strictEqual(await status("53300"), 503)
    assert.strictEqual(await status("22012"), 500)
    const ready = Object(await (await fetch(`${admin}/readyz`)).json())
    assert.strictEqual(ready.status, "ready", "reading goes on")
    assert.strictEqual(ready.sending_hold.reason, "no_heartbeat")
    assert.deepStrictEqual(
      ready.database_failures.map(({ reason, sqlstate }: Readonly<Record<string, string>>) => [sqlstate, reason]),
      [
        ["53100", "disk full"],
        ["53300", "too many connections"]
      ]
    )
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    for (const state of ["53100", "53300", "57014", "55P03"]) {
      assert.match(metrics, new RegExp(`svc_database_failures_total\\{sqlstate="${state}"\\} [1-9]`))
    }
    assert.strictEqual(await server.stop(), 0)
    const log = server.stderr()
    assert.deepInclude(lineWith(log, "Sending is held"), { level: "ERROR", reason: "no_heartbeat" })
    assert.deepInclude(lineWith(log, "The database is unavailable"), { sqlState: "53100", reason: "disk full" })
    const slow = lineWith(log, "A statement took too long")
    assert.deepInclude(slow, { level: "WARN", command: "offer.create" })
    assert.match(String(slow["requestId"]), /^req_/)
    const defect = lineWith(log, "A command failed unexpectedly")
    assert.strictEqual(defect["command"], "offer.create")
    assert.include(String(defect["cause"]), "canary")
  })
})
