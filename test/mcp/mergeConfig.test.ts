/** What an installed entry does to a program's list of servers: it is added or renewed, and all else stays. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { clientFile, entryOf } from "#cli/mcp/clients.ts"
import { merged } from "#cli/mcp/mergeConfig.ts"

const entry = { command: "/bin/node", args: ["/opt/svc.js", "mcp"], env: { SVC_BASE_URL: "http://127.0.0.1:4700" } }
const json = { path: "list.json", format: "json", section: "mcpServers" } as const
const toml = { path: "config.toml", format: "toml", section: "mcp_servers" } as const

describe("a list in JSON", () => {
  it("keeps what is there, settings of the entry included", () => {
    const before = {
      theme: "dark",
      mcpServers: { other: { command: "x" }, svc: { command: "old", disabled: true, env: { MINE: "1" } } }
    }
    const text = Result.getOrThrow(merged(JSON.stringify(before), json, entry))
    assert.deepStrictEqual(JSON.parse(text), {
      theme: "dark",
      mcpServers: { other: { command: "x" }, svc: { ...entry, disabled: true, env: { MINE: "1", ...entry.env } } }
    })
    assert.strictEqual(Result.getOrThrow(merged(text, json, entry)), text)
  })

  it("is not written over when it is not understood", () => {
    for (const text of ["// comment\n{}", "[]", "{", '{"mcpServers":[]}', '{"mcpServers":7}']) {
      const result = merged(text, json, entry)
      assert.isTrue(Result.isFailure(result), text)
      if (Result.isFailure(result)) assert.match(result.failure.message, /--print/)
    }
  })
})

describe("a list in TOML", () => {
  it("keeps what is there, comments too, and replaces its own table", () => {
    const before = [
      'model = "x" # kept',
      "[mcp_servers.other]",
      'command = "y"',
      "[mcp_servers.svc]",
      'command = "old"',
      "[mcp_servers.svc.env]",
      'A = "b"',
      "[profiles.z]",
      "n = 1",
      ""
    ].join("\n")
    const text = Result.getOrThrow(merged(before, toml, entry))
    assert.include(
      text,
      'model = "x" # kept\n[mcp_servers.other]\ncommand = "y"\n[profiles.z]\nn = 1\n\n[mcp_servers.svc]\n'
    )
    assert.notInclude(text, "old")
    assert.notInclude(text, "mcp_servers.svc.env")
    assert.include(text, 'args = ["/opt/svc.js", "mcp"]\nenv = { SVC_BASE_URL = "http://127.0.0.1:4700" }\n')
    assert.strictEqual(Result.getOrThrow(merged(text, toml, entry)), text)
  })
})

describe("an entry", () => {
  const base = { folder: "/project", script: "/opt/svc.js", toolset: "default", profile: undefined }

  it("names the service as it is found here, and nothing secret", () => {
    const of = (environment: Readonly<Record<string, string>>, profile?: string) =>
      entryOf({ ...base, environment, profile }).env
    assert.deepStrictEqual(of({}), { SVC_DATABASE_URL: "pglite:/project/.svc/data" })
    assert.deepStrictEqual(of({ SVC_DATABASE_URL: "postgres://me:SECRET@db/x", SVC_API_KEY: "SECRET" }), {})
    assert.deepStrictEqual(of({ SVC_BASE_URL: "https://me:SECRET@svc.example" }), {})
    assert.deepStrictEqual(of({ SVC_BASE_URL: "not an address" }), {})
    assert.deepStrictEqual(of({ SVC_BASE_URL: "https://svc.example", SVC_API_KEY_FILE: "k" }), {
      SVC_BASE_URL: "https://svc.example",
      SVC_API_KEY_FILE: "/project/k"
    })
    assert.deepStrictEqual(of({ XDG_CONFIG_HOME: "/c" }, "work"), { SVC_PROFILE: "work", XDG_CONFIG_HOME: "/c" })
  })

  it("goes where each program looks, on each system", () => {
    const home = { HOME: "/people/me" }
    const path = (platform: NodeJS.Platform) => clientFile("claude-desktop", home, "/project", platform).path
    assert.strictEqual(path("darwin"), "/people/me/Library/Application Support/Claude/claude_desktop_config.json")
    assert.strictEqual(path("linux"), "/people/me/.config/Claude/claude_desktop_config.json")
    assert.include(path("win32"), "Claude")
  })
})
