/**
 * What a start leaves out: the data of locales, which V8 loads on first use, for 10 ms of each command and each service, and
 * modules that a short command does not need.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcBundle } from "../support/svcBundle.ts"
import { environment, type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

/** Tells on stderr who uses locales. */
const watch = `
  const tell = (name) => process.stderr.write("LOCALE " + name + "\\n")
  const { toLocaleString } = Number.prototype
  Number.prototype.toLocaleString = function (...given) { tell("toLocaleString"); return toLocaleString.apply(this, given) }
  Intl.Segmenter = class extends Intl.Segmenter { constructor(...given) { tell("Segmenter"); super(...given) } }
`
const watched = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}` }

interface Coverage {
  readonly result: ReadonlyArray<{
    readonly functions: ReadonlyArray<{
      readonly functionName: string
      readonly ranges: ReadonlyArray<{ readonly count: number }>
    }>
  }>
}

/** The modules of the bundle that ran: it has a function for each, named after its file. */
const modulesRun = (file: string): ReadonlyArray<string> => {
  const { result }: Coverage = JSON.parse(readFileSync(file, "utf8"))
  return result
    .flatMap(({ functions }) => functions)
    .filter(({ functionName, ranges }) => /\.[jt]s$/.test(functionName) && (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName)
}

describe("the start", () => {
  let server: RunningSvc

  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { ...watched, SVC_DATABASE_URL: "memory:" } })
  })
  afterAll(() => server.stop())

  it("of a service needs no locales", () => {
    assert.notInclude(server.stderr(), "LOCALE")
  })

  it("of a command that lists needs no locales", async () => {
    const env = { ...watched, SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const { code, stderr, stdout } = await svc(["commands", "list"], { env })
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "lead.upsert")
    assert.notInclude(stderr, "LOCALE")
  })

  it("of a command that lists runs few modules", async () => {
    const folder = await temporaryFolder()
    const env = {
      NODE_V8_COVERAGE: folder.path,
      SVC_BASE_URL: server.url,
      SVC_API_KEY: String(server.ready["api_key"])
    }
    const { code, stderr } = await svc(["commands", "list"], { env })
    assert.strictEqual(code, 0, stderr)
    const run = readdirSync(folder.path).flatMap((file) => modulesRun(join(folder.path, file)))
    await folder.remove()
    assert.include(run, "packages/cli/src/commands/catalogue.ts")
    assert.isBelow(run.length, 185)
  })

  // On Node 24 the optimizing compiler takes half a gigabyte and two seconds.
  it("of a short command and of svc mcp does not optimize the WebAssembly of the embedded database", async () => {
    const folder = await temporaryFolder()
    const main = await svcBundle()
    const env = environment({ SVC_DATABASE_URL: "pglite:./data" })
    const traced = (args: ReadonlyArray<string>, input: string, key = "") =>
      spawnSync(process.execPath, ["--trace-wasm-compilation-times", main, ...args], {
        cwd: folder.path,
        env: { ...env, ...(key === "" ? {} : { SVC_API_KEY: key }) },
        input,
        encoding: "utf8",
        maxBuffer: 2 ** 26
      }).stdout
    const created = traced(["orgs", "create", "Acme", "--json"], "")
    const [key = assert.fail("no key")] = /svc_live_\w+/.exec(created) ?? []
    const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    const messages = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: client },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "resources/read", params: { uri: "svc://status" } }
    ]
    const served = traced(["mcp"], messages.map((message) => `${JSON.stringify(message)}\n`).join(""), key)
    await folder.remove()
    assert.include(served, "contents")
    for (const printed of [created, served]) {
      assert.include(printed, "using Liftoff")
      assert.notInclude(printed, "using TurboFan")
    }
  })
})
