/** What a start leaves out: most of the program, and the optimizing compiler for the embedded database. */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { svcBundle } from "../support/svcBundle.ts"
import { environment, svc, temporaryFolder } from "../support/svcProcess.ts"

/** How much of the bundle a process loaded, in bytes, from the coverage that it left in a folder. */
const loadedBytes = (folder: string, bundle: string): number => {
  const loaded = readdirSync(folder).flatMap((file) => {
    const { result }: { result: ReadonlyArray<{ url: string }> } = JSON.parse(readFileSync(join(folder, file), "utf8"))
    return result.flatMap(({ url }) => (url.startsWith("file:") ? [fileURLToPath(url)] : []))
  })
  return loaded.filter((file) => dirname(file) === bundle).reduce((sum, file) => sum + statSync(file).size, 0)
}

describe("the start", () => {
  it("of a client's command loads a fifth of the program", async () => {
    const folder = await temporaryFolder()
    const bundle = dirname(await svcBundle())
    const { code, stderr } = await svc(["commands", "list", "--help"], { env: { NODE_V8_COVERAGE: folder.path } })
    assert.strictEqual(code, 0, stderr)
    const loaded = loadedBytes(folder.path, bundle)
    await folder.remove()
    assert.isAbove(loaded, 0)
    assert.isBelow(loaded, 800_000)
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
