/**
 * What V8 makes for a request. A generator function that is made anew in each request gets a shape of its own, which lives in
 * the old part of the heap and keeps the whole request with it until all of it is collected.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

const times = 40

type Send = (path: string, body?: object) => Promise<Response>

/** Requests, by name. Each is sent many times. */
const requests: Readonly<Record<string, (send: Send, leadId: string, turn: number) => Promise<Response>>> = {
  whoAmI: (send) => send("/api/v1/me"),
  upsert: (send, _, turn) => send("/api/v1/commands/lead.upsert", { name: "Ada", email: `ada${turn}@example.com` }),
  prospect: (send, leadId) => send(`/api/v1/resources/read?uri=svc://prospects/${leadId}`),
  list: (send) => send("/api/v1/offers"),
  search: (send) => send("/api/v1/commands/lead.search", {}),
  draft: (send, lead_id) =>
    send("/api/v1/commands/linkedin.draft.create", { lead_id, variations: ["Hello"], replace_open: true })
}

const backend = hasPostgres() ? "PostgreSQL" : "memory"

describe(`requests on ${backend}`, { timeout: 120_000 }, () => {
  const scope = Effect.runSync(Scope.make())
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: RunningSvc
  let key = ""
  const log = () => join(folder.path, "shapes.log")

  beforeAll(async () => {
    folder = await temporaryFolder()
    const database =
      backend === "memory" ? "memory:" : clearUrl((await Effect.runPromise(Scope.provide(freshPostgres(), scope))).url)
    const env = { SVC_DATABASE_URL: database, SVC_RATE_LIMIT: "0" }
    const nodeFlags = ["--log-maps", `--logfile=${log()}`, "--no-logfile-per-isolate"]
    server = await startSvc(["serve", "--no-worker"], { env, nodeFlags })
    key = String(server.ready["api_key"] ?? "")
    if (key === "undefined" || key === "") {
      const made = await svcInProcess(["orgs", "create", "Shapes", "--json"], { env })
      key = String(Object(JSON.parse(made.stdout))["api_key"])
    }
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("make no shapes of their own", async () => {
    const send: Send = (path, body) =>
      fetch(`${server.url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    /** A field that nobody else sends, which the log names. */
    const mark = (name: string) => send("/api/v1/commands/lead.upsert", { [`mark_${name}`]: 1 })
    await send("/api/v1/commands/agent.create", { first_name: "Ada", last_name: "Martin" })
    const lead: unknown = await (
      await send("/api/v1/commands/lead.upsert", { name: "Eve", email: "eve@example.com" })
    ).json()
    const leadId = String(Object(Object(lead).data).lead_id)
    for (const [name, request] of Object.entries(requests)) {
      for (let turn = 0; turn < 2 * times; turn++) {
        if (turn === times) await mark(`${name}_begins`)
        assert.strictEqual((await request(send, leadId, turn)).status, 200, name)
      }
      await mark(`${name}_ends`)
    }
    await server.stop()
    const lines = await readFile(log(), "latin1")
    const made: Record<string, number> = {}
    for (const name of Object.keys(requests)) {
      const during = lines.slice(lines.lastIndexOf(`mark_${name}_begins`), lines.indexOf(`mark_${name}_ends`))
      assert.isAbove(during.length, 0, `${name} is in the log`)
      made[name] = Math.round(during.split("\nmap,InitialMap,").length / times)
    }
    assert.isAbove(lines.split("\nmap,InitialMap,").length, 500, "the log tells of shapes")
    assert.deepStrictEqual(made, Object.fromEntries(Object.keys(requests).map((name) => [name, 0])))
  })
})
