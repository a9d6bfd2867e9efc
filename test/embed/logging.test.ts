/** Log level, how it looks and where it goes, in every kind of process. */
import { spawn } from "node:child_process"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { createSvc } from "@svc/embed"
import { vi } from "vitest"
import { logLines } from "../support/logLines.ts"
import { rpc } from "../support/mcpHttp.ts"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const memory = { SVC_DATABASE_URL: "memory:" }

const messagesIn = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  logLines(lines.join("\n")).map(({ message }) => message)

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

describe("logs", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  const hosted = async (environment: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    const out = vi.spyOn(console, "log").mockImplementation(() => undefined)
    const err = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const service = await createSvc({ databaseUrl: "memory:", worker: false })
    await service.fetch(new Request("http://localhost/healthz"))
    await service.close()
    assert.strictEqual(out.mock.calls.length, 0)
    return err.mock.calls.map((call) => call.map(String).join(" "))
  }

  it("of a host program go to standard error, as much as SVC_LOG_LEVEL says", async () => {
    assert.deepStrictEqual(await hosted({}), [])
    const lines = await hosted({ SVC_LOG_LEVEL: "debug", SVC_LOG_FORMAT: "json" })
    assert.include(messagesIn(lines), "request")
    assert.isTrue(
      (await hosted({ SVC_LOG_LEVEL: "debug", SVC_LOG_FORMAT: "pretty" })).some((line) => /message=request/.test(line))
    )
  })

  it("of a server are JSON lines, or readable ones, or none", async () => {
    for (const [environment, expected] of [
      [{ SVC_LOG_LEVEL: "none" }, "none"],
      [{ SVC_LOG_LEVEL: "debug" }, "json"],
      [{ SVC_LOG_LEVEL: "debug", SVC_LOG_FORMAT: "pretty" }, "pretty"]
    ] as const) {
      const server = await startSvc(["serve"], { env: { ...memory, ...environment } })
      await fetch(`${server.url}/healthz`)
      assert.strictEqual(await server.stop(), 0)
      const lines = linesOf(server.stderr())
      if (expected === "none") assert.deepStrictEqual(lines, [])
      if (expected === "json") assert.include(messagesIn(lines), "request")
      if (expected === "pretty") assert.isTrue(lines.some((line) => /message=request/.test(line)))
    }
  })

  it("of svc mcp go by the same settings", async () => {
    const folder = await temporaryFolder()
    const cwd = folder.path
    const SVC_API_KEY = String(oneJson(await svcInProcess(["orgs", "create", "Logs", "--json"], { cwd }))["api_key"])
    const run = async (environment: Readonly<Record<string, string>>) => {
      const child = spawn(process.execPath, [await svcBundle(), "mcp"], {
        cwd,
        env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", SVC_API_KEY, ...environment },
        stdio: ["pipe", "pipe", "pipe"]
      })
      let err = ""
      child.stderr.on("data", (chunk) => {
        err += String(chunk)
      })
      const ended = new Promise((resolve) => child.once("close", resolve))
      const answered = new Promise((resolve) =>
        child.stdout.on("data", (chunk) => {
          if (String(chunk).includes('"id":2')) resolve(undefined)
        })
      )
      const write = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`)
      write(rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} }, 1))
      write(rpc("tools/call", { name: "workspace_status", arguments: {} }, 2))
      await answered
      child.stdin.end()
      await ended
      return linesOf(err)
    }
    assert.deepStrictEqual(await run({ SVC_LOG_LEVEL: "none" }), [])
    assert.include(messagesIn(await run({ SVC_LOG_LEVEL: "debug" })), "request")
    assert.isTrue(
      (await run({ SVC_LOG_LEVEL: "debug", SVC_LOG_FORMAT: "pretty" })).some((line) => /message=request/.test(line))
    )
    await folder.remove()
  })

  it("of a command line never mix with its answer", async () => {
    const ran = await svc(["commands", "list", "--json"], { env: { ...memory, SVC_LOG_LEVEL: "trace" } })
    assert.doesNotThrow(() => JSON.parse(ran.stdout))
  })
})
