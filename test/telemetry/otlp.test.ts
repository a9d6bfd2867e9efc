/** Traces over OTLP: one for each request, command line or call of an agent, down to SQL, and nothing personal in them. */
import { spawn } from "node:child_process"
import { mkdir, readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { rpc } from "../support/mcpHttp.ts"
import { type ArrivedSpan, type OtlpCollector, otlpCollector } from "../support/otlpCollector.ts"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

/** The one trace that a command is in. */
const traceOf = (spans: ReadonlyArray<ArrivedSpan>, command: string): ReadonlyArray<ArrivedSpan> => {
  const roots = spans.filter(({ name }) => name === `command ${command}`)
  assert.strictEqual(roots.length, 1, `runs of ${command}: ${JSON.stringify(spans.map(({ name }) => name))}`)
  return spans.filter(({ traceId }) => traceId === roots[0]?.traceId)
}

const named = (spans: ReadonlyArray<ArrivedSpan>, name: string): ArrivedSpan => {
  const span = spans.find((one) => one.name === name)
  assert.ok(span !== undefined, `${name} in ${JSON.stringify(spans.map((one) => one.name))}`)
  return span
}

/** Whether a span is below another, however deep. */
const isBelow = (spans: ReadonlyArray<ArrivedSpan>, span: ArrivedSpan, above: ArrivedSpan): boolean => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent !== undefined && (parent.spanId === above.spanId || isBelow(spans, parent, above))
}

const assertStatementsBelow = (trace: ReadonlyArray<ArrivedSpan>, above: ArrivedSpan) => {
  // Whose key it is is asked before there is a command.
  const isOfKeys = ({ attributes }: ArrivedSpan) =>
    /\b(api_keys|organization_lookups) /.test(String(attributes["db.query.text"]))
  const statements = trace.filter((span) => span.attributes["db.query.text"] !== undefined && !isOfKeys(span))
  assert.isAbove(statements.length, 0)
  for (const span of statements) {
    assert.isTrue(isBelow(trace, span, above), JSON.stringify(span))
    assert.strictEqual(span.attributes["db.system.name"], "postgresql")
    assert.match(String(span.attributes["db.query.text"]), /^(?:select|with|insert|update) /)
  }
}

describe("telemetry", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let collector: OtlpCollector
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  const place = async (name: string): Promise<string> => {
    collector = await otlpCollector()
    const cwd = join(folder.path, name)
    await mkdir(cwd)
    return cwd
  }

  it("of one lead.upsert over HTTP is one trace from the request to its statements", async () => {
    const cwd = await place("http")
    const endpoint = collector.url.replace("//", "//user:pa%3Ass@")
    const server = await startSvc(["dev"], { cwd, env: { SVC_OTLP_URL: endpoint, SVC_LOG_LEVEL: "trace" } })
    const key = (await readFile(join(cwd, ".svc/dev-key"), "utf8")).trim()
    const ask = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body)
      })
    const upsert = await ask(
      "/api/v1/commands/lead.upsert",
      { email: "canary-mail@example.com", name: "Canary Name", company: "Canary Company" },
      { "idempotency-key": "canary-idempotency", traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` }
    )
    const answer = Object(await upsert.json())
    assert.strictEqual(upsert.status, 200)
    // What fails at the surface, in the database and at a provider.
    await ask("/api/v1/commands/lead.get", { email: "canary-missing@example.com" })
    await ask("/api/v1/commands/lead.upsert?canary-parameter=1", "{ canary-json")
    await ask("/api/v1/commands/offer.create", {
      offer_id: "canary-offer",
      name: "Canary",
      one_liner: "canary",
      value_proposition: "canary"
    })
    await ask("/api/v1/commands/offer.create", {
      offer_id: "canary-offer",
      name: "Other",
      one_liner: "canary",
      value_proposition: "canary"
    })
    await ask("/api/v1/commands/webhook.create", {
      url: "http://127.0.0.1:9/canary-hook",
      event_types: ["lead.created"]
    })
    await ask("/api/v1/commands/lead.upsert", { email: "canary-second@example.com" })
    await fetch(`${server.url}/api/v1/leads/canary-path?canary=1`)
    const spans = await collector.until((all) => all.some(({ name }) => name === "work deliver"))
    await server.stop()
    const trace = spans.filter(({ traceId }) => traceId === "ab".repeat(16))
    const request = named(trace, "POST /api/v1/commands/{commandId}")
    const command = named(trace, "command lead.upsert")
    assert.strictEqual(request.parentSpanId, "cd".repeat(8))
    assert.strictEqual(request.kind, 2)
    assert.deepInclude(request.attributes, {
      "http.request.method": "POST",
      "http.route": "/api/v1/commands/{commandId}",
      "svc.request_id": upsert.headers.get("svc-request-id") ?? ""
    })
    assert.equal(request.attributes["http.response.status_code"], 200)
    assert.strictEqual(command.parentSpanId, request.spanId)
    assert.deepInclude(command.attributes, {
      "svc.command": "lead.upsert",
      "svc.command_hash": answer.meta.command_hash,
      "svc.outcome": "ok",
      "svc.request_id": upsert.headers.get("svc-request-id") ?? ""
    })
    assert.match(String(command.attributes["svc.organization_id"]), /^org_/)
    assertStatementsBelow(trace, command)
    const transaction = named(trace, "sql.transaction")
    assert.isTrue(isBelow(trace, transaction, command))
    // The worker looks for work all the time; only work is a trace.
    for (const span of spans) {
      if (span.parentSpanId !== undefined) continue
      assert.match(span.name, /^(?:(?:GET|POST) \/|command |work )/)
    }
    for (const name of ["svc_commands_total", "svc_http_requests_total"]) {
      assert.isTrue(collector.figures().has(name), name)
    }
    const everything = collector.received()
    assert.notMatch(everything, /canary/i)
    assert.notInclude(everything, key)
    assert.notInclude(everything, key.slice(-30))
    const basic = `Basic ${Buffer.from("user:pa:ss").toString("base64")}`
    assert.deepStrictEqual([...collector.authorizations()], [basic])
    assert.notInclude(server.stderr(), "pa:ss")
    assert.notInclude(server.stderr(), basic)
    collector.close()
  })

  it("of a command line that works on its own folder leaves before it ends", async () => {
    const cwd = await place("cli")
    const env = { SVC_OTLP_URL: collector.url, SVC_LINKEDIN_GATEWAY: "simulator" }
    const made = await svcInProcess(["orgs", "create", "Canary Inc", "--json"], { cwd, env })
    const SVC_API_KEY = String(oneJson(made)["api_key"])
    const ran = await svc(
      ["commands", "run", "lead.upsert", "--input-json", '{"email":"canary@example.com"}', "--json"],
      { cwd, env: { ...env, SVC_API_KEY } }
    )
    assert.strictEqual(ran.code, 0, ran.stdout + ran.stderr)
    const trace = traceOf(collector.spans(), "lead.upsert")
    assertStatementsBelow(trace, named(trace, "command lead.upsert"))
    assert.notMatch(collector.received(), /canary/i)
    collector.close()
  })

  it("of an agent's call over stdio goes down to statements too", async () => {
    const cwd = await place("mcp")
    const SVC_API_KEY = String(
      oneJson(await svcInProcess(["orgs", "create", "Canary Inc", "--json"], { cwd }))["api_key"]
    )
    const child = spawn(process.execPath, [await svcBundle(), "mcp"], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", SVC_API_KEY, SVC_OTLP_URL: collector.url },
      stdio: ["pipe", "ignore", "ignore"]
    })
    const ended = new Promise((resolve) => child.once("close", resolve))
    const write = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`)
    write(rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} }, 1))
    write(rpc("tools/call", { name: "lead_upsert", arguments: { email: "canary@example.com" } }, 2))
    await collector.until((spans) => spans.some(({ name }) => name === "command lead.upsert"))
    child.stdin.end()
    await ended
    const trace = traceOf(collector.spans(), "lead.upsert")
    assertStatementsBelow(trace, named(trace, "command lead.upsert"))
    assert.notMatch(collector.received(), /canary/i)
    collector.close()
  })

  it("that nobody takes costs requests nothing, and is said once", async () => {
    const cwd = await place("down")
    collector.close()
    // Nobody answers the first, the second answers 500, the third accepts connections and says nothing.
    const broken = await otlpCollector(500)
    const silent = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => silent.once("listening", resolve))
    const address = silent.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const check = async (endpoint: string) => {
      const server = await startSvc(["dev"], { cwd, env: { SVC_DATABASE_URL: "memory:", SVC_OTLP_URL: endpoint } })
      const key = String(server.ready["api_key"])
      const begun = Date.now()
      while (Date.now() - begun < 3_000) {
        const answer = await fetch(`${server.url}/api/v1/offers`, { headers: { authorization: `Bearer ${key}` } })
        assert.oneOf(answer.status, [200, 429])
        await answer.arrayBuffer()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const stopped = Date.now()
      assert.strictEqual(await server.stop("SIGTERM"), 0)
      assert.isBelow(Date.now() - stopped, 60_000)
      const warnings = server.stderr().split("Telemetry cannot be exported").length - 1
      assert.isAtMost(warnings, 1)
      if (!endpoint.endsWith(String(port))) assert.strictEqual(warnings, 1, server.stderr())
    }
    await Promise.all([collector.url, broken.url, `http://127.0.0.1:${port}`].map(check))
    silent.close()
    broken.close()
  })
})
