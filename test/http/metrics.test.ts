/** `/metrics`: what is counted, in which words, and what never is in them. */
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { Unavailable } from "#core/kernel/failure/failures.ts"
import { type BacklogSnapshot, ReportsRepo } from "#core/reports/ReportsRepo.ts"
import { metricsRoute } from "#http/metricsRoute.ts"
import { type RunningSvc, startSvc } from "../support/svcProcess.ts"

/** Series by name and labels as they are written. */
const seriesIn = (text: string): ReadonlyMap<string, number> => {
  const types = new Set<string>()
  const series = new Map<string, number>()
  for (const line of text.trimEnd().split("\n")) {
    const type = /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line)?.[1]
    if (type !== undefined) {
      assert.isFalse(types.has(type), `${type} is declared twice`)
      types.add(type)
    }
    if (line.startsWith("#")) continue
    const [, name = "", value = ""] = /^([a-z0-9_]+(?:\{(?:[a-z_]+="[^"]*",?)+\})?) (\S+)$/.exec(line) ?? []
    assert.notStrictEqual(name, "", `not a line of Prometheus text: ${line}`)
    assert.isFalse(series.has(name), `${name} comes twice`)
    assert.isTrue(Number.isFinite(Number(value)), line)
    series.set(name, Number(value))
  }
  return series
}

describe("metrics of a server", () => {
  let server: RunningSvc
  beforeAll(async () => {
    server = await startSvc(["dev"], {
      env: { SVC_DATABASE_URL: "memory:", SVC_LINKEDIN_PACING: "off", SVC_SEND_HOLD_SECONDS: "0" }
    })
  })
  afterAll(async () => void (await server.stop()))

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${String(server.ready["api_key"])}`,
        "content-type": "application/json",
        ...Object(init.headers)
      }
    })
  const run = async (id: string, input: unknown) => {
    const answer = Object(
      await (await ask(`/api/v1/commands/${id}`, { method: "POST", body: JSON.stringify(input) })).json()
    )
    return answer.data
  }
  const scrape = async () => {
    const answer = await fetch(`${server.url}/metrics`)
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    return answer.text()
  }

  it("count requests, commands, sends, imports and deliveries, and need no key", async () => {
    const receiver = createServer((_, response) => response.end()).listen(0, "127.0.0.1")
    await new Promise((resolve) => receiver.once("listening", resolve))
    const address = receiver.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    await run("webhook.create", { url: `http://127.0.0.1:${port}/canary-path`, event_types: ["lead.created"] })
    await run("agent.create", { first_name: "Ada", last_name: "Canary", handle: "ada-canary" })
    await run("mission.create", { name: "Canary mission", agent_handle: "ada-canary" })
    const lead = await run("lead.upsert", {
      email: "canary@example.com",
      name: "Grace Canary",
      linkedin_url: "https://www.linkedin.com/in/grace-canary"
    })
    const { draft } = await run("linkedin.draft.create", { lead_id: lead.lead_id, variations: ["canary text"] })
    await run("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true })
    await run("lead.get", { lead_id: "ld_canary" })
    await run("lead.canary", {})
    await ask(`/api/v1/canary/${"x".repeat(50)}`)
    await ask("/api/v1/agents/ada-canary")
    await ask("/api/v1/agents/ada-canary", { method: "PROPFIND" })
    const csv = "email\ncanary1@example.com\ncanary2@example.com\nno-canary-mail\n"
    const dry = await ask("/api/v1/missions/canary-mission/leads?dry_run=true", {
      method: "POST",
      body: JSON.stringify({ leads: [{ email: "canary3@example.com" }] })
    })
    assert.strictEqual(dry.status, 200)
    await ask("/api/v1/missions/canary-mission/imports", {
      method: "POST",
      body: csv,
      headers: { "content-type": "text/csv" }
    })
    const deadline = Date.now() + 120_000
    let text = await scrape()
    while (!text.includes('svc_webhook_deliveries_total{outcome="delivered"} 3') && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      text = await scrape()
    }
    receiver.close()
    const series = seriesIn(text)
    const expected: Readonly<Record<string, number>> = {
      'svc_commands_total{command="lead.upsert",outcome="ok"}': 1,
      'svc_commands_total{command="lead.get",outcome="NOT_FOUND"}': 1,
      'svc_commands_total{command="unknown",outcome="UNKNOWN_COMMAND"}': 1,
      'svc_command_duration_seconds_count{command="lead.upsert"}': 1,
      'svc_http_requests_total{method="GET",route="/api/v1/agents/{agentHandle}",status="200"}': 1,
      'svc_http_requests_total{method="GET",route="none",status="404"}': 1,
      'svc_http_requests_total{method="other",route="none",status="405"}': 1,
      'svc_http_requests_total{method="POST",route="/api/v1/commands/{commandId}",status="404"}': 2,
      'svc_linkedin_sends_total{outcome="sent"}': 1,
      'svc_import_rows_total{outcome="created"}': 2,
      'svc_import_rows_total{outcome="invalid"}': 1,
      'svc_webhook_deliveries_total{outcome="delivered"}': 3,
      'svc_backlog{queue="linkedin",state="queued"}': 0,
      svc_database_up: 1
    }
    for (const [name, value] of Object.entries(expected))
      assert.strictEqual(series.get(name), value, `${name}\n${text}`)
    for (const name of [
      "process_resident_memory_bytes",
      "process_uptime_seconds",
      "nodejs_eventloop_lag_p99_seconds"
    ]) {
      assert.isAtLeast(series.get(name) ?? -1, 0, name)
    }
    assert.notMatch(text, /canary/i, "what a person or a caller wrote")
    assert.notMatch(text, /svc_live|\b(?:org|ld|usr)_/, "an id or a key")
  })
})

describe("metrics of what waits", () => {
  const scrapes = (backlog: ReportsRepo["Service"]["backlog"], times: number) =>
    Effect.gen(function* () {
      const route = yield* metricsRoute("0.0.0", 7)
      if (route.access !== "open") return yield* Effect.die("a key is asked for")
      const request = HttpServerRequest.fromWeb(new Request("http://localhost/metrics"))
      const texts: Array<string> = []
      for (let time = 0; time < times; time++) {
        const answer = yield* route.handle({ request, requestId: "req_1", params: {} })
        texts.push(yield* Effect.promise(() => HttpServerResponse.toWeb(answer).text()))
      }
      return texts
    }).pipe(Effect.provide(Layer.mock(ReportsRepo)({ backlog })), Effect.scoped)

  it.live("ask the database once for scrapes that follow each other", () =>
    Effect.gen(function* () {
      let asked = 0
      const found: BacklogSnapshot = {
        waiting: [{ queue: "linkedin", state: "queued", count: 4 }],
        connections: [{ state: "idle in transaction", count: 2 }]
      }
      const texts = yield* scrapes(
        Effect.sync(() => {
          asked++
          return found
        }),
        3
      )
      assert.strictEqual(asked, 1)
      for (const text of texts) {
        const series = seriesIn(text)
        assert.strictEqual(series.get('svc_backlog{queue="linkedin",state="queued"}'), 4)
        assert.strictEqual(series.get('svc_backlog{queue="email",state="queued"}'), 0)
        assert.strictEqual(series.get('svc_database_connections{state="idle in transaction"}'), 2)
        assert.strictEqual(series.get("svc_database_pool_connections"), 7)
      }
    })
  )

  it.live("say that the database does not answer, and the rest all the same", () =>
    Effect.gen(function* () {
      for (const read of [Effect.fail(new Unavailable()), Effect.never]) {
        const [text = ""] = yield* scrapes(read, 1)
        const series = seriesIn(text)
        assert.strictEqual(series.get("svc_database_up"), 0)
        assert.notInclude(text, "svc_backlog{")
        assert.isAbove(series.get("process_resident_memory_bytes") ?? 0, 0)
      }
    })
  )
})
