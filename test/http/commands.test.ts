/** The commands family: list, schema, run, and which failures use which body. */
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { failureOf } from "#core/failures.ts"
import * as Command from "#core/kernel/command/Command.ts"
import { InvalidEmail, WrongState } from "#core/kernel/failure/failures.ts"
import { GatewayError, UsageLimit } from "#core/outreach/failures.ts"
import {
  at,
  hasExactly,
  isError,
  isFailedCommand,
  offerFields,
  openService,
  type Service,
  textAt
} from "../support/httpService.ts"

const texts = {
  title: "Fail",
  summary: "Fail as asked.",
  description: "Fails with the code that is asked for.",
  whenToUse: "In tests.",
  category: "workspace",
  scope: "offers:read"
} as const

const codes = [
  "GATEWAY_ERROR",
  "UNAVAILABLE",
  "USAGE_LIMIT",
  "WRONG_STATE",
  "INVALID_EMAIL",
  "APPROVAL_POLICY"
] as const

const Fail = Command.make({
  ...texts,
  id: "host.fail",
  risk: "mutate",
  input: Schema.Struct({ code: Schema.Literals(codes) }),
  output: Schema.Struct({}),
  failures: [GatewayError, InvalidEmail, UsageLimit, WrongState],
  examples: [{ title: "Fails", input: { code: "WRONG_STATE" } }],
  run: ({ code }) =>
    Effect.fail(failureOf(code, { message: "It failed. Do not worry.", retryAfterSeconds: 2.2, warnings: ["w"] }))
})

const Die = Command.make({
  ...texts,
  id: "host.die",
  risk: "mutate",
  input: Schema.Struct({}),
  output: Schema.Struct({}),
  failures: [],
  examples: [{ title: "Dies", input: {} }],
  run: () => Effect.die(new Error("secret detail of postgres://u:p@host"))
})

const Unwritable = Command.make({
  ...texts,
  id: "host.unwritable",
  risk: "read",
  input: Schema.Struct({}),
  output: Schema.Struct({ n: Schema.Unknown }),
  failures: [],
  examples: [{ title: "Cannot be JSON", input: {} }],
  run: () => Effect.succeed({ n: 1n })
})

const descriptorFields =
  "command_id title description summary visibility risk category default_permission when_to_use risk_notes output_notes related_commands related_resources examples".split(
    " "
  )

let service: Awaited<ReturnType<typeof openService<typeof Fail | typeof Die | typeof Unwritable>>>
let ask: Service["ask"]
const run = (id: string, json: unknown, query = "") => ask("POST", `/api/v1/commands/${id}${query}`, { json })

beforeAll(async () => {
  service = await openService({ commands: [Fail, Die, Unwritable], layers: Logger.layer([]) })
  ask = service.ask
})
afterAll(() => service.svc.close())

describe("the list", () => {
  it("holds every public command with exactly the descriptor's fields", async () => {
    const reply = await ask("GET", "/api/v1/commands")
    assert.strictEqual(reply.status, 200)
    hasExactly(reply.body, ["data"])
    hasExactly(at(reply.body, "data"), ["commands"])
    const commands = at(reply.body, "data.commands")
    assert.ok(Array.isArray(commands))
    for (const command of commands) {
      hasExactly(command, descriptorFields)
      assert.ok(["read", "mutate", "approval"].includes(textAt(command, "risk")))
      assert.strictEqual(at(command, "visibility"), "public")
      assert.strictEqual(at(command, "default_permission"), "allow")
      const examples = at(command, "examples")
      assert.ok(Array.isArray(examples) && examples.length > 0)
      for (const example of examples) hasExactly(example, ["title", "language", "code"])
    }
    const ids = commands.map((command) => textAt(command, "command_id"))
    const spec =
      "offer.create lead.upsert linkedin.draft.create linkedin.draft.approve mission.update import.sales-nav.search"
    for (const id of spec.split(" ")) assert.include(ids, id)
    assert.ok(!ids.some((id) => id.startsWith("rest.")), "internal commands are never listed")
    assert.include(ids, "host.fail")
  })

  it("has category and risk of the six commands as the spec says", async () => {
    const commands = at((await ask("GET", "/api/v1/commands")).body, "data.commands")
    assert.ok(Array.isArray(commands))
    const facts = new Map(
      commands.map((one) => [textAt(one, "command_id"), `${textAt(one, "category")} ${textAt(one, "risk")}`])
    )
    assert.strictEqual(facts.get("offer.create"), "offers mutate")
    assert.strictEqual(facts.get("lead.upsert"), "leads mutate")
    assert.strictEqual(facts.get("linkedin.draft.create"), "linkedin mutate")
    assert.strictEqual(facts.get("linkedin.draft.approve"), "linkedin mutate")
    assert.strictEqual(facts.get("mission.update"), "missions mutate")
    assert.strictEqual(facts.get("import.sales-nav.search"), "imports approval")
  })

  it("the schema of each has the descriptor and three schemas; dry_run and response_profile are in none", async () => {
    const commands = at((await ask("GET", "/api/v1/commands")).body, "data.commands")
    assert.ok(Array.isArray(commands))
    for (const listed of commands) {
      const reply = await ask("GET", `/api/v1/commands/${textAt(listed, "command_id")}/schema`)
      assert.strictEqual(reply.status, 200)
      hasExactly(at(reply.body, "data"), ["command"])
      const command = at(reply.body, "data.command")
      hasExactly(command, [...descriptorFields, "input_schema", "output_schema", "approval_output_schema"])
      for (const name of descriptorFields) assert.deepStrictEqual(at(command, name), at(listed, name))
      const properties = Object(at(command, "input_schema.properties"))
      assert.ok(!("dry_run" in properties || "response_profile" in properties || "idempotency_key" in properties))
      assert.strictEqual(at(command, "input_schema.additionalProperties"), false)
    }
  })

  it("the schema of an unknown or internal command is 404 and names the nearest", async () => {
    const reply = await ask("GET", "/api/v1/commands/offer.creat/schema")
    isError(reply, 404, "UNKNOWN_COMMAND")
    assert.match(textAt(reply.body, "error.message"), /offer\.create/)
    isError(await ask("GET", "/api/v1/commands/rest.offers.list/schema"), 404, "UNKNOWN_COMMAND")
  })
})

describe("running", () => {
  it("answers the envelope with the hash of organization, command and input after defaults", async () => {
    const reply = await run("offer.create", { name: "Draft", is_draft: true })
    assert.strictEqual(reply.status, 200)
    hasExactly(reply.body, ["ok", "status", "data", "meta"])
    assert.strictEqual(at(reply.body, "ok"), true)
    assert.strictEqual(at(reply.body, "status"), 200)
    hasExactly(at(reply.body, "data"), ["offer"])
    hasExactly(at(reply.body, "data.offer"), offerFields)
    assert.deepStrictEqual(at(reply.body, "meta.warnings"), [])
    assert.strictEqual(at(reply.body, "meta.approval_required"), false)
    assert.strictEqual(at(reply.body, "meta.approval_request_id"), "")
    const text = `{"command_id":"offer.create","input":{"is_draft":true,"name":"Draft"},"organization":"${service.organizationId}"}`
    assert.strictEqual(at(reply.body, "meta.command_hash"), createHash("sha256").update(text).digest("hex"))
  })

  it("the hash is the same without the defaults spelled out, and whatever the options", async () => {
    const hashes = [
      await run("offer.create", { name: "Hash", one_liner: "a", value_proposition: "b" }),
      await run("offer.create", { value_proposition: "b", one_liner: "a", name: "Hash", is_draft: false }),
      await run(
        "offer.create",
        { name: "Hash", one_liner: "a", value_proposition: "b" },
        "?dry_run=true&response_profile=compact"
      )
    ].map((reply) => at(reply.body, "meta.command_hash"))
    assert.strictEqual(new Set(hashes).size, 1)
  })

  it("every 400 is an envelope; without a JSON object its hash is empty", async () => {
    const unknown = await run("offer.create", { nam: "x" })
    isFailedCommand(unknown, 400, "UNKNOWN_FIELD")
    assert.match(textAt(unknown.body, "error.message"), /name/)
    assert.match(textAt(unknown.body, "meta.command_hash"), /^[0-9a-f]{64}$/)
    const list = await run("offer.create", [])
    isFailedCommand(list, 400, "INVALID_JSON")
    assert.strictEqual(at(list.body, "meta.command_hash"), "")
    isFailedCommand(await run("offer.create", {}, "?response_profile=tiny"), 400, "INVALID_INPUT")
    isFailedCommand(await run("offer.create", {}, "?dry_run=yes"), 400, "INVALID_INPUT")
    isFailedCommand(await run("offer.create", {}, "?dryrun=true"), 400, "UNKNOWN_FIELD")
    isFailedCommand(await run("offer.create", {}, "?dry_run=true&dry_run=true"), 400, "INVALID_INPUT")
  })

  it("the spec's shortest samples are 400 and say what is missing", async () => {
    const offer = await run("offer.create", { offer_id: "a", offer_name: "b", name: "b" })
    isFailedCommand(offer, 400, "INVALID_INPUT")
    assert.match(textAt(offer.body, "error.message"), /one_liner.*value_proposition/s)
    const draft = await run("linkedin.draft.create", { variations: [] })
    assert.strictEqual(draft.status, 400, draft.text)
    assert.match(textAt(draft.body, "error.message"), /lead/)
    const url = "https://www.linkedin.com/sales/search/people?query=(keywords%3Acfo)"
    const search = await run("import.sales-nav.search", { url })
    isFailedCommand(search, 400, "INVALID_INPUT")
    assert.match(textAt(search.body, "error.message"), /mission/)
  })

  it("an unknown command is a 404 envelope; so is an internal one, with whatever body", async () => {
    for (const id of ["offer.creat", "resource.status", "constructor", "%20"]) {
      isFailedCommand(await run(id, {}), 404, "UNKNOWN_COMMAND")
    }
    const internal = await run("resource.status", { name: "x" })
    const unknown = await run("resource.statux", { name: "x" })
    assert.strictEqual(at(internal.body, "error.message"), at(unknown.body, "error.message"))
    const empty = await ask("POST", "/api/v1/commands/nothing.here")
    isFailedCommand(empty, 404, "UNKNOWN_COMMAND")
  })

  it.each([
    ["GATEWAY_ERROR", 502],
    ["WRONG_STATE", 409],
    ["INVALID_EMAIL", 400]
  ] as const)("%s is an envelope with its warnings and Retry-After", async (code, status) => {
    const reply = await run("host.fail", { code })
    isFailedCommand(reply, status, code)
    assert.deepStrictEqual(at(reply.body, "meta.warnings"), ["w"])
    assert.strictEqual(reply.headers.get("retry-after"), "3")
  })

  it.each([
    ["UNAVAILABLE", 503],
    ["USAGE_LIMIT", 429],
    ["APPROVAL_POLICY", 403]
  ] as const)("%s is the error object with Retry-After", async (code, status) => {
    const reply = await run("host.fail", { code })
    isError(reply, status, code)
    assert.strictEqual(reply.headers.get("retry-after"), "3")
  })

  it("a defect is a 500 error object that names the request and nothing else", async () => {
    for (const id of ["host.die", "host.unwritable"]) {
      const reply = await run(id, {})
      isError(reply, 500, "INTERNAL")
      assert.include(textAt(reply.body, "error.message"), reply.headers.get("svc-request-id") ?? "none")
      assert.notMatch(reply.text, /secret|postgres|BigInt|stack|Error:/)
    }
  })
})

describe("response_profile", () => {
  it("compact shortens long texts, keeps the shape, and says so", async () => {
    const references = Array.from({ length: 5 }, (_, n) => ({ type: "STATS", content: `${n}${"x".repeat(1000)}` }))
    const input = { name: "Long", one_liner: "a", value_proposition: "b", references }
    const full = await run("offer.create", input, "?response_profile=full")
    const compact = await run("offer.create", input, "?response_profile=compact")
    hasExactly(at(compact.body, "data.offer"), offerFields)
    const [long, short] = [at(full.body, "data.offer.references"), at(compact.body, "data.offer.references")]
    assert.ok(Array.isArray(long) && long.length === 5)
    assert.ok(Array.isArray(short) && short.length === 3)
    assert.isAtMost(textAt(short[0], "content").length, 281)
    assert.notDeepEqual(at(compact.body, "meta.warnings"), [])
  })

  it("REST reads take it, and refuse other values", async () => {
    assert.strictEqual((await ask("GET", "/api/v1/offers?response_profile=compact")).status, 200)
    isError(await ask("GET", "/api/v1/offers?response_profile=small"), 400, "INVALID_INPUT")
    const bad = await ask("GET", "/api/v1/resources/read?uri=svc://status&response_profile=")
    isError(bad, 400, "INVALID_INPUT")
    assert.match(textAt(bad.body, "error.message"), /full.*compact/)
  })
})

describe("resources", () => {
  it("the list has exactly the catalogue entry's fields", async () => {
    const reply = await ask("GET", "/api/v1/resources")
    hasExactly(at(reply.body, "data"), ["resources"])
    const resources = at(reply.body, "data.resources")
    assert.ok(Array.isArray(resources))
    for (const entry of resources) {
      hasExactly(entry, ["uri", "name", "title", "description", "summary", "mimeType", "related_commands"])
      assert.strictEqual(at(entry, "mimeType"), "application/json")
    }
    const uris = resources.map((entry) => textAt(entry, "uri"))
    for (const uri of [
      "svc://status",
      "svc://linkedin/drafts/pending",
      "svc://prospects/{id}",
      "svc://catalog",
      "svc://linkedin/accounts"
    ]) {
      assert.include(uris, uri)
    }
  })

  it("every resource without a parameter can be read, in exactly {resource:{uri,payload}}", async () => {
    const resources = at((await ask("GET", "/api/v1/resources")).body, "data.resources")
    assert.ok(Array.isArray(resources))
    for (const entry of resources) {
      const uri = textAt(entry, "uri")
      if (uri.includes("{")) continue
      const reply = await ask("GET", `/api/v1/resources/read?uri=${encodeURIComponent(uri)}`)
      assert.strictEqual(reply.status, 200, `${uri}: ${reply.text}`)
      hasExactly(reply.body, ["data"])
      hasExactly(at(reply.body, "data"), ["resource"])
      hasExactly(at(reply.body, "data.resource"), ["uri", "payload"])
      assert.strictEqual(at(reply.body, "data.resource.uri"), uri)
    }
  })

  it("a missing, empty, unknown or unmatched URI is refused as it should be", async () => {
    const read = (uri: string) => ask("GET", `/api/v1/resources/read?uri=${encodeURIComponent(uri)}`)
    isError(await ask("GET", "/api/v1/resources/read"), 400, "INVALID_INPUT")
    isError(await read(""), 400, "INVALID_INPUT")
    isError(await read("svc://prospects/nobody"), 404, "NOT_FOUND")
    for (const uri of ["svc://nothing", "svc://status/x", "svc://prospects/a/b", "svc://status/", "svc://status?x=1"]) {
      isError(await read(uri), 404, "UNKNOWN_RESOURCE")
    }
    for (const uri of ["https://status", "status", `svc://${"x".repeat(3000)}`]) {
      isError(await read(uri), 400, "INVALID_INPUT")
    }
  })
})
