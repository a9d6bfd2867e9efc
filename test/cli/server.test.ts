/** `svc dev` and `svc serve` as processes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile, stat } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { version } from "#core/kernel/schema/Version.ts"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { environment, oneJson, type Ran, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const memory = { SVC_DATABASE_URL: "memory:" }
const errorOf = (ran: Ran): Readonly<Record<string, unknown>> => Object(oneJson(ran)["error"])
const asKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

describe("svc dev and svc serve", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  it("print one ready line, on memory with organization and key, and end with 0 on SIGTERM", async () => {
    for (const kind of ["dev", "serve"]) {
      const server = await startSvc([kind], { env: memory })
      const { api_key, organization_id, ...rest } = server.ready
      assert.deepStrictEqual(rest, { event: "ready", url: server.url, database: "memory", version })
      assert.deepStrictEqual(Object.keys(server.ready).slice(0, 4), ["event", "url", "database", "version"])
      assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
      const me = await fetch(`${server.url}/api/v1/me`, asKey(String(api_key)))
      const { data } = Object(await me.json())
      assert.strictEqual(data.organization_id, organization_id)
      assert.strictEqual(data.actor_kind, "USER")
      const begun = Date.now()
      assert.strictEqual(await server.stop("SIGTERM"), 0)
      assert.isBelow(Date.now() - begun, 60_000)
      assert.strictEqual(server.stdout().trim().split("\n").length, 1)
      assert.notInclude(server.stderr(), String(api_key))
    }
  })

  it("answer what was begun before SIGTERM, with idle connections open, and end with 130 on SIGINT", async () => {
    const server = await startSvc(["dev"], { env: { ...memory, SVC_RATE_LIMIT: "0" } })
    const key = String(server.ready["api_key"])
    const slow = { name: "Slow", linkedin_url: "https://www.linkedin.com/in/sam-slow" }
    const run = async (id: string, input: unknown) => {
      const response = await fetch(`${server.url}/api/v1/commands/${id}`, {
        method: "POST",
        headers: { ...asKey(key).headers, "content-type": "application/json" },
        body: JSON.stringify(input)
      })
      return Object(await response.json())
    }
    await run("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada" })
    await run("lead.upsert", slow)
    const draft = await run("linkedin.draft.create", {
      linkedin_url: slow.linkedin_url,
      variations: [{ body_text: "Hello" }]
    })
    const sending = run("linkedin.draft.approve", { draft_id: draft.data.draft.draft_id, send_now: true })
    const isSending = async () => (await run("linkedin.queue.list", { state: ["sending"] })).data.items.length > 0
    while (!(await isSending())) await new Promise((resolve) => setTimeout(resolve, 25))
    const exit = server.stop("SIGTERM")
    const sent = await sending
    assert.strictEqual(sent.data?.dispatch_result.status, "sent", JSON.stringify(sent))
    assert.strictEqual(await exit, 0)

    const other = await startSvc(["serve"], { env: memory })
    assert.strictEqual(await other.stop("SIGINT"), 130)
  })

  it("dev keeps its key beside the data, mode 0600, and serve on a folder prints none", async () => {
    const cwd = join(folder.path, "dev")
    await mkdir(cwd)
    const first = await startSvc(["dev", "--sample"], { cwd })
    assert.deepStrictEqual(first.ready, { event: "ready", url: first.url, database: "pglite", version })
    const key = (await readFile(join(cwd, ".svc/dev-key"), "utf8")).trim()
    assert.strictEqual((await stat(join(cwd, ".svc/dev-key"))).mode & 0o777, 0o600)
    const planted = Object(await (await fetch(`${first.url}/api/v1/offers`, asKey(key))).json()).data.offers.length
    assert.isAbove(planted, 0)
    assert.strictEqual(await first.stop(), 0)
    const again = await startSvc(["dev", "--sample"], { cwd })
    assert.strictEqual((await readFile(join(cwd, ".svc/dev-key"), "utf8")).trim(), key)
    const { data } = Object(await (await fetch(`${again.url}/api/v1/offers`, asKey(key))).json())
    assert.strictEqual(data.offers.length, planted, "the sample is planted once")
    assert.strictEqual(await again.stop(), 0)
    const serve = await startSvc(["serve"], { cwd })
    assert.deepStrictEqual(Object.keys(serve.ready), ["event", "url", "database", "version"])
    assert.strictEqual(await serve.stop(), 0)
  })

  it("serve tells people its public URL, and what to do where nobody has a key yet", async () => {
    const cwd = join(folder.path, "empty")
    await mkdir(cwd)
    const told = async (): Promise<string> => {
      const child = spawn(process.execPath, [await svcBundle(), "serve", "--port", "0"], {
        cwd,
        env: environment({ SVC_PUBLIC_URL: "https://svc.example.com" }),
        stdio: ["ignore", "pipe", "ignore"]
      })
      const [text] = await once(child.stdout, "data")
      child.kill("SIGTERM")
      await once(child, "exit")
      return String(text)
    }
    const first = await told()
    assert.include(first, "  Public   https://svc.example.com\n")
    assert.include(first, '  Next     svc orgs create "My company"\n')
    assert.strictEqual((await svcInProcess(["orgs", "create", "Acme", "--json"], { cwd })).code, 0)
    assert.notInclude(await told(), "Next")
  })

  it("SVC_BOOTSTRAP_KEY is the first organization's key, and of no second one", async () => {
    const cwd = join(folder.path, "bootstrap")
    await mkdir(cwd)
    const [key = "", late = ""] = await Promise.all(
      [1, 2].map(async () => (await svcInProcess(["keys", "generate"])).stdout.trim())
    )
    const first = await startSvc(["serve"], { cwd, env: { SVC_BOOTSTRAP_KEY: key } })
    assert.strictEqual((await fetch(`${first.url}/api/v1/offers`, asKey(key))).status, 200)
    assert.notInclude(first.stdout() + first.stderr(), key)
    await first.stop()
    const second = await startSvc(["serve"], { cwd, env: { SVC_BOOTSTRAP_KEY: late } })
    assert.strictEqual((await fetch(`${second.url}/api/v1/offers`, asKey(key))).status, 200)
    assert.strictEqual((await fetch(`${second.url}/api/v1/offers`, asKey(late))).status, 401)
    await second.stop()
  })

  it("refuse to start with bad settings: one message, every variable, no value", async () => {
    const bad = {
      SVC_DATABASE_URL: "postgres://user:hunter2hunter2@",
      SVC_PORT: "80808",
      SVC_PUBLIC_URL: "not an address",
      SVC_BOOTSTRAP_KEY: "svc_live_hunter3hunter3",
      SVC_LINKEDIN_GATEWAY: "carrier-pigeon",
      SVC_SEND_HOLD_SECONDS: "-1",
      SVC_SIMULATOR_ACCEPT_SECONDS: "soon",
      SVC_RATE_LIMIT: "1e9",
      SVC_DB_POOL: "0",
      SVC_LOG_LEVEL: "loud",
      SVC_LOG_FORMAT: "xml"
    }
    for (const kind of ["serve", "dev"]) {
      const ran = await svc([kind, "--json"], { env: bad, cwd: folder.path })
      assert.strictEqual(ran.code, 2)
      assert.strictEqual(errorOf(ran)["code"], "INVALID_INPUT")
      for (const [name, value] of Object.entries(bad)) {
        assert.include(String(errorOf(ran)["message"]), `${name} `)
        if (value.length > 3) assert.notInclude(ran.stdout + ran.stderr, value)
      }
      assert.notInclude(ran.stdout + ran.stderr, "hunter")
    }
    const said = await svc(["serve"], { env: bad })
    assert.strictEqual(said.stdout, "")
    assert.strictEqual(said.stderr.trim().split("\n").length, 1)
  })

  it("say in one sentence that the port is taken, or the database cannot be reached", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => other.once("listening", resolve))
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const taken = await svc(["serve", "--port", String(port), "--json"], { env: memory })
    other.close()
    assert.strictEqual(taken.code, 6)
    assert.include(String(errorOf(taken)["message"]), `port ${port}`)
    const url = "postgres://someone:hunter2@127.0.0.1:1/svc"
    const gone = await svc(["serve", "--json", "--port", "0"], { env: { SVC_DATABASE_URL: url } })
    assert.strictEqual(gone.code, 6)
    assert.strictEqual(errorOf(gone)["code"], "UNAVAILABLE")
    assert.notInclude(gone.stdout + gone.stderr, "hunter2")
  })

  it("never log a key, also when everything is logged", async () => {
    for (const format of ["json", "pretty"]) {
      const server = await startSvc(["dev", "--sample"], {
        env: { ...memory, SVC_LOG_LEVEL: "trace", SVC_LOG_FORMAT: format }
      })
      const key = String(server.ready["api_key"])
      const env = { SVC_BASE_URL: server.url, SVC_API_KEY: key, SVC_LOG_LEVEL: "trace", SVC_LOG_FORMAT: format }
      const ran = await svc(["commands", "run", "offer.list", "--json"], { env })
      assert.strictEqual(ran.code, 0)
      assert.notInclude(ran.stderr, key.slice(-50))
      const wrong = `${key.slice(0, -10)}0000000000`
      await fetch(`${server.url}/api/v1/offers`, asKey(wrong))
      await fetch(`${server.url}/api/v1/offers`, asKey(key))
      await server.stop()
      assert.include(server.stderr(), "/api/v1/offers")
      assert.notInclude(server.stderr(), key.slice(-50))
      assert.notInclude(server.stderr(), wrong.slice(-50, -10))
      assert.strictEqual(server.stdout().trim().split("\n").length, 1, "logs go to stderr")
    }
  })
})
