/** `svc status`. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readStatus } from "#cli/commands/status.ts"
import type { Target } from "#cli/Target.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

describe("svc status", () => {
  let server: RunningSvc
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
  })
  afterAll(() => server.stop())
  const run = (key: unknown, ...args: ReadonlyArray<string>) =>
    svcInProcess(args, { env: { SVC_BASE_URL: server.url, SVC_API_KEY: String(key) } })

  it("shows what needs a person with its command, and what sends next", async () => {
    const key = server.ready["api_key"]
    const before = oneJson(await run(key, "status", "--json"))
    const counts = Object(oneJson(await run(key, "review", "counts", "--json"))["data"])
    const needs: ReadonlyArray<{ readonly kind: string; readonly count: number }> = Object(before)["needs"]
    const countOf = (kind: string) => needs.find((need) => need.kind === kind)?.count ?? 0
    assert.strictEqual(countOf("review") + countOf("request"), counts.to_review)
    assert.strictEqual(countOf("problem"), counts.problems)
    const approved = await run(key, "approve", "Edsger", "--json")
    assert.strictEqual(approved.code, 0, approved.stdout)
    const after = oneJson(await run(key, "status", "--json"))
    assert.include(
      Object(after)["next"].map(({ lead }: { readonly lead: string }) => lead),
      "Edsger Dijkstra"
    )
    const text = await run(key, "status")
    assert.match(text.stdout, /^dev: \d+ active missions\./)
    assert.match(text.stdout, /^\d+ drafts and emails to review\tsvc drafts review$/m)
    assert.match(text.stdout, /^\w{3} \d\d:\d\d\tEdsger Dijkstra\tmessage\tAda Martin$/m)
  })

  it("leaves out what the key may not read, and says when nobody is logged in", async () => {
    const admin = server.ready["api_key"]
    const made = await run(admin, "keys", "create", "Counts only", "--scopes", "missions:read", "--json")
    const few = await run(Object(oneJson(made)["data"]).api_key, "status", "--json")
    assert.deepStrictEqual([few.code, Object(oneJson(few))["next"]], [0, []], few.stdout + few.stderr)
    const nobody = await svcInProcess(["status"], { env: { SVC_BASE_URL: server.url } })
    assert.deepStrictEqual([nobody.code, nobody.stderr.startsWith("svc: Not logged in.")], [3, true])
  })

  it("names accounts that must sign in, limits that are reached, and a hold", async () => {
    const usage = { account_id: "acc_1", limit: 20, remaining: 0, window: "day" }
    const replies: Readonly<Record<string, object>> = {
      "workspace.status": {
        organization: { name: "Acme" },
        missions: { ACTIVE: 1 },
        agents: 1,
        imports: { interrupted: 1 }
      },
      "linkedin.account.list": {
        accounts: [
          { account_id: "acc_1", name: "Ada", status: "CREDENTIALS" },
          { account_id: "acc_2", name: "Ben", status: "RESTRICTED" },
          { account_id: "acc_3", name: "Cy", status: "CONNECTING" }
        ]
      },
      "linkedin.usage.get": {
        windows: [
          { ...usage, action: "message" },
          { ...usage, action: "search", limit: 0 }
        ]
      },
      "linkedin.queue.forecast": { on_hold: true },
      "review.list": { items: [{ state: "waiting", leaves_at: "2026-11-28T09:00:00.000Z" }, { state: "answered" }] }
    }
    const target: Target = {
      place: { kind: "server", label: "test" },
      key: undefined,
      send: ({ path }) => Effect.succeed({ status: 200, body: { data: replies[path.split("/").at(-1) ?? ""] ?? {} } })
    }
    const { needs, next, sending_held } = await Effect.runPromise(readStatus(target))
    assert.deepStrictEqual(
      needs.map(({ text }) => text),
      [
        "Sending is held",
        "Ada must sign in to LinkedIn again",
        "The LinkedIn account of Ben is restricted",
        "1 reply waiting",
        "Ada reached the limit of 20 messages in 24 hours",
        "1 interrupted import"
      ]
    )
    assert.deepStrictEqual([sending_held, next], [true, []])
  })
})
