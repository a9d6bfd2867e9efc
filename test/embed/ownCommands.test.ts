/** Commands of a host without Effect: as good as those of the product, on every surface. */
import { assert, describe, it } from "@effect/vitest"
import { createSvc, defineCommand, type HookCall, SvcError } from "@svc/embed"
import { toStandardJsonSchema } from "@valibot/to-json-schema"
import { type } from "arktype"
import * as v from "valibot"
import { z } from "zod"
import { at, openService, textAt } from "../support/httpService.ts"
import { listening, svcAt } from "../support/listening.ts"
import { oneJson } from "../support/svcProcess.ts"

const Ping = defineCommand({
  id: "crm.ping",
  summary: "Ping the CRM",
  risk: "mutate",
  scope: "leads:write",
  input: z.object({ name: z.string().min(2), times: z.number().int().default(1) }),
  run: async ({ name, times }, { caller }) => ({ pong: `${name} ${times}`, by: caller.userId })
})

const schemas = {
  zod: z.object({ name: z.string().min(2), address: z.object({ city: z.string() }).optional() }),
  valibot: toStandardJsonSchema(
    v.object({ name: v.pipe(v.string(), v.minLength(2)), address: v.optional(v.object({ city: v.string() })) })
  ),
  arktype: type({ name: "string >= 2", "address?": { city: "string" } })
}

const quiet = { databaseUrl: "memory:", worker: false, env: { SVC_LOG_LEVEL: "none" } } as const

const caught = async (run: () => unknown): Promise<SvcError> => {
  try {
    await run()
  } catch (error) {
    if (error instanceof SvcError) return error
    throw error
  }
  return assert.fail("nothing was thrown")
}

describe("a command of a host", () => {
  it("gives the same outcome in process, over HTTP, MCP and the command line, and as an approved run, between the hooks", async () => {
    const seen: Array<string> = []
    const line = ({ command, route, within }: HookCall) => [command, route, within].filter(Boolean).join(" < ")
    const { ask, key, makeKey, organizationId, svc } = await openService({
      commands: [Ping],
      mcpActorKind: "key",
      hooks: {
        before: (call) => void seen.push(`before ${line(call)} ${JSON.stringify(call.input)}`),
        after: (call, outcome) => void seen.push(`after ${line(call)} ${outcome.ok}`)
      }
    })
    const input = { name: "Ada" }
    const tenant = svc.as({ organizationId })
    const inProcess = await tenant.commands.run("crm.ping", input)
    const data = { pong: "Ada 1", by: "usr_host" }
    assert.deepStrictEqual(inProcess.ok && inProcess.data, data)
    assert.deepStrictEqual(await tenant.crm.ping(input), data)
    const http = await ask("POST", "/api/v1/commands/crm.ping", { json: input })
    const ofKey = { ...data, by: textAt(http.body, "data.by") }
    assert.deepStrictEqual(at(http.body, "data"), ofKey)
    assert.strictEqual(at(http.body, "meta.command_hash"), inProcess.meta.command_hash)
    const mcp = await ask("POST", "/mcp", {
      headers: { accept: "application/json, text/event-stream" },
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "crm_ping", arguments: input } }
    })
    assert.deepStrictEqual(JSON.parse(textAt(mcp.body, "result.content.0.text")), ofKey)
    await listening(svc, async (url) => {
      const ran = await svcAt(url, key, [
        "commands",
        "run",
        "crm.ping",
        "--input-json",
        JSON.stringify(input),
        "--json"
      ])
      assert.deepStrictEqual(oneJson(ran), Object(http.body))
    })
    const { keyId, text: held } = await makeKey({ scopes: ["leads:write"] })
    await tenant.policies.set({ key_id: keyId, mutate: "ask" })
    const asked = await ask("POST", "/api/v1/commands/crm.ping", { key: held, json: input })
    const approval_request_id = textAt(asked.body, "meta.approval_request_id")
    seen.length = 0
    const { result } = await tenant.approvals.resolve({ approval_request_id, decision: "approve" })
    assert.deepStrictEqual(result, data)
    assert.deepStrictEqual(seen, [
      `before approval.resolve {"approval_request_id":"${approval_request_id}","decision":"approve"}`,
      'before crm.ping < approval.resolve {"name":"Ada","times":1}',
      "after crm.ping < approval.resolve true",
      "after approval.resolve true"
    ])
    await svc.close()
  })

  it("obeys rights, policies, idempotency, audit and dry runs", async () => {
    let runs = 0
    const Count = defineCommand({
      id: "crm.count",
      summary: "Count",
      risk: "mutate",
      scope: "leads:write",
      run: async (_, { dryRun, svc, warn }) => {
        runs++
        warn(`run ${runs}`)
        const { lead_id } = await svc.leads.upsert({ email: "count@example.com" })
        return { lead_id, dryRun }
      }
    })
    const { ask, makeKey, svc } = await openService({ commands: [Count] })
    const path = "/api/v1/commands/crm.count"
    const { text: reader } = await makeKey({ scopes: ["leads:read"] })
    assert.strictEqual(at((await ask("POST", path, { key: reader, json: {} })).body, "error.code"), "FORBIDDEN_SCOPE")
    const { text: drafter } = await makeKey({ scopes: ["admin"], mode: "draft_only" })
    assert.strictEqual(at((await ask("POST", path, { key: drafter, json: {} })).body, "error.code"), "APPROVAL_POLICY")
    const { keyId, text: denied } = await makeKey({ scopes: ["admin"] })
    await ask("POST", "/api/v1/commands/policy.set", { json: { key_id: keyId, mutate: "deny" } })
    assert.strictEqual(at((await ask("POST", path, { key: denied, json: {} })).body, "error.code"), "APPROVAL_POLICY")
    assert.strictEqual(runs, 0)

    const dry = await ask("POST", `${path}?dry_run=true`, { json: {} })
    assert.strictEqual(at(dry.body, "data.dryRun"), true)
    assert.deepStrictEqual(at(dry.body, "meta.warnings"), ["dry_run", "run 1"])
    const leads = async () =>
      at((await ask("POST", "/api/v1/commands/lead.search", { json: {} })).body, "data.leads.length")
    assert.strictEqual(await leads(), 0)

    const headers = { "idempotency-key": "k1" }
    const first = await ask("POST", path, { json: {}, headers })
    const again = await ask("POST", path, { json: {}, headers })
    assert.deepStrictEqual(again.body, first.body)
    assert.strictEqual(runs, 2)
    assert.strictEqual(await leads(), 1)
    const audit = await ask("GET", "/api/v1/audit?command_id=crm.count")
    const outcomes = Object(at(audit.body, "data.entries")).map(({ outcome }: { outcome: string }) => outcome)
    assert.sameMembers(outcomes, ["ok", "APPROVAL_POLICY", "APPROVAL_POLICY", "FORBIDDEN_SCOPE"])
    await svc.close()
  })

  for (const [library, input] of Object.entries(schemas)) {
    it(`takes the schema of ${library}: checks, refuses unknown fields, and is published with it`, async () => {
      const Greet = defineCommand({
        id: "crm.greet",
        summary: "Greet",
        risk: "read",
        scope: "leads:read",
        input,
        examples: [{ title: "Ada", input: { name: "Ada" } }],
        run: ({ name }) => ({ text: `Hello ${name}` })
      })
      const { ask, svc } = await openService({ commands: [Greet] })
      assert.deepStrictEqual(await svc.crm.greet({ name: "Ada", address: { city: "Paris" } }), { text: "Hello Ada" })
      const post = async (json: unknown) => (await ask("POST", "/api/v1/commands/crm.greet", { json })).body
      assert.match(textAt(await post({ name: "A" }), "error.message"), /^name: .*2/)
      assert.strictEqual(at(await post({ name: "A" }), "error.code"), "INVALID_INPUT")
      assert.strictEqual(at(await post({}), "error.code"), "INVALID_INPUT")
      assert.deepStrictEqual(at(await post({ name: "Ada", nmae: 1 }), "error"), {
        code: "UNKNOWN_FIELD",
        message: "nmae is not a known field. Did you mean name?"
      })
      const inner = at(await post({ name: "Ada", address: { city: "Paris", zip: 1 } }), "error")
      assert.deepInclude(inner, { code: "UNKNOWN_FIELD" })
      assert.match(String(at(inner, "message")), /^address\.zip is not a known field\./)
      assert.strictEqual(at(await post({ name: "\u0000ab" }), "error.code"), "INVALID_INPUT")

      const { input_schema } = await svc.commands.schema("crm.greet")
      assert.deepInclude(input_schema, { type: "object", required: ["name"], additionalProperties: false })
      assert.strictEqual(at(input_schema, "properties.address.additionalProperties"), false)
      assert.isTrue((await svc.commands.list()).some(({ command_id }) => command_id === "crm.greet"))
      const api = (await ask("GET", "/api/v1/openapi.json", { key: null })).text
      assert.include(api, "crm.greet")
      const catalog = await svc.resources.read("svc://catalog")
      assert.include(JSON.stringify(catalog.payload), "crm.greet")
      assert.include((await ask("GET", "/docs/commands.md", { key: null })).text, "crm.greet")
      const tools = await ask("POST", "/mcp", {
        headers: { accept: "application/json, text/event-stream" },
        json: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
      })
      const tool = Object(at(tools.body, "result.tools")).find(({ name }: { name: string }) => name === "crm_greet")
      assert.deepStrictEqual(tool.inputSchema.required, ["name"])
      await svc.close()
    })
  }

  it("asks for a JSON Schema where its library has none, takes the given one, and validates asynchronously", async () => {
    const input = v.pipeAsync(
      v.objectAsync({ name: v.string() }),
      v.checkAsync(async ({ name }) => name !== "Bob", "Bob is out")
    )
    const parts = {
      id: "crm.greet",
      summary: "Greet",
      risk: "read",
      scope: "leads:read",
      input,
      run: ({ name }: { name: string }) => ({ text: name })
    } as const
    const message =
      "crm.greet: valibot gives no JSON Schema for its input (StandardJSONSchema). Pass one as inputJsonSchema."
    assert.strictEqual((await caught(() => defineCommand(parts))).message, message)
    assert.strictEqual((await caught(() => createSvc({ ...quiet, commands: [parts] }))).message, message)
    const inputJsonSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
    const svc = await createSvc({ ...quiet, commands: [defineCommand({ ...parts, inputJsonSchema })] })
    assert.deepStrictEqual(await svc.crm.greet({ name: "Ada" }), { text: "Ada" })
    const refused = await caught(() => svc.crm.greet({ name: "Bob" }))
    assert.strictEqual(`${refused.code} ${refused.message}`, "INVALID_INPUT The input: Bob is out.")
    await svc.close()
  })

  it("gets what its schema made of the input, and tells other inputs apart under one idempotency key", async () => {
    const Visit = defineCommand({
      id: "crm.visit",
      summary: "Note a visit",
      risk: "mutate",
      scope: "leads:write",
      input: z.object({ on: z.iso.date().transform((text) => new Set([text])) }),
      run: ({ on }) => ({ days: [...on] })
    })
    const svc = await createSvc({ databaseUrl: "memory:", worker: false, commands: [Visit] })
    const keyed = { idempotencyKey: "k1" }
    assert.deepStrictEqual(await svc.crm.visit({ on: "2026-11-23" }, keyed), { days: ["2026-11-23"] })
    assert.deepStrictEqual(await svc.crm.visit({ on: "2026-11-23" }, keyed), { days: ["2026-11-23"] })
    assert.strictEqual((await caught(() => svc.crm.visit({ on: "2026-11-24" }, keyed))).code, "IDEMPOTENCY_MISMATCH")
    await svc.close()
  })

  const odd: ReadonlyArray<readonly [string, () => unknown, RegExp]> = [
    [
      "a date",
      () => defineCommand({ ...Ping, input: z.object({ at: z.date() }), run: () => ({}) }),
      /^crm\.ping: zod has no JSON Schema for its input: .*Date.* Pass one as inputJsonSchema\.$/
    ],
    [
      "a text",
      () => defineCommand({ ...Ping, input: z.string(), run: () => ({}) }),
      /^crm\.ping: the JSON Schema of its input must have type "object"/
    ],
    [
      "no Standard Schema",
      () => defineCommand({ ...Ping, input: { type: "object" } as never, run: () => ({}) }),
      /^crm\.ping: its input must be a Standard Schema/
    ],
    [
      "an output of a list",
      () => defineCommand({ ...Ping, output: z.array(z.string()), run: () => [] }),
      /^crm\.ping: the JSON Schema of its output must have type "object"/
    ]
  ]
  for (const [name, define, message] of odd) {
    it(`with ${name} as input or output is refused with the reason`, async () => {
      const { code, message: said } = await caught(define)
      assert.strictEqual(code, "INVALID_INPUT")
      assert.match(said, message)
    })
  }

  interface Tree {
    readonly name: string
    readonly children: ReadonlyArray<Tree>
  }
  const tree: z.ZodType<Tree> = z.object({
    name: z.string(),
    get children() {
      return z.array(tree)
    }
  })
  const wrong: ReadonlyArray<readonly [object, string]> = [
    [{ summary: "" }, "crm.ping: summary must be one line of text."],
    [{ risk: "write" }, "crm.ping: risk must be one of read, mutate, approval."],
    [{ scope: "lead:write" }, "crm.ping: scope must be a scope of keys. Did you mean leads:write?"],
    [{ run: "x" }, "crm.ping: run must be a function."],
    [{ failures: ["GONE"] }, "crm.ping: failures: GONE is no code. svc://errors has all of them."],
    [{ input: tree }, "crm.ping: a JSON Schema that refers to itself can't be published. Pass one that does not."]
  ]
  for (const [changes, message] of wrong) {
    it(`of a program without types is refused: ${message}`, async () => {
      const commands = [{ ...Ping, ...changes }] as ReadonlyArray<typeof Ping>
      assert.strictEqual((await caught(() => createSvc({ ...quiet, commands }))).message, message)
    })
  }

  it("fails as it says: with a code, or as INTERNAL without telling why", async () => {
    const Fails = defineCommand({
      id: "crm.fails",
      summary: "Fail",
      risk: "read",
      scope: "leads:read",
      input: z.object({ how: z.enum(["code", "nested", "error", "list", "output"]) }),
      output: z.object({ n: z.number() }),
      failures: ["NOT_FOUND"],
      run: async ({ how }, { fail, svc }): Promise<{ n: number }> => {
        if (how === "code") throw fail("NOT_FOUND", "Contact 7 not found.")
        if (how === "nested") await svc.offers.get({ offer_id: "nope" })
        if (how === "error") throw new Error("password is hunter2")
        return (how === "list" ? [1] : { n: "one" }) as never
      }
    })
    const { ask, svc } = await openService({ commands: [Fails], env: { SVC_LOG_LEVEL: "none" } })
    const errorOf = async (how: string) => {
      const { body, status } = await ask("POST", "/api/v1/commands/crm.fails", { json: { how } })
      return `${status} ${at(body, "error.code")} ${at(body, "error.message")}`
    }
    assert.strictEqual(await errorOf("code"), "404 NOT_FOUND Contact 7 not found.")
    assert.match(await errorOf("nested"), /^404 NOT_FOUND Offer/)
    for (const how of ["error", "list", "output"])
      assert.match(await errorOf(how), /^500 INTERNAL Unexpected error in request req_/)
    await svc.close()
  })
})
