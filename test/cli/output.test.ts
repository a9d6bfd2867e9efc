/** What is printed where, and how a run ends. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { open } from "node:fs/promises"
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type Ran, type RunningSvc, startSvc } from "../support/svcProcess.ts"

const memory = { SVC_DATABASE_URL: "memory:" }
const errorOf = (ran: Ran): Readonly<Record<string, unknown>> => Object(oneJson(ran)["error"])

describe("a run against a server", () => {
  let server: RunningSvc
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { ...memory, SVC_RATE_LIMIT: "0" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(() => server.stop())

  const run = (id: string, input: unknown, ...more: ReadonlyArray<string>) =>
    svc(["commands", "run", id, "--input-json", JSON.stringify(input), ...more], { env })

  it("prints the body of the service and nothing else, with --json", async () => {
    const ran = await run("offer.get", { offer_id: "sample-offer" }, "--json")
    assert.strictEqual(ran.code, 0)
    assert.strictEqual(ran.stderr, "")
    const direct = await fetch(`${server.url}/api/v1/commands/offer.get`, {
      method: "POST",
      headers: { authorization: `Bearer ${env["SVC_API_KEY"]}`, "content-type": "application/json" },
      body: '{"offer_id":"sample-offer"}'
    })
    assert.deepStrictEqual(oneJson(ran), await direct.json())
  })

  it("knows letters beyond ASCII as the sources do, though the executable is written without them", async () => {
    const made = await run("agent.create", { first_name: "Łukasz", last_name: "Ø’Größe" }, "--json")
    assert.strictEqual(Object(oneJson(made)["data"]).agent.handle, "lukasz-ogrosse")
  })

  it("prints the data for people without --json, and warnings on stderr", async () => {
    const ran = await run("offer.update", { offer_id: "sample-offer", name: "Never" }, "--dry-run")
    assert.strictEqual(ran.code, 0)
    assert.strictEqual(Object(JSON.parse(ran.stdout)).offer.name, "Never")
    assert.include(ran.stdout, "\n  ")
    assert.strictEqual(ran.stderr, "svc: Dry run: nothing was saved.\n")
  })

  it("ends with the exit code of the refusal, its body on stdout with --json, a sentence on stderr without", async () => {
    const lead = { name: "Zoe", linkedin_url: "https://www.linkedin.com/in/zoe-blocked" }
    await run("lead.upsert", lead, "--json")
    const draft = await run(
      "linkedin.draft.create",
      { linkedin_url: lead.linkedin_url, agent_handle: "ada-martin", variations: [{ body_text: "Hello Zoe" }] },
      "--json"
    )
    const draftId = String(Object(oneJson(draft)["data"]).draft.draft_id)
    const cases = [
      { id: "offer.get", input: { offer_id: 7 }, exit: 2, code: "INVALID_INPUT" },
      { id: "offer.get", input: { offer_id: "nope" }, exit: 4, code: "NOT_FOUND" },
      { id: "nope.nope", input: {}, exit: 4, code: "UNKNOWN_COMMAND" },
      { id: "agent.delete", input: { agent_handle: "ada-martin" }, exit: 5, code: "AGENT_IN_USE" },
      {
        id: "linkedin.draft.approve",
        input: { draft_id: draftId, send_now: true },
        exit: 9,
        code: "GATEWAY_REJECTED"
      }
    ]
    for (const { code, exit, id, input } of cases) {
      const told = await run(id, input, "--json")
      assert.strictEqual(told.code, exit, told.stdout)
      assert.strictEqual(errorOf(told)["code"], code)
      assert.strictEqual(oneJson(told)["ok"], false)
      assert.strictEqual(told.stderr, "")
      if (exit === 9) continue
      const said = await run(id, input)
      assert.strictEqual(said.code, exit)
      assert.strictEqual(said.stdout, "")
      assert.match(said.stderr, new RegExp(`^svc: .+ \\[${code}\\]\n$`))
    }
  })

  it("ends with 3 for a key that is missing, unknown, malformed, unsendable or without the scope", async () => {
    const args = ["commands", "run", "offer.list", "--json"]
    const unknown = `${env["SVC_API_KEY"]?.slice(0, -8)}${"0".repeat(8)}`
    for (const key of ["", unknown, "abc", "two\nlines", "ünsendbar €", " "]) {
      const ran = await svc(args, { env: { ...env, SVC_API_KEY: key } })
      assert.strictEqual(ran.code, 3, `${JSON.stringify(key)}: ${ran.stdout}`)
      assert.strictEqual(errorOf(ran)["code"], "UNAUTHENTICATED")
      assert.ok(key.trim().length < 4 || !ran.stdout.includes(key), "the key is not echoed")
    }
  })

  it("lists for people in columns of tabs when piped, and survives a reader that goes away", async () => {
    for (const args of [["commands", "list"], ["commands", "list", "--json"], ["--help"]]) {
      const child = spawn(process.execPath, [await svcBundle(), ...args], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let stderr = ""
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString("utf8")
      })
      child.stdout.destroy()
      const code = await new Promise((resolve) => child.once("close", resolve))
      assert.strictEqual(stderr, "", args.join(" "))
      assert.strictEqual(code, 0, args.join(" "))
    }
    const { stdout } = await svc(["commands", "list"], { env })
    assert.match(stdout, /^offer\.create\tmutate\tCreate /m)
  })

  it.skipIf(!existsSync("/dev/full"))("says so when the answer cannot be written", async () => {
    const full = await open("/dev/full", "w")
    const child = spawn(process.execPath, [await svcBundle(), "commands", "list", "--json"], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdio: ["ignore", full.fd, "pipe"]
    })
    let stderr = ""
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString("utf8")
    })
    const code = await new Promise((resolve) => child.once("close", resolve))
    await full.close()
    assert.strictEqual(code, 1)
    assert.include(stderr, "can't write the output")
  })
})

describe("a command line with a mistake", () => {
  const mistakes: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
    [["nope"], /^Unknown command "nope"\./],
    [["comands"], /commands/],
    [["commands"], /^A subcommand is required/],
    [["commands", "nope"], /^Unknown command "nope"\./],
    [["commands", "run"], /^<id> is required\./],
    [["commands", "run", "offer.list", "--nope"], /--nope/],
    [["commands", "run", "offer.list", "more"], /more/],
    [["commands", "run", "offer.list", "--input-json"], /--input-json/],
    [["commands", "schema"], /^<id> is required\./],
    [["resources", "read"], /^<uri> is required\./],
    [["keys", "create"], /--org/],
    [["keys", "revoke"], /key-id/],
    [["orgs", "create"], /name/],
    [["serve", "--port", "many"], /--port/],
    [["serve", "--port", "70000"], /--port/],
    [["db", "nope"], /^Unknown command "nope"\./]
  ]

  it("prints one JSON value with --json and ends with 2", async () => {
    for (const [args, message] of mistakes) {
      const ran = await svc([...args, "--json"], { env: memory })
      assert.strictEqual(ran.code, 2, `${args.join(" ")}: ${ran.stdout}${ran.stderr}`)
      assert.deepStrictEqual(Object.keys(oneJson(ran)), ["error"])
      assert.strictEqual(errorOf(ran)["code"], "INVALID_INPUT")
      assert.match(String(errorOf(ran)["message"]), message)
      assert.notInclude(String(errorOf(ran)["message"]), "--json")
    }
  })

  it("says it on stderr without --json in two lines, and prints nothing", async () => {
    const ran = await svc(["commands", "run", "offer.list", "--nope"])
    assert.strictEqual(ran.code, 2)
    assert.strictEqual(ran.stdout, "")
    assert.strictEqual(ran.stderr, "svc: Unknown flag --nope.\nRun svc commands run --help for more.\n")
  })

  it("takes --json=true and --no-json for what they say", async () => {
    assert.strictEqual(errorOf(await svc(["nope", "--json=true"]))["code"], "INVALID_INPUT")
    assert.strictEqual((await svc(["nope", "--json", "--no-json"])).stdout, "")
  })
})

describe("help, version and colors", () => {
  it("help and version are data, and with --json one JSON value", async () => {
    const help = await svc(["commands", "run", "--help"])
    assert.strictEqual(help.code, 0)
    assert.match(help.stdout, /--input-json[\s\S]+--dry-run[\s\S]+--idempotency-key/)
    assert.strictEqual(help.stderr, "")
    assert.include(String(oneJson(await svc(["commands", "--help", "--json"]))["help"]), "USAGE")
    const { stdout } = await svc(["--version"])
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
    assert.deepStrictEqual(oneJson(await svc(["--version", "--json"])), { version: stdout.trim() })
  })

  it("colors when forced, and never with NO_COLOR or a dumb terminal", async () => {
    const colored = async (env: Readonly<Record<string, string>>) =>
      (await svc(["--help"], { env })).stdout.includes("\u001b[")
    assert.isFalse(await colored({}))
    assert.isTrue(await colored({ FORCE_COLOR: "1" }))
    assert.isFalse(await colored({ FORCE_COLOR: "1", NO_COLOR: "1" }))
    assert.isFalse(await colored({ FORCE_COLOR: "1", TERM: "dumb" }))
  })

  it("makes well-formed keys", async () => {
    const made = String(oneJson(await svc(["keys", "generate", "--json"]))["api_key"])
    assert.match(made, /^svc_live_[a-z2-7]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    assert.match((await svc(["keys", "generate"])).stdout, /^svc_live_\S+\n$/)
  })
})

describe("a service that is not there or not ours", () => {
  const answering = async (status: number, body: string, use: (url: string) => Promise<void>) => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(status, { "content-type": "text/plain", location: "/elsewhere" }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    await use(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const list = (url: string) => svc(["commands", "list", "--json"], { env: { SVC_BASE_URL: url, SVC_API_KEY: "k" } })

  it("ends with 6 and names the address", async () => {
    const ran = await list("http://127.0.0.1:1")
    assert.strictEqual(ran.code, 6)
    assert.strictEqual(errorOf(ran)["code"], "UNAVAILABLE")
    assert.include(String(errorOf(ran)["message"]), "http://127.0.0.1:1")
  })

  it("ends with 6 for what is Unexpected response, a redirection included", async () => {
    for (const [status, body] of [
      [200, "<html>"],
      [502, "Bad gateway"],
      [302, ""]
    ] as const) {
      await answering(status, body, async (url) => {
        const ran = await list(url)
        assert.strictEqual(ran.code, 6, ran.stdout)
        assert.include(String(errorOf(ran)["message"]), "Unexpected response")
      })
    }
  })

  it("knows the exit code of a refusal by its code, or by its status when the code is new", async () => {
    const cases = [
      [500, "INTERNAL", 1],
      [429, "RATE_LIMITED", 7],
      [503, "UNAVAILABLE", 6],
      [422, "SOMETHING_NEW", 2],
      [409, "SOMETHING_NEW", 5],
      [500, "SOMETHING_NEW", 1]
    ] as const
    for (const [status, code, exit] of cases) {
      const body = { error: { message: "No.", code } }
      await answering(status, JSON.stringify(body), async (url) => {
        const ran = await list(url)
        assert.strictEqual(ran.code, exit, `${status} ${code}`)
        assert.deepStrictEqual(oneJson(ran), body)
      })
    }
  })

  it("refuses an address that is none with 2", async () => {
    for (const url of ["ftp://x", "localhost:4700", "http://"]) {
      const ran = await list(url)
      assert.strictEqual(ran.code, 2, ran.stdout)
      assert.include(String(errorOf(ran)["message"]), "SVC_BASE_URL")
    }
  })
})
