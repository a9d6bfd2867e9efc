/** The bundle for desktop clients: built, unpacked in a clean folder, and started as its manifest says. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { getMcpConfigForManifest, type McpbManifestAny, unpackExtension, validateManifest } from "@anthropic-ai/mcpb"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { version } from "#core/kernel/schema/Version.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { startSvc, temporaryFolder } from "../support/svcProcess.ts"

const run = promisify(execFile)
const root = join(import.meta.dirname, "../..")

describe("the bundle", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let file = ""
  let unpacked = ""
  let manifest: McpbManifestAny
  beforeAll(async () => {
    folder = await temporaryFolder()
    file = join(folder.path, "svc.mcpb")
    unpacked = join(folder.path, "unpacked folder")
    await run(process.execPath, [join(root, "packages/cli/mcpb.js"), file])
    assert.isTrue(await unpackExtension({ mcpbPath: file, outputDir: unpacked, silent: true }))
    manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8"))
  })
  afterAll(() => folder.remove())

  it("has a manifest of the current schema, which asks for the URL and, as a secret, the key", () => {
    assert.isTrue(validateManifest(join(unpacked, "manifest.json")))
    assert.strictEqual(manifest.version, version)
    const { api_key, url } = manifest.user_config ?? {}
    assert.deepInclude(api_key, { type: "string", sensitive: true, required: true })
    assert.deepInclude(url, { type: "string", required: true })
    assert.notInclude(JSON.stringify(manifest.server.mcp_config?.args), "user_config")
  })

  it("has the program with its chunks, and nothing else", () => {
    const files = readdirSync(unpacked, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(unpacked, name)).isFile())
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => !/^server\/dist\/bundle\/[\w.-]+-[A-Z0-9]{8}\.js$/.test(name))
    assert.deepStrictEqual(files.sort(), [
      "LICENSE",
      "manifest.json",
      "server/bin/svc.js",
      "server/dist/bundle/main.js",
      "server/package.json"
    ])
    assert.isBelow(statSync(file).size, 2_400_000)
  })

  it("starts as its manifest says, and works with a key", async () => {
    const key = (await svcInProcess(["keys", "generate"])).stdout.trim()
    const server = await startSvc(["serve"], { env: { SVC_DATABASE_URL: "memory:", SVC_BOOTSTRAP_KEY: key } })
    const config = await getMcpConfigForManifest({
      manifest,
      extensionPath: unpacked,
      systemDirs: {},
      userConfig: { url: server.url, api_key: key },
      pathSeparator: "/"
    })
    assert.deepStrictEqual(config?.args, [join(unpacked, "server/bin/svc.js"), "mcp"])
    const client = new Client({ name: "svc tests", version: "1.0.0" })
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, NODE_NO_WARNINGS: "1", ...config?.env }
    await client.connect(
      new StdioClientTransport({ command: config?.command ?? "", args: [...(config?.args ?? [])], env, cwd: "/" })
    )
    const listed = (await client.listTools()).tools.map(({ name }) => name)
    assert.deepStrictEqual(
      (manifest.tools ?? []).map(({ name }) => name),
      listed
    )
    const made = await client.callTool({ name: "lead_upsert", arguments: { email: "ada@example.com" } })
    assert.notStrictEqual(made.isError, true, JSON.stringify(made))
    await client.close()
    await server.stop()
  })

  it("says which key is missing", async () => {
    const { stdout } = await new Promise<{ readonly stdout: string }>((resolve) => {
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: folder.path,
        SVC_BASE_URL: "http://127.0.0.1:1",
        SVC_API_KEY: ""
      }
      const child = execFile(process.execPath, [join(unpacked, "server/bin/svc.js"), "mcp"], { env }, (_, stdout) =>
        resolve({ stdout })
      )
      const call = { name: "workspace_status", arguments: {} }
      child.stdin?.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`)
    })
    assert.include(stdout, "No API key")
  })
})
