/** What an installed entry does to a client's configuration: it is added, renewed or removed, and all else stays. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { type Client, clientFile, clients, formats } from "#cli/mcp/clients.ts"
import { commandEntry, urlEntry } from "#cli/mcp/entry.ts"
import { merged, withoutEntry } from "#cli/mcp/mergeConfig.ts"
import { samples } from "./clientConfigs.ts"

const fileOf = (client: Client) => clientFile(client, { HOME: "/people/me" }, "/project", "linux")

const commandFor = (client: Client) =>
  commandEntry({
    client,
    environment: { SVC_BASE_URL: "http://127.0.0.1:4700" },
    folder: "/project",
    script: "/opt/svc.js",
    toolset: "default",
    profile: undefined
  })

const url = { url: "https://svc.example", toolset: "default", keyVariable: undefined }

const mergedText = (...args: Parameters<typeof merged>) => Result.getOrThrow(merged(...args))

const failureOf = (result: ReturnType<typeof merged>): string => {
  assert.isTrue(Result.isFailure(result))
  return Result.isFailure(result) ? result.failure.message : ""
}

const json = { path: "list.json", format: "json", section: "mcpServers" } as const
const toml = { path: "config.toml", format: "toml", section: "mcp_servers" } as const

describe("the configuration of", () => {
  it.for(clients)("%s keeps every line that it had", (client) => {
    const file = fileOf(client)
    const before = samples[client]
    const after = mergedText(before, file, commandFor(client))
    assert.strictEqual(mergedText(after, file, commandFor(client)), after)
    const lines = after.split("\n")
    let at = 0
    for (const line of before.split("\n")) {
      const found = lines.findIndex((other, index) => index >= at && (other === line || other === `${line},`))
      assert.isAtLeast(found, at, `${line} is missing in\n${after}`)
      at = found + 1
    }
    const removed = Result.getOrThrow(withoutEntry(after, file))
    // A section that was added stays, and is empty.
    assert.strictEqual(removed.replace(/\n {2}"context_servers": \{\n {2}\},/, "").trimEnd(), before.trimEnd())
  })

  it.for(clients.filter((client) => formats[client].url !== undefined))("%s takes a URL instead", (client) => {
    const file = fileOf(client)
    const entry = Result.getOrThrow(urlEntry({ client, ...url }))
    const after = mergedText(mergedText(samples[client], file, commandFor(client)), file, entry)
    assert.strictEqual(after, mergedText(samples[client], file, entry))
    assert.include(after, "https://svc.example/mcp")
    assert.notInclude(after, "/opt/svc.js")
  })
})

describe("JSON", () => {
  const entry = commandFor("cursor")

  it("keeps a person's settings of the entry", () => {
    const before = {
      theme: "dark",
      mcpServers: { other: { command: "x" }, svc: { command: "old", disabled: true, env: { MINE: "1" } } }
    }
    assert.deepStrictEqual(JSON.parse(mergedText(JSON.stringify(before), json, entry)), {
      theme: "dark",
      mcpServers: { other: { command: "x" }, svc: { ...entry, disabled: true, env: { MINE: "1", ...entry.env } } }
    })
    const remote = { mcpServers: { svc: { url: "u", headers: { Authorization: "Bearer OLD", "X-Mine": "1" } } } }
    assert.deepStrictEqual(JSON.parse(mergedText(JSON.stringify(remote), json, { url: "v" })), {
      mcpServers: { svc: { url: "v", headers: { "X-Mine": "1" } } }
    })
  })

  it("is edited where it needs to be, and nowhere else", () => {
    const before = [
      "// servers of mine",
      "{",
      '\t"mcpServers": {',
      '\t\t"svc": { // mine',
      '\t\t\t"command": "old", /* was here */',
      '\t\t\t"disabled": false, // keep',
      "\t\t},",
      '\t\t"other": { "url": "x", }, // the other',
      "\t},",
      "}"
    ].join("\r\n")
    assert.strictEqual(
      mergedText(before, json, { command: "new", args: ["a"] }),
      before
        .replace('"old"', '"new"')
        .replace("// keep\r\n", '// keep\r\n\t\t\t"args": [\r\n\t\t\t\t"a"\r\n\t\t\t],\r\n')
    )
    assert.strictEqual(
      Result.getOrThrow(withoutEntry(before, json)),
      ["// servers of mine", "{", '\t"mcpServers": {', '\t\t"other": { "url": "x", }, // the other', "\t},", "}"].join(
        "\r\n"
      )
    )
  })

  it("is written from nothing, on one line and with a mark of its encoding", () => {
    const servers = { mcpServers: { svc: { url: "u" } } }
    assert.deepStrictEqual(JSON.parse(mergedText("", json, { url: "u" })), servers)
    assert.deepStrictEqual(JSON.parse(mergedText('{"a":1}', json, { url: "u" })), { a: 1, ...servers })
    assert.deepStrictEqual(JSON.parse(mergedText("\uFEFF{}", json, { url: "u" }).slice(1)), servers)
    assert.isTrue(mergedText("\uFEFF{}", json, { url: "u" }).startsWith("\uFEFF"))
  })

  it("is left alone when it cannot be edited", () => {
    const texts = [
      "[]",
      "{",
      '{"mcpServers":[]}',
      '{"mcpServers":7}',
      '{"a" 1}',
      '{"a":1}}',
      '{"mcpServers":{"svc":{"command":"a"},"svc":{"command":"b"}}}'
    ]
    for (const text of texts) assert.match(failureOf(merged(text, json, entry)), /^list\.json .*--print/, text)
    assert.match(failureOf(merged('{\n"a": 1\n"b": 2}', json, entry)), /^list\.json is not valid JSON, line 3: /)
    assert.isTrue(Result.isFailure(withoutEntry("{", json)))
    assert.strictEqual(Result.getOrThrow(withoutEntry("{}", json)), "{}")
  })
})

describe("TOML", () => {
  const entry = commandFor("codex")

  it("keeps comments, order and other settings of its own table", () => {
    const before = [
      'model = "x" # kept',
      "[mcp_servers.other]",
      'command = "y"',
      "# mine",
      "[mcp_servers.svc] # here",
      "startup_timeout_sec = 20 # slow disk",
      'command = "old"',
      "[mcp_servers.svc.env]",
      'A = "b" # of mine',
      "[profiles.z]",
      'text = """',
      "[mcp_servers.svc]",
      '"""',
      ""
    ].join("\n")
    assert.strictEqual(
      mergedText(before, toml, { command: "new", args: ["a b"], env: { B: 'c"' } }),
      before
        .replace('command = "old"', 'command = "new"\nargs = ["a b"]')
        .replace("# of mine\n", '# of mine\nB = "c\\""\n')
    )
    assert.strictEqual(
      Result.getOrThrow(withoutEntry(before, toml)),
      before.replace(/\[mcp_servers\.svc\] # here[^[]*\[mcp_servers\.svc\.env\][^[]*/, "")
    )
    const remote = mergedText(before, toml, { url: "u", bearer_token_env_var: "KEY" })
    assert.include(
      remote,
      'startup_timeout_sec = 20 # slow disk\nurl = "u"\nbearer_token_env_var = "KEY"\n[profiles.z]'
    )
    assert.notInclude(remote, "svc.env")
  })

  it("ends its own lines as the file does, and starts one after a file without an end", () => {
    assert.strictEqual(
      mergedText('a = 1\r\n[mcp_servers.svc]\r\ncommand = "x"', toml, { command: "x", args: [] }),
      'a = 1\r\n[mcp_servers.svc]\r\ncommand = "x"\r\nargs = []\r\n'
    )
    assert.strictEqual(mergedText("a = 1", toml, { url: "u" }), 'a = 1\n\n[mcp_servers.svc]\nurl = "u"\n')
  })

  it("is left alone when it cannot be edited", () => {
    const texts = [
      "[mcp_servers",
      "mcp_servers = 7",
      'mcp_servers = { svc = { command = "x" } }',
      '[mcp_servers]\nsvc = { command = "x" }',
      '[mcp_servers.svc]\nenv.A = "b"\nenv.C = "d"',
      "[[mcp_servers.svc]]\na = 1",
      "a = 1\na = 2"
    ]
    for (const text of texts) assert.match(failureOf(merged(text, toml, entry)), /^config\.toml .*--print/, text)
    assert.match(failureOf(merged("a = 1\nb = \n", toml, entry)), /^config\.toml is not valid TOML, line 2: /)
  })
})

describe("an entry", () => {
  it("names the service as it is found here, and nothing secret", () => {
    const base = { client: "cursor", folder: "/project", script: "/opt/svc.js", toolset: "default" } as const
    const of = (environment: Readonly<Record<string, string>>, profile?: string) =>
      commandEntry({ ...base, environment, profile }).env
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

  it("with a URL is spelled as each client reads it", () => {
    const spelled = clients.map((client) => {
      const result = urlEntry({ client, ...url, keyVariable: client === "zed" ? undefined : "SVC_API_KEY" })
      return [client, Result.isSuccess(result) ? result.success : undefined]
    })
    const headers = (inside: string) => ({ headers: { Authorization: `Bearer \${${inside}}` } })
    assert.deepStrictEqual(Object.fromEntries(spelled), {
      "claude-code": { type: "http", url: "https://svc.example/mcp", ...headers("SVC_API_KEY") },
      "claude-desktop": undefined,
      codex: { url: "https://svc.example/mcp", bearer_token_env_var: "SVC_API_KEY" },
      cursor: { url: "https://svc.example/mcp", ...headers("env:SVC_API_KEY") },
      "gemini-cli": { httpUrl: "https://svc.example/mcp", ...headers("SVC_API_KEY") },
      vscode: { type: "http", url: "https://svc.example/mcp", ...headers("env:SVC_API_KEY") },
      windsurf: { serverUrl: "https://svc.example/mcp", ...headers("env:SVC_API_KEY") },
      zed: { url: "https://svc.example/mcp" }
    })
    assert.deepStrictEqual(
      Result.getOrThrow(urlEntry({ client: "cursor", ...url, url: "http://h:1/x/mcp", toolset: "leads" })),
      { url: "http://h:1/x/mcp?toolset=leads" }
    )
  })

  it("with a URL is refused where it would not work, and never repeats a password", () => {
    const refused = (client: Client, more: { readonly url?: string; readonly keyVariable?: string }) =>
      failureOf(Result.map(urlEntry({ client, ...url, ...more }), () => ""))
    assert.match(refused("claude-desktop", {}), /leave out --url/)
    assert.match(refused("zed", { keyVariable: "KEY" }), /Leave out --key-variable/)
    assert.match(refused("cursor", { keyVariable: "svc_live_secret-key" }), /name of an environment variable/)
    assert.notInclude(refused("cursor", { keyVariable: "svc_live_secret-key" }), "secret")
    for (const bad of ["", "svc.example", "file:///etc/passwd", "javascript:alert(1)"]) {
      assert.match(refused("cursor", { url: bad }), /http or https URL/)
    }
    const message = refused("cursor", { url: "https://me:SECRET@svc.example" })
    assert.match(message, /--key-variable/)
    assert.notInclude(message, "SECRET")
  })

  it("goes where each client looks, on each system", () => {
    const at = (client: Client, platform: NodeJS.Platform) =>
      clientFile(client, { HOME: "/people/me" }, "/project", platform).path
    const desktop = "Claude/claude_desktop_config.json"
    assert.strictEqual(at("claude-desktop", "darwin"), `/people/me/Library/Application Support/${desktop}`)
    assert.strictEqual(at("claude-desktop", "linux"), `/people/me/.config/${desktop}`)
    assert.strictEqual(at("claude-desktop", "win32"), `/people/me/AppData/Roaming/${desktop}`)
    assert.strictEqual(at("zed", "darwin"), "/people/me/.config/zed/settings.json")
    assert.strictEqual(at("zed", "linux"), "/people/me/.config/zed/settings.json")
    assert.strictEqual(at("zed", "win32"), "/people/me/AppData/Roaming/Zed/settings.json")
    assert.strictEqual(at("windsurf", "linux"), "/people/me/.codeium/windsurf/mcp_config.json")
    assert.strictEqual(at("gemini-cli", "linux"), "/people/me/.gemini/settings.json")
  })
})
