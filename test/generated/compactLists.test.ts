/**
 * The compact profile of lists of people, offers, missions and the rest with every text at its longest: each answer stays
 * under 400 tokens an item and is a value of its schema.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import { fitList, maxItemLength } from "#core/kernel/command/dispatch/present.ts"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { defaultLimit } from "#core/kernel/schema/Page.ts"
import { effort } from "../support/effort.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"
import { restShapes } from "../support/rest.ts"
import { schemaErrors } from "../support/schemaValidator.ts"

/** Of an item, and of what a list has beside its items. */
const mostTokens = 400

const long = (length: number, start = ""): string =>
  `${start} ${'long "text" with quotes, '.repeat(length)}`.trim().slice(0, length - 1)
const address = (name: string): string => `https://example.com/${name}/`.padEnd(2_000, "a")

const leadOf = (index: number) => ({
  email: `${"e".repeat(50)}${index}@${"sub.".repeat(40)}example.com`,
  linkedin_url: `https://www.linkedin.com/in/${"s".repeat(150)}-${index}`,
  name: long(200, `Name ${index}`),
  headline: long(500),
  job_title: long(200),
  company: long(200),
  location: long(200),
  avatar_url: address("avatar"),
  company_website: address("company"),
  company_linkedin_url: address("page"),
  company_logo_url: address("logo"),
  company_headline: long(500),
  company_industry: long(200),
  company_size: long(100),
  personal_website: address("own"),
  description: long(10_000),
  experience: Array.from({ length: 20 }, () => ({ role: long(200), company: long(200), description: long(5_000) })),
  skills: Array.from({ length: 100 }, () => long(100)),
  recent_posts: [{ content: long(10_000), date: "2026-11-01" }],
  source: long(200)
})

const texts = ["description", "target_audience", "desired_action", "tone_instructions"] as const

let service: MemoryService
let ids: Readonly<Record<string, string>> = {}

const done = async (command: string, input: object): Promise<Readonly<Record<string, unknown>>> => {
  const { envelope } = await service.run({ command, input, options: defaultOptions, requestId: "req_rich" })
  if (!envelope.ok) throw new Error(`${command}: ${JSON.stringify(envelope.error)}`)
  return Object(envelope.data)
}

/** More than a page of everything that is listed. */
const fill = async (): Promise<void> => {
  const textual = Object.fromEntries(texts.map((name) => [name, long(10_000)]))
  let last: Readonly<Record<string, unknown>> = {}
  let webhook: Readonly<Record<string, unknown>> = {}
  for (let index = 0; index < defaultLimit + 2; index++) {
    await done("offer.create", {
      name: long(200, `Offer ${index}`),
      one_liner: long(300),
      value_proposition: long(2_000),
      description: long(10_000),
      differentiators: Array.from({ length: 10 }, () => ({ title: long(200), description: long(10_000) }))
    })
    await done("agent.create", {
      first_name: long(200, `Agent ${index}`),
      last_name: long(200),
      job_title: long(200),
      company: long(200),
      personality: long(5_000),
      email_signature: long(20_000)
    })
    await done("mission.create", { name: long(200, `Mission ${index}`), ...textual, agent_handle: "writer-one" })
    last = await done("lead.upsert", { ...leadOf(index), mission_id: "main" })
    await done("linkedin.draft.create", {
      lead_id: last["lead_id"],
      agent_handle: "writer-one",
      variations: [long(7_900, "a"), long(7_900, "b"), long(7_900, "c")]
    })
    webhook = await done("webhook.create", { url: address(`hook${index}`), description: long(200) })
    await done("key.create", { name: long(200, `Key ${index}`), scopes: ["leads:read"] })
    await done("import.csv", {
      mission_id: "main",
      name: long(200, `Import ${index}`),
      context: long(1_000),
      content: `email,Notes\n${Array.from({ length: 40 }, (_, row) => `no mail ${row},"${"long text ".repeat(200)}"\n`).join("")}ok${index}@example.com,\n`
    })
  }
  const leadId = String(last["lead_id"])
  for (let index = 0; index < defaultLimit + 2; index++) {
    await done("lead.note.add", { lead_id: leadId, text: long(4_000, `Note ${index}`) })
    await done("lead.message.record", {
      lead_id: leadId,
      direction: "inbound",
      channel: "EMAIL",
      content: long(20_000, `Message ${index}`),
      date: "2026-11-01T00:00:00.000Z"
    })
  }
  const imports = await done("import.list", {})
  const first = Object(Array.isArray(imports["imports"]) ? imports["imports"][0] : undefined)
  const webhook_id = String(Reflect.get(Object(webhook["webhook"] ?? webhook), "webhook_id"))
  ids = {
    lead_id: leadId,
    import_id: String(first.import_id),
    mission_id: "main",
    missionHandle: "main",
    webhook_id,
    webhookId: webhook_id
  }
}

beforeAll(async () => {
  service = await memoryService({ sample: false })
  await done("agent.create", { first_name: "Writer", last_name: "One" })
  await done("mission.create", { name: "Main" })
  await fill()
})
afterAll(() => service?.close())

const lists = [...commands, ...restShapes].filter((command) => {
  const { input_schema } = describeWithSchemas(command)
  return command.risk === "read" && Object.hasOwn(Object(Reflect.get(input_schema, "properties")), "limit")
})

describe("a compact list", () => {
  it("is what these are", () => {
    assert.isAbove(lists.length, 15)
    assert.includeMembers(
      lists.map(({ id }) => id),
      ["lead.search", "offer.list", "mission.list", "linkedin.draft.list", "lead.timeline", "import.leads.list"]
    )
  })

  it.each(lists.map((command) => [command.id, command] as const))(
    "%s is short and of its schema",
    async (_, command) => {
      const { input_schema, output_schema } = describeWithSchemas(command)
      const known = Object(Reflect.get(input_schema, "properties"))
      const input = Object.fromEntries(Object.entries(ids).filter(([name]) => Object.hasOwn(known, name)))
      const { envelope } = await service.run({
        command: command.id,
        input,
        options: { ...defaultOptions, responseProfile: "compact" },
        requestId: "req_compact"
      })
      assert.isTrue(envelope.ok, JSON.stringify(envelope).slice(0, 300))
      if (!envelope.ok) return
      const items = Math.max(
        0,
        ...Object.values(Object(envelope.data)).map((value) => (Array.isArray(value) ? value.length : 0))
      )
      assert.isAtMost(JSON.stringify(envelope.data).length / 4, (items + 1) * mostTokens)
      assert.strictEqual(schemaErrors(output_schema)(envelope.data), undefined)
    }
  )

  it("keeps every item, every id and every cursor, whatever is in it", () => {
    const text = fc.string({ maxLength: 3_000, unit: "grapheme" })
    const item = fc.record({
      lead_id: fc.uuid(),
      name: text,
      texts: fc.array(text, { maxLength: 30 }),
      url: fc.webUrl()
    })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 25 }), fc.uuid(), (leads, next_cursor) => {
        const { output, warnings } = fitList({ leads, next_cursor })
        const fitted: typeof leads = Object(output).leads
        assert.isAtMost(JSON.stringify(output).length, (leads.length + 1) * maxItemLength)
        assert.deepStrictEqual(
          fitted.map(({ lead_id }) => lead_id),
          leads.map(({ lead_id }) => lead_id)
        )
        assert.strictEqual(Object(output).next_cursor, next_cursor)
        if (warnings.length === 0) assert.deepStrictEqual(output, { leads, next_cursor })
      }),
      { numRuns: effort(50) }
    )
  })
})
