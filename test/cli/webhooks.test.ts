/** `svc webhooks listen` beside a server on this machine, as processes of their own. */
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

describe("listening to deliveries", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: RunningSvc
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startSvc(["dev"], { cwd: folder.path, env: { SVC_DATABASE_URL: "memory:" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"] ?? "") }
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  const run = async (id: string, input: object) =>
    Object(oneJson(await svc(["commands", "run", id, "--input-json", JSON.stringify(input), "--json"], { env })))

  const listener = async (...args: ReadonlyArray<string>) => {
    const child = spawn(process.execPath, [await svcBundle(), ...args], {
      env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const said = { stdout: "", stderr: "" }
    child.stdout.on("data", (chunk: Buffer) => {
      said.stdout += chunk.toString("utf8")
    })
    child.stderr.on("data", (chunk: Buffer) => {
      said.stderr += chunk.toString("utf8")
    })
    const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)))
    const until = async (done: () => boolean) => {
      for (let tries = 0; tries < 400 && !done(); tries++) await new Promise((resolve) => setTimeout(resolve, 50))
      assert.isTrue(done(), `${said.stdout}\n${said.stderr}`)
    }
    return { child, said, exit, until }
  }

  it("passes deliveries on to a server, and its status back to the service", async () => {
    const received: Array<string> = []
    const own = createServer((request, response) => {
      received.push(`${request.method} ${request.url} ${typeof request.headers["webhook-signature"]}`)
      request.resume().once("end", () => response.writeHead(received.length === 1 ? 500 : 204).end())
    })
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${Object(own.address()).port}/hooks`
    const { child, exit, said, until } = await listener("listen", "--types", "offer.created", "--forward-to", url)
    await until(() => said.stderr.includes("forwards events"))
    const { webhooks } = (await run("webhook.list", {})).data
    await run("offer.create", { name: "Forward", one_liner: "One", value_proposition: "Gain" })
    await until(() => said.stderr.includes(`${url} returned 500.`))
    assert.deepStrictEqual(received, ["POST /hooks string"])
    const shown = await run("webhook.deliveries", { webhook_id: webhooks[0].webhook_id })
    assert.deepInclude(shown.data.deliveries[0], { attempts: 1 })
    child.kill("SIGINT")
    await exit
    own.closeAllConnections()
    own.close()
  })

  it("shows what is delivered, verified, and takes its webhook away at the end", async () => {
    const { child, exit, said, until } = await listener("webhooks", "listen", "--types", "offer.created", "--json")
    await until(() => said.stderr.includes("forwards events"))
    const { webhooks } = (await run("webhook.list", {})).data
    assert.lengthOf(webhooks, 1)
    assert.deepInclude(webhooks[0], { description: "svc webhooks listen", event_types: ["offer.created"] })
    await run("offer.create", { name: "First", one_liner: "One", value_proposition: "Gain" })
    await until(() => said.stdout.includes("\n"))
    const line = JSON.parse(said.stdout)
    assert.deepInclude(line, { verified: true })
    assert.strictEqual(line.event.type, "offer.created")
    assert.strictEqual(line.webhook_id, line.event.id)
    const shown = await run("webhook.deliveries", { webhook_id: webhooks[0].webhook_id })
    assert.deepInclude(shown.data.deliveries[0], { attempts: 1, event_id: line.event.id })
    // What nobody signed is shown as that, and refused.
    const forged = await fetch(webhooks[0].url, { method: "POST", body: "{}", headers: { "webhook-id": "evt_forged" } })
    assert.strictEqual(forged.status, 401)
    await until(() => said.stdout.includes("evt_forged"))
    assert.include(said.stdout, `{"webhook_id":"evt_forged","verified":false`)
    child.kill("SIGINT")
    assert.strictEqual(await exit, 130)
    assert.match(said.stderr, /webhook whk_\w+ deleted/)
    assert.notMatch(said.stdout + said.stderr, /whsec_/)
    assert.deepStrictEqual((await run("webhook.list", {})).data.webhooks, [])
  })

  it("is refused where nothing could be delivered, with the reason", async () => {
    const remote = await svc(["webhooks", "listen", "--json", "--base-url", "http://svc.example"], { env })
    assert.strictEqual(remote.code, 2)
    assert.match(remote.stdout, /another machine/)
    const alone = await svc(["webhooks", "listen", "--json"], { env: { SVC_DATABASE_URL: "memory:" } })
    assert.strictEqual(alone.code, 6)
    assert.match(alone.stdout, /Start svc dev/)
    const strict = await startSvc(["serve"], { cwd: folder.path, env: { SVC_DATABASE_URL: "memory:" } })
    const there = { SVC_BASE_URL: strict.url, SVC_API_KEY: String(strict.ready["api_key"]) }
    const refused = await svc(["webhooks", "listen", "--json"], { env: there })
    assert.strictEqual(refused.code, 2)
    assert.match(refused.stdout, /SVC_ALLOW_PRIVATE_TARGETS/)
    await strict.stop()
  })
})
