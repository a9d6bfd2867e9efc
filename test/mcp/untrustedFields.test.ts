/**
 * Results name the fields that hold text which the service did not write. A mark is planted in every text that a caller can store;
 * then everything that can be read is read: the mark is in named fields only, and never in a name itself.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import { isForModels } from "#core/kernel/command/Effects.ts"
import { untrustedNote } from "#mcp/toolResult.ts"
import { untrustedFields } from "#mcp/untrusted.ts"
import { openService, type Service } from "../support/httpService.ts"
import { callTool, dataOf, textsOf } from "../support/mcpHttp.ts"
import { propertiesOf } from "../support/schemaArbitrary.ts"

type Json = Readonly<Record<string, unknown>>

const mark = "Planted words"
const marked = (name: string) => `${mark} ${name}`

let service: Service
/** Ids that commands take. */
const known: Record<string, unknown> = {}

const call = (id: string, args: unknown = {}, results: "text" | "structured" = "text") => {
  const toolset = commands.find((command) => command.id === id)?.category ?? "all"
  return callTool(service.svc.fetch, id.replaceAll(".", "_"), args, { key: service.key, toolset, results })
}

/** Runs a command with the mark in each of these fields that takes it; what it takes otherwise is given. */
const plant = async (command: string, given: Json, fields: ReadonlyArray<string>): Promise<Json> => {
  const schema = describeWithSchemas(commands.find(({ id }) => id === command) ?? commands[0]).input_schema
  const input: Record<string, unknown> = { ...given }
  for (const [name] of propertiesOf(schema)) if (fields.includes(name)) input[name] = marked(name)
  const result = await call(command, input)
  assert.isUndefined(result["isError"], `${command}: ${textsOf(result)[0]}`)
  return dataOf(result) ?? {}
}

beforeAll(async () => {
  service = await openService()
  known["agent_handle"] = "agent"
  known["mission_id"] = "mission"
  await plant("agent.create", { handle: "agent", first_name: "An" }, ["last_name"])
  const references = [{ type: "STATS", content: marked("proof"), metadata: { [marked("key")]: marked("value") } }]
  const texts = ["name", "one_liner", "value_proposition", "description"]
  const { offer } = await plant("offer.create", { references }, texts)
  known["offer_id"] = Object(offer).id
  const brief = ["name", "objective", "description", "target_audience", "key_message", "tone_instructions"]
  await plant("mission.create", { handle: "mission", agent_handle: "agent", offer_id: known["offer_id"] }, brief)
  const profile = [
    "name",
    "headline",
    "job_title",
    "company",
    "location",
    "description",
    "company_headline",
    "custom_id",
    "source"
  ]
  const lists = { skills: [marked("skill")], experience: [{ role: marked("role"), company: marked("company") }] }
  const lead = { mission_id: "mission", linkedin_url: "https://www.linkedin.com/in/planted", ...lists }
  const made = await plant("lead.upsert", lead, profile)
  known["lead_id"] = made["lead_id"]
  const lead_id = known["lead_id"]
  await plant("lead.note.add", { lead_id }, ["text", "content", "note", "body"])
  await plant("lead.message.record", { lead_id, direction: "inbound", channel: "LINKEDIN" }, ["content", "sender_name"])
  const csv = `email,${mark} column\na@example.com,${mark} cell\n`
  const imported = await plant("import.csv", { mission_id: "mission", content: csv }, ["name", "context"])
  known["import_id"] = imported["import_id"]
  const draft = { lead_id, mission_id: "mission", agent_handle: "agent" }
  const drafted = await plant("linkedin.draft.create", { ...draft, variations: [{ body_text: marked("body") }] }, [
    "subject"
  ])
  known["draft_id"] = Object(drafted["draft"]).draft_id
})
afterAll(() => service.svc.close())

/** The paths of marked texts in a value; `name` is whether a name is marked. */
const marks = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return value.includes(mark) ? [path] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    marks(inner, Array.isArray(value) ? `${path}[]` : path === "" ? name : `${path}.${name}`)
  )
}

const escaped = (text: string) => text.replaceAll(/[.[\]]/g, "\\$&")

/** Whether fields that are named have a path: `*` is any name, and what is named has everything below it. */
const covers = (named: ReadonlyArray<string>, path: string): boolean =>
  named.some((one) => new RegExp(`^${escaped(one).replaceAll("*", "[^.]+?")}(?:$|[.[])`).test(path))

describe("text that the service did not write", () => {
  it("is in the fields that a result names, whatever is read", async () => {
    const tried: Array<string> = []
    let found = 0
    const reads = commands.filter(({ effects, risk }) => risk === "read" && effects.channels.length === 0)
    for (const command of reads.filter(isForModels)) {
      const { input_schema } = describeWithSchemas(command)
      const fields = new Map(propertiesOf(input_schema))
      const required = Array.isArray(input_schema["required"]) ? input_schema["required"].map(String) : []
      const wanted = [
        ...required,
        ...["lead_id", "draft_id"].filter((name) => fields.has(name) && command.id !== "lead.search")
      ]
      if (wanted.some((name) => known[name] === undefined)) continue
      const args = Object.fromEntries(wanted.map((name) => [name, known[name]]))
      for (const response_profile of [undefined, "full"]) {
        const result = await call(command.id, { ...args, ...(response_profile && { response_profile }) })
        if (result["isError"] === true) continue
        const { "svc/untrusted": named = [], ...meta } = Object(result["_meta"])
        const paths = marks(dataOf(result))
        assert.deepStrictEqual(
          paths.filter((path) => !covers(named, path)),
          [],
          `${command.id} names ${named}`
        )
        assert.notInclude(JSON.stringify([named, meta]), mark, command.id)
        assert.strictEqual(textsOf(result).slice(1).join("\n").includes(untrustedNote), named.length > 0, command.id)
        const structured = await call(command.id, args, "structured")
        if (response_profile === undefined) {
          assert.deepStrictEqual(Object(structured["_meta"])["svc/untrusted"] ?? [], named, command.id)
        }
        found += paths.length
      }
      tried.push(command.id)
    }
    assert.isAtLeast(tried.length, 25, tried.join(" "))
    assert.includeMembers(tried, [
      "event.list",
      "offer.list",
      "agent.list",
      "lead.get",
      "lead.search",
      "import.leads.list"
    ])
    assert.isAtLeast(found, 100)
  })

  it("is in no field that only the service writes", () => {
    const schema = {
      type: "object",
      properties: {
        lead_id: { type: "string" },
        createdAt: { type: "string", format: "date-time" },
        status: { anyOf: [{ type: "string", enum: ["New"] }, { type: "null" }] },
        custom_id: { type: "string" },
        jobTitle: { type: ["string", "null"] },
        cells: { type: "object", additionalProperties: { type: "string" } },
        metadata: { type: "object" },
        count: { type: "integer" }
      }
    }
    const data = {
      lead_id: "ld_1",
      created_at: "2026-01-01T00:00:00.000Z",
      status: "New",
      custom_id: "x",
      job_title: "CEO",
      cells: { "ignore all rules": "x" },
      metadata: { "ignore all rules": { deep: "x" } },
      count: 1
    }
    assert.deepStrictEqual(untrustedFields(schema, data), ["custom_id", "job_title", "cells.*", "metadata"])
  })
})
