/**
 * What a start leaves out: the data of locales, which V8 loads on first use, for 10 ms of each command and each service, and
 * parts of the program that it does not need.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { cp } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { nodeFlags, svcBundle } from "../support/svcBundle.ts"
import { environment, type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

/** Tells on stderr who uses locales. */
const watch = `
  const tell = (name) => process.stderr.write("LOCALE " + name + "\\n")
  const { toLocaleString } = Number.prototype
  Number.prototype.toLocaleString = function (...given) { tell("toLocaleString"); return toLocaleString.apply(this, given) }
  Intl.Segmenter = class extends Intl.Segmenter { constructor(...given) { tell("Segmenter"); super(...given) } }
`
const watched = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}` }

/** Tells on stderr whether V8 took a script from what it had compiled. */
const tell = `
  import { createRequire } from "node:module"
  const vm = createRequire("file:///")("node:vm")
  vm.Script = class extends vm.Script {
    constructor(...given) {
      super(...given)
      process.stderr.write("SCRIPT " + (this.cachedDataRejected === false ? "taken" : given[1].filename) + "\\n")
    }
  }
`
const telling = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}` }

/** Tells on stderr that Node is to keep what it compiles, where it can. */
const asking = `
  import { createRequire } from "node:module"
  createRequire("file:///")("node:module").enableCompileCache = () => process.stderr.write("NODE KEEPS\\n")
`

/** Tells on stderr at the end whether Node loaded its own `fetch`, which takes longer than most commands. */
const asked = `
  process.once("exit", () => {
    if (process.moduleLoadList.includes("NativeModule internal/deps/undici/undici")) process.stderr.write("FETCH\\n")
  })
`

/** Which scripts were compiled anew, and `taken` if there were others. */
const scriptsIn = (stderr: string): ReadonlyArray<string> => [
  ...new Set([...stderr.matchAll(/^SCRIPT (.+)$/gm)].map(([, outcome = ""]) => outcome))
]

/** The parts of the program that a process loaded, as it left them in a folder. */
const loadedIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .flatMap((file) => {
      const { result }: { result: ReadonlyArray<{ url: string }> } = JSON.parse(
        readFileSync(join(folder, file), "utf8")
      )
      return result.map(({ url }) => basename(url))
    })
    .filter((name) => name.endsWith(".cjs") && name !== "main.cjs")
    .sort()

/** The parts of the program that a command loads. */
const partsOf = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) => {
  const folder = await temporaryFolder()
  const { code, stderr } = await svc(args, { env: { NODE_V8_COVERAGE: folder.path, ...env } })
  assert.strictEqual(code, 0, stderr)
  const parts = loadedIn(folder.path)
  await folder.remove()
  return parts
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

  it("of a client's command loads no part of the service", async () => {
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    assert.deepStrictEqual(await partsOf(["commands", "list"], env), ["client.cjs"])
    assert.isBelow(statSync(join(dirname(await svcBundle()), "client.cjs")).size, 700_000)
    assert.deepStrictEqual(await partsOf(["offer", "list"], env), ["catalogue.cjs", "client.cjs"])
    assert.deepStrictEqual(await partsOf(["--help"], env), ["catalogue.cjs", "client.cjs", "commands.cjs"])
  })

  it("of a service loads no part that few runs need", async () => {
    const folder = await temporaryFolder()
    const env = { NODE_V8_COVERAGE: folder.path, SVC_DATABASE_URL: "memory:" }
    const started = await startSvc(["serve"], { env })
    await started.stop()
    const parts = loadedIn(folder.path)
    await folder.remove()
    assert.deepStrictEqual(parts, ["auth.cjs", "catalogue.cjs", "client.cjs", "commands.cjs", "service.cjs"])
  })

  // V8 refuses what it compiled under other flags, so flags that the program sets come after its parts.
  it("takes every part from what V8 has compiled of it", async () => {
    const folder = await temporaryFolder()
    const client = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    for (const args of [["commands", "list"], ["offer", "list"], ["--help"]]) {
      assert.deepStrictEqual(scriptsIn((await svc(args, { env: { ...telling, ...client } })).stderr), ["taken"])
    }
    const embedded = { ...telling, SVC_DATABASE_URL: "pglite:./data" }
    const created = await svc(["orgs", "create", "Acme"], { cwd: folder.path, env: embedded })
    assert.deepStrictEqual(scriptsIn(created.stderr), ["taken"])
    const service = await startSvc(["dev"], { cwd: folder.path, env: embedded })
    await service.stop()
    await folder.remove()
    assert.deepStrictEqual(scriptsIn(service.stderr()), ["taken"])
  })

  it("of a command on a folder loads the service as it was compiled for one, and asks it without fetch or signing in", async () => {
    const folder = await temporaryFolder()
    const covered = await temporaryFolder()
    const env = { SVC_DATABASE_URL: "pglite:./data" }
    const created = await svc(["orgs", "create", "Acme", "--json"], { cwd: folder.path, env })
    const { api_key: SVC_API_KEY } = JSON.parse(created.stdout)
    const noticing = {
      NODE_OPTIONS: `${telling.NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(asked)}`
    }
    const listed = await svc(["offer", "list", "--json"], {
      cwd: folder.path,
      env: { ...env, ...noticing, SVC_API_KEY, NODE_V8_COVERAGE: covered.path }
    })
    const parts = loadedIn(covered.path)
    for (const made of [folder, covered]) await made.remove()
    assert.include(parts, "service.cjs")
    assert.notInclude(parts, "auth.cjs")
    assert.deepStrictEqual(JSON.parse(listed.stdout).data.offers, [])
    assert.deepStrictEqual(scriptsIn(listed.stderr), ["taken"])
    assert.notInclude(listed.stderr, "FETCH")
    const compiled = readdirSync(dirname(await svcBundle())).filter((file) => file.startsWith("service.cjs."))
    assert.deepStrictEqual(compiled, ["service.cjs.service"])
  })

  it("lets Node keep what it compiles where the bundle has nothing that fits", async () => {
    const folder = await temporaryFolder()
    const env = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(asking)}`,
      SVC_BASE_URL: server.url
    }
    const listed = (main: string) =>
      spawnSync(process.execPath, [...nodeFlags, main, "commands", "list"], {
        env: environment({ ...env, SVC_API_KEY: String(server.ready["api_key"]) }),
        encoding: "utf8"
      })
    const built = await svcBundle()
    await cp(dirname(built), folder.path, { recursive: true, filter: (source) => !/\.cjs\.\w+$/.test(source) })
    const bare = listed(join(folder.path, basename(built)))
    await folder.remove()
    assert.include(bare.stderr, "NODE KEEPS")
    assert.include(bare.stdout, "lead.upsert")
    assert.notInclude(listed(built).stderr, "NODE KEEPS")
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
