/** Commands of a host in the command line: of `svc.config.js`, and of the service that it talks to. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { defineCommand } from "@svc/embed"
import { z } from "zod"
import { openService } from "../support/httpService.ts"
import { listening, svcAt } from "../support/listening.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, startSvc, svc as svcProcess, temporaryFolder } from "../support/svcProcess.ts"

const config = `
const input = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => typeof value.name === "string" ? { value } : { issues: [{ message: "must be a text", path: ["name"] }] },
    jsonSchema: {
      input: () => ({ type: "object", properties: { name: { type: "string" } }, required: ["name"] }),
      output: () => ({ type: "object" })
    }
  }
}
export const commands = [
  { id: "crm.ping", summary: "Ping the CRM", risk: "mutate", scope: "leads:write", input,
    run: async ({ name }, { svc }) => ({ lead_id: (await svc.leads.upsert({ custom_id: name, email: name + "@example.com" })).lead_id, pong: name }) },
  { id: "lead.crm-count", summary: "Count", risk: "read", scope: "leads:read",
    run: async (_, { svc }) => ({ count: (await svc.leads.search({})).count }) }
]
export const resources = [
  { uri: "svc://crm/note", name: "crm-note", summary: "A note", scope: "leads:read", read: () => ({ text: "hello" }) }
]
export const hooks = {
  before: ({ command, input }) => {
    if (command === "crm.ping" && input.name === "mallory") throw new Error("Mallory is banned.")
  }
}
export const gateway = {
  name: "outbox",
  relation: async () => ({ connected: true, chatId: null, invitation: "none" }),
  sendToChat: async () => ({ outcome: "unknown" }),
  startChat: async () => ({ outcome: "unknown" }),
  sendInvitation: async () => ({ outcome: "unknown" })
}
`

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

/** A folder with a configuration. */
const withConfig = async (name: string, text: string, file = "svc.config.mjs"): Promise<string> => {
  const path = join(folder.path, name)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, file), text)
  return path
}

describe("svc.config", () => {
  it("gives a server its commands, resources, hooks and gateway, and one-shot commands their words", {
    timeout: 60_000
  }, async () => {
    const cwd = await withConfig("server", config)
    const server = await startSvc(["serve", "--no-worker"], { cwd, env: { SVC_DATABASE_URL: "memory:" } })
    try {
      const { api_key: key = "" } = server.ready as { readonly api_key?: string }
      const env = { SVC_BASE_URL: server.url, SVC_API_KEY: key }
      // Words of the configuration in this folder, and words that only the service knows, in another one.
      for (const options of [{ cwd, env }, { env }]) {
        const ran = await svcInProcess(["crm", "ping", "--name", "ada", "--json"], options)
        assert.strictEqual(Object(oneJson(ran)).data?.pong, "ada", ran.stderr)
        const counted = oneJson(await svcInProcess(["lead", "crm-count", "--json"], options))
        assert.deepStrictEqual(Object(counted).data, { count: 1 })
        const help = await svcInProcess(["crm", "ping", "--help"], options)
        assert.include(help.stdout, "--name")
        assert.include(help.stdout, "--idempotency-key")
        assert.notInclude((await svcInProcess(["lead", "crm-count", "--help"], options)).stdout, "--idempotency-key")
        const banned = await svcInProcess(["crm", "ping", "--name", "mallory", "--json"], options)
        assert.strictEqual(banned.code, 3)
        assert.deepStrictEqual(Object(oneJson(banned)).error, {
          code: "APPROVAL_POLICY",
          message: "Mallory is banned."
        })
        const missing = await svcInProcess(["crm", "ping", "--json"], options)
        assert.strictEqual(Object(oneJson(missing)).error.code, "INVALID_INPUT")
        const unknown = await svcInProcess(["crm", "pong"], options)
        assert.strictEqual(unknown.code, 2)
        assert.include(unknown.stderr, 'Unknown command "pong". Did you mean ping?')
      }
      const read = oneJson(await svcInProcess(["resources", "read", "svc://crm/note", "--json"], { env }))
      assert.strictEqual(Object(read).data.resource.payload.text, "hello")
      const help = await svcInProcess(["--help"], { cwd, env })
      assert.match(help.stdout, /^ *crm /m)
      assert.include((await svcInProcess(["lead", "--help"], { cwd, env })).stdout, "crm-count")
    } finally {
      await server.stop()
    }
  })

  it("is opened with the database by a one-shot command, and by an agent's server", async () => {
    const cwd = await withConfig("embedded", config)
    const made = Object(oneJson(await svcInProcess(["orgs", "create", "Own", "--json"], { cwd })))
    const env = { SVC_API_KEY: String(made.api_key) }
    const ran = oneJson(await svcInProcess(["crm", "ping", "--name", "ada", "--json"], { cwd, env }))
    assert.strictEqual(Object(ran).data.pong, "ada")
    const lines = [
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "crm_ping", arguments: { name: "eve" } } }
    ]
    const mcp = await svcProcess(["mcp"], {
      cwd,
      env,
      input: lines.map((line) => `${JSON.stringify(line)}\n`).join("")
    })
    assert.include(mcp.stdout, '"name":"crm_ping"')
    assert.include(mcp.stdout, String.raw`\"pong\":\"eve\"`)
  })

  const wrong: ReadonlyArray<readonly [string, text: string, message: string]> = [
    ["syntax", "export const commands = [", "svc.config.mjs: "],
    [
      "await",
      "await 1\nexport const commands = []",
      "svc.config.mjs: it uses await outside of functions, which it can't."
    ],
    ["member", "export const comands = []", "svc.config.mjs: exports: comands is unknown. Did you mean commands?"],
    ["list", "export default { commands: 1 }", "svc.config.mjs: commands must be a list of commands."],
    [
      "id",
      'export const commands = [{ id: "lead", summary: "x", risk: "read", scope: "leads:read", run: () => ({}) }]',
      'svc.config.mjs: commands[0]: id "lead" must be at least two lower-case words'
    ],
    [
      "hooks",
      "export const hooks = { befor: () => {} }",
      "svc.config.mjs: hooks: befor is unknown. Did you mean before?"
    ],
    ["gateway", 'export const gateway = "simulator"', "svc.config.mjs: gateway: not one of defineGateway."]
  ]
  for (const [name, text, message] of wrong) {
    it(`that is wrong (${name}) stops the server with the reason`, async () => {
      const cwd = await withConfig(name, text)
      const ran = await svcInProcess(["serve", "--json"], { cwd, env: { SVC_DATABASE_URL: "memory:", SVC_PORT: "0" } })
      assert.strictEqual(ran.code, 2, ran.stderr)
      assert.isTrue(String(Object(oneJson(ran)).error.message).startsWith(message), ran.stdout)
    })
  }

  it("is found by SVC_CONFIG, which must name a file", async () => {
    const cwd = await withConfig("elsewhere", "export const gateway = 1", "own.mjs")
    const env = { SVC_DATABASE_URL: "memory:", SVC_CONFIG: join(cwd, "own.mjs") }
    const ran = await svcInProcess(["serve", "--json"], { env })
    assert.match(String(Object(oneJson(ran)).error.message), /^own\.mjs: gateway: not one of defineGateway\./)
    const lost = await svcInProcess(["serve", "--json"], { env: { ...env, SVC_CONFIG: "nope.js" } })
    assert.strictEqual(Object(oneJson(lost)).error.message, "nope.js: file not found. Correct SVC_CONFIG.")
  })
})

describe("a word that only the service knows", () => {
  const Ping = defineCommand({
    id: "crm.ping",
    summary: "Ping the CRM",
    risk: "mutate",
    scope: "leads:write",
    input: z.object({ name: z.string() }),
    examples: [{ title: "Ada", input: { name: "ada" } }],
    run: ({ name }) => ({ pong: name })
  })

  it("is one of its commands, with the examples as command lines", async () => {
    const { key, svc } = await openService({ commands: [Ping] })
    await listening(svc, async (url) => {
      const ran = await svcAt(url, key, ["crm", "ping", "--name", "ada", "--json"])
      assert.deepStrictEqual(Object(oneJson(ran)).data, { pong: "ada" })
      const help = await svcAt(url, key, ["crm", "ping", "--help"])
      assert.include(help.stdout, "svc crm ping ada")
      assert.strictEqual((await svcAt(url, "svc_wrong", ["crm", "ping"])).code, 2)
      assert.strictEqual((await svcAt("http://127.0.0.1:9", key, ["crm", "ping"])).code, 2)
    })
    await svc.close()
  })
})
