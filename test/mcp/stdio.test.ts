/**
 * `svc mcp` as a process: what it prints, how soon, and what it does where there is no key, no server or no database.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parse } from "smol-toml"
import { at } from "../support/httpService.ts"
import { dataOf, rpc, textsOf } from "../support/mcpHttp.ts"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

type Json = Readonly<Record<string, unknown>>

/** A process with its two ends. */
const open = async (cwd: string, env: Readonly<Record<string, string>>, args: ReadonlyArray<string> = []) => {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [await svcBundle(), "mcp", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"]
  })
  const begun = performance.now()
  let out = ""
  let err = ""
  let firstAfter: number | undefined
  const waiting = new Map<unknown, (message: Json) => void>()
  let seen = 0
  child.stdout.on("data", (chunk) => {
    firstAfter ??= performance.now() - begun
    out += String(chunk)
    const lines = out.split("\n")
    for (; seen < lines.length - 1; seen++) {
      // Throws for a line that is no JSON, which is what this process may never print.
      const message: Json = Object(JSON.parse(lines[seen] ?? ""))
      waiting.get(message["id"])?.(message)
    }
  })
  child.stderr.on("data", (chunk) => {
    err += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const write = (value: unknown) => child.stdin.write(typeof value === "string" ? value : `${JSON.stringify(value)}\n`)
  let next = 0
  const ask = (method: string, params: Json = {}): Promise<Json> => {
    const id = ++next
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      write(rpc(method, params, id))
    })
  }
  const call = async (name: string, args: Json = {}): Promise<Json> =>
    Object((await ask("tools/call", { name, arguments: args }))["result"])
  const initialize = () => ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} })
  const end = () => {
    child.stdin.end()
    return ended
  }
  return {
    child,
    write,
    ask,
    call,
    initialize,
    end,
    ended,
    stdout: () => out,
    stderr: () => err,
    firstAfter: () => firstAfter
  }
}

describe("svc mcp", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  it("answers first, and touches no database for it", async () => {
    const times: Array<number> = []
    for (let count = 0; count < 5; count++) {
      // A database that cannot be: whoever touched it would fail.
      const server = await open(folder.path, { SVC_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" })
      const answer = await server.initialize()
      assert.strictEqual(at(answer, "result.serverInfo.name"), "svc")
      times.push(server.firstAfter() ?? Number.NaN)
      assert.strictEqual(await server.end(), 0)
    }
    const [least = Number.NaN, , median = Number.NaN] = times.sort((left, right) => left - right)
    console.log(`first answer of svc mcp: ${median.toFixed(0)} ms (median of 5), ${least.toFixed(0)} ms at best`)
    // The machine that runs tests runs others at the same time: then it is measured against a Node that does nothing.
    const begun = performance.now()
    await new Promise((resolve) => spawn(process.execPath, ["-e", "0"]).once("close", resolve))
    assert.isBelow(least, Math.max(500, 4 * (performance.now() - begun)))
  })

  it("prints nothing but JSON-RPC, whatever comes in", async () => {
    const server = await open(folder.path, { SVC_DATABASE_URL: "memory:", SVC_LOG_LEVEL: "trace" })
    await server.initialize()
    server.write("not json\n\n   \n[]\n{}\n7\n\u2028\n")
    server.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\r\n`)
    server.write({ jsonrpc: "2.0", id: 3, result: {} })
    server.write(
      rpc("tools/call", { name: "workspace_status", arguments: {} }, "split").constructor === Object ? "" : ""
    )
    const text = JSON.stringify(rpc("ping", {}, 99))
    server.write(text.slice(0, 10))
    server.write(`${text.slice(10)}\n`)
    const list = await server.ask("tools/list")
    assert.isNotEmpty(at(list, "result.tools"))
    await server.call("workspace_status")
    const status = await server.end()
    assert.strictEqual(status, 0, server.stderr())
    const lines = server.stdout().trimEnd().split("\n")
    for (const line of lines) {
      const message: Json = Object(JSON.parse(line))
      assert.strictEqual(message["jsonrpc"], "2.0")
      assert.isTrue("result" in message || "error" in message || "method" in message, line)
    }
    assert.isTrue(lines.some((line) => Object(JSON.parse(line)).id === 99))
  })

  it("refuses a line that parsing would change, as HTTP does", async () => {
    const server = await open(folder.path, { SVC_DATABASE_URL: "memory:" })
    const twice = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}'
    const rounded = '{"jsonrpc":"2.0","id":2,"method":"ping","params":{"n":12345678901234567890}}'
    server.write(`${twice}\n${rounded}\n`)
    assert.strictEqual(await server.end(), 0)
    const replies = server
      .stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      replies.map((reply) => [at(reply, "id"), at(reply, "error.code")]),
      [
        [1, -32700],
        [2, -32700]
      ]
    )
  })

  it("lists its tools without a key, and every call says which command to run", async () => {
    const server = await open(folder.path, { SVC_DATABASE_URL: "memory:" })
    await server.initialize()
    const list = await server.ask("tools/list")
    assert.isAtLeast(Array.from(Object(at(list, "result.tools"))).length, 20)
    for (const name of ["workspace_status", "resource_read"]) {
      const result = await server.call(name, name === "resource_read" ? { uri: "svc://status" } : {})
      assert.strictEqual(result["isError"], true)
      assert.match(textsOf(result)[0] ?? "", /^UNAUTHENTICATED: .*svc keys create --org ID --actor-kind AI_AGENT/)
    }
    const read = await server.ask("resources/read", { uri: "svc://status" })
    assert.strictEqual(at(read, "error.code"), -32000)
    await server.end()
  })

  it("says what is wrong where nobody answers", async () => {
    const key = "svc_live_x"
    const away = await open(folder.path, { SVC_BASE_URL: "http://127.0.0.1:9", SVC_API_KEY: key })
    const result = await away.call("workspace_status")
    assert.match(textsOf(result)[0] ?? "", /^UNAVAILABLE: Can.t reach http:\/\/127\.0\.0\.1:9.*svc serve/)
    assert.strictEqual(await away.end(), 0)
    assert.notInclude(away.stdout() + away.stderr(), key)
  })

  it("opens an embedded folder, shares it with others, and gives it back", async () => {
    const own = await temporaryFolder()
    const env = { SVC_DATABASE_URL: `pglite:${join(own.path, "data")}` }
    const made = await svcInProcess(["orgs", "create", "Agents", "--json"], { cwd: own.path, env })
    const { api_key } = JSON.parse(made.stdout)
    const keyed = { ...env, SVC_API_KEY: String(api_key) }
    const first = await open(own.path, keyed)
    const second = await open(own.path, keyed)
    const created = await first.call("lead_upsert", { email: "ada@example.com", name: "Ada" })
    assert.isUndefined(created["isError"], JSON.stringify(created))
    const found = await second.call("lead_get", { email: "ada@example.com" })
    assert.strictEqual(at(dataOf(found), "lead.name"), "Ada")
    const ran = await svc(["commands", "run", "lead.get", "--input-json", '{"email":"ada@example.com"}', "--json"], {
      cwd: own.path,
      env: keyed
    })
    assert.strictEqual(ran.code, 0, ran.stdout + ran.stderr)
    // The one that owned it goes; the other finds it free, and opens it itself.
    assert.strictEqual(await first.end(), 0)
    const again = await second.call("lead_get", { email: "ada@example.com" })
    const retried = again["isError"] === true ? await second.call("lead_get", { email: "ada@example.com" }) : again
    assert.strictEqual(at(dataOf(retried), "lead.name"), "Ada", JSON.stringify(again))
    assert.strictEqual(await second.end(), 0)
    await own.remove()
  })

  it("names the client of the handshake to the service, which keeps it with what that writes", async () => {
    const server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:" } })
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const assistant = await open(folder.path, env)
    const clientInfo = { name: "Küste", version: "2.0" }
    await assistant.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
    const draft_id = "drf_SAMPLE00000000000000000002"
    const run = (command_id: string, input: Json) => assistant.call("command_run", { command_id, input })
    await run("linkedin.draft.update", { draft_id, variations: ["Hello Grace"] })
    const read = await run("linkedin.draft.get", { draft_id })
    const steps: unknown = at(dataOf(read), "provenance")
    assert.isArray(steps, JSON.stringify(read))
    assert.deepInclude(Object(steps).at(-1), { action: "updated", client: clientInfo, actor_kind: "AI_AGENT" })
    await assistant.end()
    await server.stop()
  })

  it("ends in order: what was begun is answered; a signal ends it too", async () => {
    const server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:" } })
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const slow = await open(folder.path, env)
    const answer = slow.call("lead_search", { limit: 5 })
    assert.strictEqual(await slow.end(), 0)
    assert.isUndefined((await answer)["isError"])
    const signalled = await open(folder.path, env)
    await signalled.initialize()
    signalled.child.kill("SIGTERM")
    assert.strictEqual(await signalled.ended, 0)
    await server.stop()
  })

  it("does not answer what was cancelled", async () => {
    const server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:" } })
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const client = await open(folder.path, env)
    await client.initialize()
    await client.call("workspace_status")
    client.write(
      [
        rpc("tools/call", { name: "lead_search", arguments: { limit: 5 } }, "gone"),
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "gone" } },
        rpc("ping", {}, "after")
      ]
        .map((message) => JSON.stringify(message))
        .join("\n")
        .concat("\n")
    )
    await client.call("workspace_status")
    await client.end()
    assert.include(client.stdout(), '"id":"after"')
    assert.notInclude(client.stdout(), '"id":"gone"')
    await server.stop()
  })

  it("refuses a toolset that is none before it speaks", async () => {
    const ran = await svc(["mcp", "--toolset", "nonsense"], { cwd: folder.path })
    assert.strictEqual(ran.code, 2)
    assert.strictEqual(ran.stdout, "")
    assert.match(ran.stderr, /Use default, all/)
    const some = await open(folder.path, { SVC_DATABASE_URL: "memory:" }, ["--toolset=leads"])
    const list = await some.ask("tools/list")
    assert.include(JSON.stringify(list), "lead_export")
    await some.end()
  })

  it("has skills, tasks and the app for a draft, which links to the review page of its server", async () => {
    const server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:" } })
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const svcMcp = await open(folder.path, env)
    const discovered = await svcMcp.ask("server/discover")
    assert.deepStrictEqual(Object.keys(Object(at(discovered, "result.capabilities.extensions"))), [
      "io.modelcontextprotocol/skills",
      "io.modelcontextprotocol/tasks"
    ])
    const { skills } = Object((await svcMcp.ask("skills/list"))["result"])
    assert.isAbove(skills.length, 0)
    const { contents } = Object((await svcMcp.ask("resources/read", { uri: "ui://svc/review-draft" }))["result"])
    assert.include(contents[0].text, `name="svc-review" content="${server.url}/review"`)
    assert.strictEqual(await svcMcp.end(), 0)
    await server.stop()
  })
})

describe("svc mcp budget", () => {
  it("prints the tokens of each tool, and their sum", async () => {
    const ran = await svcInProcess(["mcp", "budget", "--json"])
    const { tools, total } = JSON.parse(ran.stdout)
    assert.strictEqual(
      total,
      tools.reduce((sum: number, tool: { readonly tokens: number }) => sum + tool.tokens, 0)
    )
    assert.isBelow(total, 6_000)
    const people = await svcInProcess(["mcp", "budget", "--toolset", "all"])
    assert.match(people.stdout, /^\d+ tools +\d+ tokens$/m)
  })
})

describe("svc mcp install", () => {
  const cases = [
    ["claude-code", ".mcp.json", "mcpServers"],
    ["claude-desktop", "home/.config/Claude/claude_desktop_config.json", "mcpServers"],
    ["cursor", "home/.cursor/mcp.json", "mcpServers"],
    ["vscode", ".vscode/mcp.json", "servers"],
    ["codex", "home/.codex/config.toml", "mcp_servers"],
    ["gemini-cli", "home/.gemini/settings.json", "mcpServers"],
    ["windsurf", "home/.codeium/windsurf/mcp_config.json", "mcpServers"],
    ["zed", "home/.config/zed/settings.json", "context_servers"]
  ] as const

  const inFolder = async (use: (path: string, env: Readonly<Record<string, string>>) => Promise<void>) => {
    const { path, remove } = await temporaryFolder()
    await use(path, {
      HOME: join(path, "home"),
      XDG_CONFIG_HOME: join(path, "home", ".config"),
      SVC_API_KEY: "svc_live_SECRET",
      SVC_API_KEY_FILE: "key"
    })
    await remove()
  }

  const filesIn = async (path: string) =>
    (await readdir(path, { recursive: true })).filter((name) => !name.endsWith(".config"))

  it.for(cases)(
    "prints the entry of %s, with whole paths and no key, and edits no file",
    async ([client, file, section]) => {
      await inFolder(async (path, env) => {
        const shown = await svcInProcess(["mcp", "install", client], { cwd: path, env })
        assert.strictEqual(shown.code, 0, shown.stderr)
        assert.include(shown.stderr, join(path, file))
        assert.include(shown.stdout, section)
        assert.include(shown.stdout, JSON.stringify(process.execPath))
        assert.include(shown.stdout, JSON.stringify(join(path, "key")))
        assert.notInclude(shown.stdout + shown.stderr, "SECRET")
        const { entry, path: named } = JSON.parse(
          (await svcInProcess(["mcp", "install", client, "--json"], { cwd: path, env })).stdout
        )
        assert.strictEqual(named, join(path, file))
        const printed = client === "codex" ? parse(shown.stdout) : JSON.parse(shown.stdout)
        assert.deepStrictEqual(printed, { [section]: { svc: entry } })
        assert.deepStrictEqual(await filesIn(path), [])
      })
    }
  )

  it("names the command with which a client adds the server itself", async () => {
    await inFolder(async (path, env) => {
      const install = async (client: string, ...flags: ReadonlyArray<string>) =>
        JSON.parse((await svcInProcess(["mcp", "install", client, "--json", ...flags], { cwd: path, env })).stdout)
      const claude = await install("claude-code")
      assert.deepStrictEqual(claude.command.slice(0, -1), ["claude", "mcp", "add-json", "--scope", "project", "svc"])
      assert.deepStrictEqual(JSON.parse(claude.command.at(-1)), claude.entry)
      const { command, entry } = await install("codex")
      assert.deepStrictEqual(command.slice(0, 4), ["codex", "mcp", "add", "svc"])
      assert.deepStrictEqual(command.slice(command.indexOf("--") + 1), [entry.command, ...entry.args])
      assert.include(command, `SVC_API_KEY_FILE=${join(path, "key")}`)
      const remote = await install("codex", "--url", "https://svc.example", "--key-variable", "SVC_API_KEY")
      const url = "https://svc.example/mcp"
      assert.deepStrictEqual(remote.command.slice(4), ["--url", url, "--bearer-token-env-var", "SVC_API_KEY"])
      assert.deepInclude(JSON.parse((await install("vscode")).command[2]), { name: "svc", type: "stdio" })
      assert.isUndefined((await install("cursor")).command)
      const shown = await svcInProcess(["mcp", "install", "claude-code"], { cwd: path, env })
      assert.match(shown.stderr, /^ {2}claude mcp add-json --scope project svc '\{.*\}'$/m)
    })
  })

  it("prints a URL for a client that signs in", async () => {
    await inFolder(async (path, env) => {
      const install = (...flags: ReadonlyArray<string>) =>
        svcInProcess(["mcp", "install", "cursor", "--json", ...flags], { cwd: path, env })
      const { entry } = JSON.parse((await install("--url", "https://svc.example")).stdout)
      assert.deepStrictEqual(entry, { url: "https://svc.example/mcp" })
      const mixed = await install("--url", "https://svc.example", "--create-key")
      assert.deepStrictEqual([mixed.code, mixed.stdout.includes("--key-variable")], [2, true], mixed.stdout)
    })
  })

  it("starts the server that it prints", async () => {
    await inFolder(async (path, env) => {
      const { stdout } = await svcInProcess(["mcp", "install", "claude-code"], { cwd: path, env })
      const { args, command, env: given } = JSON.parse(stdout).mcpServers.svc
      const child = spawn(command, args, { cwd: "/", env: { PATH: "", ...given }, stdio: ["pipe", "pipe", "ignore"] })
      child.stdin.end(`${JSON.stringify(rpc("ping"))}\n`)
      let out = ""
      for await (const chunk of child.stdout) out += String(chunk)
      assert.deepStrictEqual(JSON.parse(out), { jsonrpc: "2.0", id: 1, result: {} })
    })
  })

  it("never hands over a person's key unasked, and gives the agent one that reads and drafts", async () => {
    const { path, remove } = await temporaryFolder()
    const env = { HOME: path, XDG_CONFIG_HOME: join(path, "config"), SVC_API_KEY_FILE: join(path, ".svc/dev-key") }
    const dev = await startSvc(["dev"], { cwd: path })
    const install = (...flags: ReadonlyArray<string>) =>
      svcInProcess(["mcp", "install", "claude-code", "--json", ...flags], { cwd: path, env })
    const refused = await install()
    assert.strictEqual(refused.code, 2, refused.stdout)
    assert.include(refused.stdout, "--create-key")
    const created = await install("--create-key")
    assert.strictEqual(created.code, 0, created.stdout + created.stderr)
    const file: string = JSON.parse(created.stdout).entry.env.SVC_API_KEY_FILE
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
    const key = await readFile(file, "utf8")
    assert.notInclude(created.stdout + created.stderr, key.trim())
    const who = await svcInProcess(["whoami", "--json"], { cwd: path, env: { ...env, SVC_API_KEY_FILE: file } })
    const { actor_kind, scopes } = Object(JSON.parse(who.stdout))
    assert.strictEqual(actor_kind, "AI_AGENT")
    assert.includeMembers(scopes, ["linkedin:draft", "leads:read"])
    assert.notIncludeMembers(scopes, ["linkedin:approve", "linkedin:send", "admin"])
    const again = await install("--create-key")
    assert.deepStrictEqual(
      [JSON.parse(again.stdout).entry.env.SVC_API_KEY_FILE, await readFile(file, "utf8")],
      [file, key]
    )
    const kept = await install("--use-current-key")
    assert.strictEqual(JSON.parse(kept.stdout).entry.env.SVC_API_KEY_FILE, env.SVC_API_KEY_FILE)
    await dev.stop()
    await remove()
  })
})
