/** How a command finds its service, and how processes share an embedded folder. */
import { once } from "node:events"
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:https"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { localCertificate, localKey } from "../support/localCertificate.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, type Ran, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const errorOf = (ran: Ran): Readonly<Record<string, unknown>> => Object(oneJson(ran)["error"])

describe("an embedded folder", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  const place = async (name: string): Promise<string> => {
    const path = join(folder.path, name)
    await mkdir(path)
    return path
  }
  let made: Promise<{ readonly cwd: string; readonly env: Readonly<Record<string, string>> }> | undefined
  const make = async () => {
    const cwd = await place("made")
    const { api_key } = oneJson(await svcInProcess(["orgs", "create", "Acme", "--json"], { cwd }))
    return { cwd, env: { SVC_API_KEY: String(api_key) } }
  }
  /** A folder of its own that holds an organization, and its key. */
  const organization = async (name: string) => {
    made ??= make()
    const { cwd: from, env } = await made
    const cwd = join(folder.path, name)
    await cp(from, cwd, { recursive: true })
    return { cwd, env }
  }
  const whoami = async (cwd: string, env: Readonly<Record<string, string>>, run = svc) => {
    const ran = await run(["whoami", "--json"], { cwd, env })
    assert.strictEqual(ran.code, 0, ran.stdout + ran.stderr)
    return oneJson(ran)
  }

  it("is opened in process, else asked through its owner, and SVC_BASE_URL comes before both", async () => {
    const { cwd, env } = await organization("discovery")
    const alone = await whoami(cwd, env)
    assert.deepStrictEqual(alone["service"], { kind: "embedded", label: "pglite:./.svc/data" })
    assert.strictEqual(alone["key_source"], "SVC_API_KEY")

    const owner = await startSvc(["serve"], { cwd })
    const through = await whoami(cwd, env, svcInProcess)
    assert.deepStrictEqual(through["service"], { kind: "owner", label: owner.url })
    assert.strictEqual(through["organization_id"], alone["organization_id"])

    const elsewhere = await startSvc(["serve"], { env: { SVC_DATABASE_URL: "memory:" } })
    const named = { SVC_BASE_URL: `${elsewhere.url}/`, SVC_API_KEY: String(elsewhere.ready["api_key"]) }
    assert.deepStrictEqual((await whoami(cwd, named, svcInProcess))["service"], {
      kind: "server",
      label: elsewhere.url
    })
    const flagged = await svcInProcess(["whoami", "--json", "--base-url", owner.url], {
      cwd,
      env: { ...named, ...env }
    })
    assert.deepStrictEqual(oneJson(flagged)["service"], { kind: "server", label: owner.url })
    await Promise.all([owner.stop(), elsewhere.stop()])
    assert.deepStrictEqual((await whoami(cwd, env))["service"], { kind: "embedded", label: "pglite:./.svc/data" })
  })

  it("is not created by a command that asks, and svc login finds the service that owns it", async () => {
    const cwd = await place("nothing")
    const env = { SVC_API_KEY: "svc_live_nobody" }
    for (const args of [["whoami"], ["doctor"], ["lead", "search"], ["commands", "list"]]) {
      assert.strictEqual((await svcInProcess(args, { cwd })).code, args[0] === "doctor" ? 0 : 3, args.join(" "))
    }
    const ran = await svcInProcess(["lead", "search"], { cwd, env })
    assert.strictEqual(ran.code, 6)
    assert.include(ran.stderr, "Start one with svc dev")
    assert.deepStrictEqual(await readdir(cwd), [])
    const owner = await startSvc(["dev"], { cwd })
    const input = await readFile(join(cwd, ".svc", "dev-key"), "utf8")
    const logged = await svcInProcess(["login", "--json"], {
      cwd,
      input,
      env: { XDG_CONFIG_HOME: join(cwd, "config") }
    })
    assert.strictEqual(oneJson(logged)["base_url"], owner.url)
    await owner.stop()
  })

  it("keeps what one command wrote for the next, and the same through an owner", async () => {
    const { cwd, env } = await organization("kept")
    const input = '{"offer_id":"kept","name":"Kept","is_draft":true}'
    const created = await svc(["commands", "run", "offer.create", "--input-json", input, "--json"], { cwd, env })
    assert.strictEqual(created.code, 0)
    const read = ["commands", "run", "offer.get", "--input-json", '{"offer_id":"kept"}', "--json"]
    const alone = await svc(read, { cwd, env })
    const owner = await startSvc(["serve"], { cwd })
    const through = await svcInProcess(read, { cwd, env })
    await owner.stop()
    assert.deepStrictEqual(oneJson(through), oneJson(alone))
    assert.strictEqual(Object(oneJson(alone)["data"]).offer.name, "Kept")
  })

  it("serves commands that come at the same time, one after the other", async () => {
    const { cwd, env } = await organization("together")
    const runs = await Promise.all([
      // No more: each waits ten seconds for another one, which is long, but not on a slow machine.
      ...["a", "b"].map((id) =>
        svc(
          [
            "commands",
            "run",
            "offer.create",
            "--input-json",
            `{"offer_id":"${id}","name":"x","is_draft":true}`,
            "--json"
          ],
          { cwd, env }
        )
      ),
      svc(["orgs", "create", "Other", "--json"], { cwd })
    ])
    for (const ran of runs) assert.strictEqual(ran.code, 0, ran.stdout + ran.stderr)
    const list = oneJson(await svc(["commands", "run", "offer.list", "--json"], { cwd, env }))
    assert.strictEqual(Object(list["data"]).offers.length, 2)
  })

  it("makes a command wait for a server that is starting, and a server for a command", async () => {
    const { cwd, env } = await organization("starting")
    const [server, ran] = await Promise.all([startSvc(["serve"], { cwd }), svc(["whoami", "--json"], { cwd, env })])
    assert.strictEqual(ran.code, 0, ran.stdout)
    assert.strictEqual(await server.stop(), 0)
  })

  it("tells a second server in one sentence who has it", async () => {
    const cwd = await place("second")
    const owner = await startSvc(["dev"], { cwd })
    for (const args of [
      ["dev", "--json"],
      ["serve", "--json", "--port", "0"],
      ["db", "status", "--json"]
    ]) {
      const ran = await svc(args, { cwd })
      assert.strictEqual(ran.code, 6)
      const message = String(errorOf(ran)["message"])
      assert.include(message, `process ${owner.child.pid} at ${owner.url}`)
      assert.include(message, join(cwd, ".svc/data"))
      assert.notInclude(message, "\n")
    }
    await owner.stop()
  })

  it("is free again after its owner was killed", async () => {
    const { cwd, env } = await organization("killed")
    const owner = await startSvc(["serve"], { cwd })
    const input = '{"offer_id":"before","name":"Before","is_draft":true}'
    const args = ["commands", "run", "offer.create", "--input-json", input, "--json"]
    assert.strictEqual((await svcInProcess(args, { cwd, env })).code, 0)
    assert.strictEqual(await owner.stop("SIGKILL"), null)
    const next = await svc(["commands", "run", "offer.get", "--input-json", '{"offer_id":"before"}', "--json"], {
      cwd,
      env
    })
    assert.strictEqual(next.code, 0, next.stdout)
    assert.deepStrictEqual((await whoami(cwd, env))["service"], { kind: "embedded", label: "pglite:./.svc/data" })
  })

  it("has an operators' door that opens with the lock file's token only", async () => {
    const cwd = await place("door")
    const owner = await startSvc(["serve"], { cwd })
    const { token } = Object(JSON.parse(await readFile(join(cwd, ".svc/data.lock"), "utf8")))
    const knock = (authorization: string) =>
      fetch(`${owner.url}/operator/v1/orgs.create`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: '{"name":"Door"}'
      })
    assert.strictEqual((await knock("")).status, 401)
    assert.strictEqual((await knock("Bearer null")).status, 401)
    assert.strictEqual((await knock(`Bearer ${token}`)).status, 200)
    await owner.stop()
    const memory = await startSvc(["serve"], { env: { SVC_DATABASE_URL: "memory:" } })
    const shut = await fetch(`${memory.url}/operator/v1/orgs.create`, { method: "POST", body: "{}" })
    assert.strictEqual(shut.status, 404, "there is no door without a folder")
    await memory.stop()
  })
})

describe("a server with a certificate of its own", () => {
  it("is refused with the way to trust it, and reached that way", async () => {
    const folder = await temporaryFolder()
    const server = createServer({ key: localKey, cert: localCertificate }, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":{"key_id":"trusted"}}')
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const env = { SVC_BASE_URL: `https://127.0.0.1:${Object(server.address()).port}`, SVC_API_KEY: "svc_live_any" }
    const { message } = errorOf(await svc(["whoami", "--json"], { env }))
    assert.match(String(message), /its certificate is not trusted \(\w+\)\. Set NODE_EXTRA_CA_CERTS to the file/)
    const file = join(folder.path, "authority.crt")
    await writeFile(file, localCertificate)
    const trusted = await svc(["whoami", "--json"], { env: { ...env, NODE_EXTRA_CA_CERTS: file } })
    assert.strictEqual(oneJson(trusted)["key_id"], "trusted", trusted.stderr)
    server.close()
    await folder.remove()
  })
})
