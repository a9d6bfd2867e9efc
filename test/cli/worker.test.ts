/** `svc worker`: workers and servers on one database. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe("svc worker", () => {
  let scope: Scope.Closeable
  beforeAll(() => {
    scope = Effect.runSync(Scope.make())
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("refuses a database that nobody else sees, and bad settings", async () => {
    const memory = await svc(["worker", "--json"], { env: { SVC_DATABASE_URL: "memory:" } })
    assert.strictEqual(Object(oneJson(memory)["error"]).code, "WRONG_STATE")
    assert.strictEqual(memory.code, 5)
    const bad = await svc(["worker", "--json"], { env: { SVC_LINKEDIN_GATEWAY: "unipile" } })
    assert.strictEqual(bad.code, 2)
    assert.include(bad.stdout, "requires SVC_UNIPILE_DSN and SVC_UNIPILE_API_KEY")
  })

  it("leaves an embedded folder to the server that has it", async () => {
    const folder = await temporaryFolder()
    const server = await startSvc(["serve"], { cwd: folder.path })
    const ran = await svc(["worker", "--json"], { cwd: folder.path })
    assert.strictEqual(ran.code, 6)
    assert.include(String(Object(oneJson(ran)["error"]).message), "needs PostgreSQL")
    assert.strictEqual(await server.stop(), 0)
    await folder.remove()
  })

  it.skipIf(!hasPostgres())("does what a server without a worker leaves undone, until it is stopped", async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshPostgres(), scope))
    const env = {
      SVC_DATABASE_URL: clearUrl(url),
      SVC_RATE_LIMIT: "0",
      SVC_LINKEDIN_GATEWAY: "simulator",
      SVC_LINKEDIN_PACING: "off",
      SVC_SEND_HOLD_SECONDS: "0"
    }
    const key = oneJson(await svcInProcess(["orgs", "create", "First", "--json"], { env }))["api_key"]
    const server = await startSvc(["serve", "--no-worker"], { env })
    const run = async (command: string, input: unknown) => {
      const response = await fetch(`${server.url}/api/v1/commands/${command}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(input)
      })
      const answer = Object(await response.json())
      assert.isTrue(answer.ok, JSON.stringify(answer))
      return Object(answer.data)
    }
    const approved = async (slug: string): Promise<string> => {
      const linkedin_url = `https://www.linkedin.com/in/${slug}`
      await run("lead.upsert", { linkedin_url, name: slug })
      const { draft } = await run("linkedin.draft.create", { linkedin_url, variations: [{ body_text: `Hi ${slug}` }] })
      await run("linkedin.draft.approve", { draft_id: draft.draft_id })
      return draft.draft_id
    }
    const statusWithin = async (draft_id: string, millis: number): Promise<string> => {
      for (let waited = 0; ; waited += 250) {
        const { status } = (await run("linkedin.draft.get", { draft_id })).draft
        if (status === "DISPATCHED" || waited >= millis) return status
        await pause(250)
      }
    }
    await run("agent.create", { first_name: "Ada", last_name: "Martin" })
    const first = await approved("grace")
    assert.strictEqual(await statusWithin(first, 2_500), "READY_TO_SEND", "nobody works")
    const workers: Array<RunningSvc> = [await startSvc(["worker"], { env }), await startSvc(["worker"], { env })]
    assert.deepInclude(workers[0]?.ready, { role: "worker", database: "postgres", gateway: "simulator" })
    assert.strictEqual(await statusWithin(first, 20_000), "DISPATCHED")
    assert.strictEqual(await statusWithin(await approved("alan"), 20_000), "DISPATCHED")
    assert.deepStrictEqual(await Promise.all(workers.map(({ stop }) => stop())), [0, 0])
    assert.strictEqual(await server.stop(), 0)
  })
})
