/** The examples and the README's code do what they say: each runs as its reader would run it. */
import { execFile, spawn, spawnSync } from "node:child_process"
import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clearUrl, freshPostgres, hasPostgres } from "./support/backends.ts"
import { ranTogether, readersEnvironment } from "./support/programs.ts"
import { root, sourcesIn } from "./support/sources.ts"
import { svcBundle } from "./support/svcBundle.ts"
import { type RunningSvc, startSvc, temporaryFolder } from "./support/svcProcess.ts"

/** What each example prints, line by line. */
const printed: Readonly<Record<string, ReadonlyArray<string | RegExp>>> = {
  "01-embed-memory": [
    "agent ada-martin",
    "one lead: true",
    "refused: IDENTIFIER_REQUIRED",
    "thrown: NOT_FOUND 404",
    "found 1"
  ],
  "02-embed-express": [
    "contact: 201",
    "again: 409, leads: Grace Hopper",
    "wrong: 400",
    "another company: 404, reviewed: READY_TO_SEND",
    "signed out: 401"
  ],
  "03-http-server": [
    "201 POST /api/v1/agents",
    "201 POST /api/v1/missions",
    "200 POST /api/v1/missions/spring/leads",
    "leads in the mission: 2",
    "200 POST /api/v1/commands/lead.upsert",
    "envelope: ok true, Grace Hopper",
    "400 POST /api/v1/commands/offer.create",
    "refused: INVALID_INPUT",
    "200 POST /api/v1/commands/email.inbound.get",
    "mail: reply, again: known",
    "200 GET /api/v1/resources/read?uri=svc://status",
    "status read at a real time",
    "server ended with 0"
  ],
  "04-first-hour": [
    "mission Spring outreach sells Invoice automation",
    /^Finds people who match the keywords "finance sim-30" .*seniority level \(CXO\)/,
    "imported: 30 created, 0 invalid",
    "the same search again: already_exists true",
    "draft PENDING_REVIEW with 3 variations",
    "approved and sent: draft DISPATCHED",
    "the second one: waiting_relation",
    "Grace is now Contacted",
    "status generated: true"
  ],
  "05-add-command": [
    "before offer.word-count",
    "in process: 12 words",
    "before crm.count",
    "before lead.search",
    "of the CRM: true",
    "before offer.word-count",
    "over HTTP, as another organization: 404 NOT_FOUND",
    "in the catalogue: true"
  ],
  "06-add-provider": ["DISPATCHED: message: Hello Grace"],
  "07-add-store": ["Invoice automation: Closes the books four days earlier", "created travel; the host has 2 products"],
  "08-follow-up-agent": [
    "first messages: 2",
    "due at once: 0",
    "after three working days: 1",
    "written twice: 0",
    "Grace Hopper, 1 of 2: Show what a similar company gained"
  ]
}

const run = promisify(execFile)
const examples = sourcesIn("examples", "/main.js").map(({ path }) => path.split("/")[1] ?? "")

/** Examples run on what is built; a build that is up to date costs a second, and says nothing that the types step does not. */
const build = (): void => {
  spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b"], { cwd: root, stdio: "ignore" })
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  build()
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

describe("examples", () => {
  let outputs: ReadonlyMap<string, { readonly stdout: string; readonly stderr: string }>
  beforeAll(async () => {
    const names = Object.keys(printed)
    const programs = names.map((name) => ({ main: join(root, "examples", name, "main.js"), cwd: folder.path }))
    const ran = await ranTogether(programs)
    outputs = new Map(ran.map((output, at) => [names[at] ?? "", output]))
  })

  it("are all known here", () => {
    assert.deepStrictEqual([...examples].sort(), Object.keys(printed).sort())
  })

  it.for(Object.entries(printed))("%s", ([name, lines]) => {
    const { stderr, stdout } = outputs.get(name) ?? assert.fail("it did not run")
    const shown = stdout.trimEnd().split("\n")
    for (const [index, line] of lines.entries()) {
      if (typeof line === "string") assert.strictEqual(shown[index], line)
      else assert.match(shown[index] ?? "", line)
    }
    assert.strictEqual(shown.length, lines.length, stdout)
    // The server of 03 logs its start; nothing else has something to say.
    if (name !== "03-http-server") assert.strictEqual(stderr, "")
  })
})

describe("README", () => {
  let server: RunningSvc | undefined
  let blocks: ReadonlyArray<{ readonly language: string; readonly code: string }>
  const tried = new Set<string>()
  const block = (language: string, words: string): string => {
    const found = blocks.find((candidate) => candidate.language === language && candidate.code.includes(words))
    assert.isDefined(found, `no ${language} block with ${words}`)
    tried.add(found?.code ?? "")
    return found?.code ?? ""
  }
  /** Runs a block in the server's folder, where `npx svc` is the command line as the sources are. */
  const shell = (code: string, env: Readonly<Record<string, string>> = {}) =>
    run("/bin/sh", ["-e", "-c", code], {
      cwd: folder.path,
      env: { ...readersEnvironment, PATH: `${folder.path}:${readersEnvironment.PATH}`, ...env }
    })

  beforeAll(async () => {
    const text = await readFile(join(root, "README.md"), "utf8")
    blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
      language,
      code
    }))
    const svc = `exec '${process.execPath}' '${await svcBundle()}' "$@"\n`
    for (const [name, script] of [
      ["svc", `#!/bin/sh\n${svc}`],
      ["npx", `#!/bin/sh\nshift\n${svc}`]
    ] as const) {
      await writeFile(join(folder.path, name), script)
      await chmod(join(folder.path, name), 0o755)
    }
    server = await startSvc(["dev", "--sample"], { cwd: folder.path })
  })
  afterAll(() => server?.stop())

  it("says how to ask the service in a second terminal", async () => {
    const { stdout } = await shell(block("sh", "svc commands list"))
    assert.include(stdout, "lead.upsert")
    assert.include(stdout, "Grace Hopper")
    assert.include(stdout, "generated_at")
  })

  it("says how an agent is connected", async () => {
    const { stdout } = await shell(block("sh", "svc mcp install"))
    assert.match(stdout, /^\d+ tools +\d+ tokens$/m)
    const entry = JSON.parse(stdout.slice(0, stdout.indexOf("\n}\n") + 2)).mcpServers.svc
    const child = spawnSync(entry.command, entry.args, {
      cwd: "/",
      env: { ...readersEnvironment, ...entry.env },
      input: `${JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "lead_get", arguments: { email: "grace@example.com" } }
      })}\n`
    })
    assert.include(String(child.stdout), "Grace Hopper")
  })

  it("says how to ask it over HTTP", async () => {
    const { stdout } = await shell(block("sh", "curl").replaceAll("http://127.0.0.1:4700", String(server?.url)))
    const answer: unknown = JSON.parse(stdout)
    assert.strictEqual(typeof answer === "object" && answer !== null && Reflect.get(answer, "ok"), true, stdout)
  })

  it("says how a file is imported", async () => {
    await writeFile(join(folder.path, "people.csv"), "E-mail;Vorname\nreadme@example.com;Rita\n")
    const code = block("sh", "svc import csv").replaceAll("http://127.0.0.1:4700", String(server?.url))
    const { stdout } = await shell(code, { SVC_API_KEY_FILE: ".svc/dev-key" })
    assert.match(stdout, /^people\.csv into .*: 1 created, /)
    assert.include(stdout, '"skipped_count":1')
  })

  it("says what a terminal does", async () => {
    const { stderr, stdout } = await shell(block("sh", "svc login"), {
      SVC_BASE_URL: String(server?.url),
      XDG_CONFIG_HOME: join(folder.path, "config")
    })
    for (const said of ["profile default", "warn\tsending", "Ada Byron\t\n"]) assert.include(`${stderr}${stdout}`, said)
  })

  it("says how to embed it", async () => {
    const code = block("js", "createSvc")
    const options = { cwd: root, env: readersEnvironment }
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], options)
    assert.match(stdout, /^ld_[0-9A-Z]{26}\n$/)
  })

  it.skipIf(!hasPostgres())("says how it runs on PostgreSQL", async () => {
    const withDatabase = Effect.gen(function* () {
      const { url } = yield* freshPostgres("empty")
      const code = block("sh", "svc orgs create").replace(/postgres:.*$/m, clearUrl(url))
      return yield* Effect.promise(async () => {
        const env = { ...readersEnvironment, PATH: `${folder.path}:${readersEnvironment.PATH}`, SVC_PORT: "0" }
        const child = spawn("/bin/sh", ["-e", "-c", code], { cwd: folder.path, env, detached: true })
        let text = ""
        for await (const chunk of child.stdout) {
          text += String(chunk)
          if (text.includes("Sending")) break
        }
        process.kill(-(child.pid ?? 0), "SIGTERM")
        return text
      })
    })
    const said = await Effect.runPromise(Effect.scoped(withDatabase))
    assert.match(said, /"api_key": "svc_live_/)
    assert.match(said, /is ready\.[\s\S]*Data +postgres:/)
    assert.notInclude(said, "Next")
  })

  it("has no block of code that is not tried here", () => {
    const others = blocks.filter(({ code }) => !tried.has(code)).map(({ code }) => code)
    // What starts and tests the repository itself.
    const own = ["npm ci && npm start\n", "npm ci && npm test\n"]
    assert.deepStrictEqual(others, hasPostgres() ? own : [own[0], block("sh", "svc orgs create"), own[1]])
  })

  it("counts the examples", async () => {
    const text = await readFile(join(root, "README.md"), "utf8")
    const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    assert.include(text, `[examples/](examples) has ${words[examples.length]} small programs`)
  })
})
