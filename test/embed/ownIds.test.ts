/** Ids of a host's commands and URIs of its resources: what is bad or taken is refused with the reason. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Command, Resource } from "@svc/core"
import { createSvc, defineCommand, defineResource, SvcError } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { commands } from "#core/commands.ts"
import { reservedIds, reservedWords } from "#embed/checkOwn.ts"
import { at, openService, type Service, textAt } from "../support/httpService.ts"
import { listening, svcAt } from "../support/listening.ts"
import { root } from "../support/sources.ts"
import { oneJson } from "../support/svcProcess.ts"

const command = (id: string) =>
  defineCommand({ id, summary: "Do it", risk: "read", scope: "leads:read", run: () => ({ id }) })

const resource = (uri: string, name = "crm-contact") =>
  defineResource({ uri, name, summary: "A contact", scope: "leads:read", read: (params) => ({ ...params }) })

const refusal = async (options: Parameters<typeof createSvc>[0]): Promise<string> => {
  try {
    await (await createSvc({ databaseUrl: "memory:", worker: false, ...options })).close()
  } catch (error) {
    if (error instanceof SvcError && error.code === "INVALID_INPUT") return error.message
    throw error
  }
  return assert.fail("it was accepted")
}

describe("the id of a host's command", () => {
  const bad = ["lead", "Crm.ping", "crm_ping", "crm.", ".ping", "crm..ping", "crm.1", "crm ping", "crm.ping-", ""]
  for (const id of bad) {
    it(`${JSON.stringify(id)} is refused as none`, async () => {
      assert.strictEqual(
        await refusal({ commands: [command(id)] }),
        `commands[0]: id ${JSON.stringify(id)} must be at least two lower-case words joined by ".", such as crm.ping.`
      )
    })
  }

  const clashes: ReadonlyArray<readonly [ids: ReadonlyArray<string>, message: string]> = [
    [["lead.upsert"], "commands[0]: there is a command lead.upsert already. Choose another id."],
    [["crm.ping", "crm.ping"], "commands[1]: there is a command crm.ping already. Choose another id."],
    [
      ["leads.upsert"],
      "commands[0]: id leads.upsert would have the method of lead.upsert, svc.leads.upsert. Choose another id."
    ],
    [
      ["linkedin.draft"],
      "commands[0]: id linkedin.draft names the group of linkedin.draft.create. Add a word, such as linkedin.draft.run."
    ],
    [
      ["offer.create.fast"],
      "commands[0]: id offer.create.fast would be part of the command offer.create. Choose another id."
    ],
    [["crm.a.b", "crm.a"], "commands[1]: id crm.a names the group of crm.a.b. Add a word, such as crm.a.run."],
    [
      ["events.ping"],
      'commands[0]: id "events.ping" is reserved, since the service has events itself. Choose another first word.'
    ],
    [
      ["serve.it"],
      'commands[0]: id "serve.it" is reserved, since the service has serve itself. Choose another first word.'
    ],
    [[`crm.${"x".repeat(40)}`], `commands[0]: id "crm.${"x".repeat(40)}" has 44 characters; the most is 40.`]
  ]
  for (const [ids, message] of clashes) {
    it(`${ids.join(" and ")} is refused`, async () => {
      assert.strictEqual(await refusal({ commands: ids.map(command) }), message)
    })
  }

  it("is checked for commands made with Effect as well", async () => {
    const Lead = Command.make({
      id: "lead",
      title: "x",
      summary: "x",
      description: "x",
      whenToUse: "x",
      category: "leads",
      risk: "read",
      scope: "leads:read",
      input: Schema.Struct({}),
      output: Schema.Struct({}),
      failures: [],
      examples: [{ title: "x", input: {} }],
      run: () => Effect.succeed({})
    })
    assert.match(await refusal({ commands: [Lead] }), /^commands\[0\]: id "lead" must be/)
  })

  it("never takes a word of the command line, nor a member of the service", async () => {
    const written = readFileSync(join(root, "packages/cli/src/subcommands.ts"), "utf8")
    const words = [...(/const written: .* = \{([\s\S]*?)\n\}/.exec(written)?.[1] ?? "").matchAll(/^ {2}(\w+):/gm)]
    assert.isAbove(words.length, 20)
    const families = new Set(commands.map(({ id }) => id.split(".")[0]))
    const svc = await createSvc({ databaseUrl: "memory:", worker: false })
    const members = Object.keys(svc).map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
    await svc.close()
    const methods = new Set(
      commands.map(({ id }) => id.split(".")[0]).flatMap((one = "") => [one, `${one}s`, one.replace(/y$/, "ies")])
    )
    const free = [...words.map(([, word = ""]) => word), ...members].filter(
      (word) => !reservedWords.has(word) && !families.has(word) && !methods.has(word)
    )
    assert.deepStrictEqual(free, [])
    for (const id of reservedIds) assert.match(await refusal({ commands: [command(id)] }), /is reserved|already/)
  })
})

describe("the URI of a host's resource", () => {
  const wrong: ReadonlyArray<readonly [uri: string, name: string, message: RegExp]> = [
    ["crm://contacts", "crm", /^resources\[0\]: uri "crm:\/\/contacts" must be like svc:\/\/crm\/contacts\/\{id\}/],
    ["svc://Crm", "crm", /must be like/],
    ["svc://crm/", "crm", /must be like/],
    ["svc://crm/{}", "crm", /must be like/],
    ["svc://crm", "Crm", /name "Crm" must be lower-case words joined by "-"/],
    ["svc://crm", "status", /there is a resource status already, svc:\/\/status/],
    ["svc://offers/{offer}", "crm", /uri svc:\/\/offers\/\{offer\} would be read as svc:\/\/offers\/\{id\}/],
    ["svc://offers/special", "crm", /would be read as svc:\/\/offers\/\{id\}/],
    ["svc://{any}", "crm", /must be like/]
  ]
  for (const [uri, name, message] of wrong) {
    it(`${uri} named ${name} is refused`, async () => {
      assert.match(await refusal({ resources: [resource(uri, name)] }), message)
    })
  }

  it("may not fit another one of the host", async () => {
    const resources = [resource("svc://crm/{id}"), resource("svc://crm/all", "crm-all")]
    assert.match(
      await refusal({ resources }),
      /^resources\[1\]: uri svc:\/\/crm\/all would be read as svc:\/\/crm\/\{id\}/
    )
  })
})

describe("a resource of a host", () => {
  let service: Service
  const Contact = defineResource({
    uri: "svc://crm/contacts/{id}",
    name: "crm-contact",
    summary: "A contact of the CRM",
    scope: "leads:read",
    relatedCommands: ["lead.get"],
    read: async ({ id }, { caller, fail, svc }) => {
      if (id !== "7") throw fail("NOT_FOUND", `Contact ${id} not found.`)
      const { count } = await svc.leads.search({})
      return { id, of: caller.organizationId, leads: count }
    }
  })
  const Note = Resource.make({
    uri: "svc://crm/note",
    name: "crm-note",
    title: "Note",
    summary: "Note",
    description: "A note.",
    relatedCommands: [],
    category: "custom",
    scope: "leads:read",
    example: {},
    payload: Schema.Struct({ text: Schema.String }),
    read: () => Effect.succeed({ text: "with Effect" })
  })
  beforeAll(async () => {
    service = await openService({ resources: [Contact, Note] })
  })
  afterAll(() => service.svc.close())

  it("is listed and read over every surface", async () => {
    const { ask, key, organizationId, svc } = service
    const uri = "svc://crm/contacts/7"
    const expected = { id: "7", of: organizationId, leads: 0 }
    const tenant = svc.as({ organizationId })
    assert.deepInclude((await tenant.resources.read(uri)).payload, expected)
    assert.deepInclude((await tenant.resources.read("svc://crm/note")).payload, { text: "with Effect" })
    assert.include(JSON.stringify(await svc.resources.list()), "svc://crm/contacts/{id}")
    const http = await ask("GET", `/api/v1/resources/read?uri=${uri}`)
    assert.deepInclude(at(http.body, "data.resource.payload"), expected)
    assert.include((await ask("GET", "/api/v1/resources")).text, "svc://crm/contacts/{id}")
    const rpc = async (method: string, params: object) =>
      (
        await ask("POST", "/mcp", {
          headers: { accept: "application/json, text/event-stream" },
          json: { jsonrpc: "2.0", id: 1, method, params }
        })
      ).body
    const told = textAt(await rpc("resources/read", { uri }), "result.contents.0.text")
    assert.deepInclude(JSON.parse(told), expected)
    assert.include(JSON.stringify(await rpc("resources/templates/list", {})), "svc://crm/contacts/{id}")
    await listening(svc, async (url) => {
      const ran = oneJson(await svcAt(url, key, ["resources", "read", uri, "--json"]))
      assert.deepInclude(at(ran, "data.resource.payload"), expected)
    })
  })

  it("fails as the product's own do", async () => {
    const { ask, makeKey } = service
    const missing = await ask("GET", "/api/v1/resources/read?uri=svc://crm/contacts/8")
    assert.strictEqual(`${missing.status} ${at(missing.body, "error.message")}`, "404 Contact 8 not found.")
    const { text: key } = await makeKey({ scopes: ["offers:read"] })
    const refused = await ask("GET", "/api/v1/resources/read?uri=svc://crm/contacts/7", { key })
    assert.strictEqual(at(refused.body, "error.code"), "FORBIDDEN_SCOPE")
    const unknown = await ask("GET", "/api/v1/resources/read?uri=svc://crm/contact/7")
    assert.strictEqual(at(unknown.body, "error.code"), "UNKNOWN_RESOURCE")
    const write = await service.svc.commands.run("resource.crm-contact" as never, { id: "7" } as never)
    assert.strictEqual(write.status, 404)
  })
})
