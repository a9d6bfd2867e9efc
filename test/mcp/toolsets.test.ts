/** Every toolset names only tools that it has, wherever it speaks to a model. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { at } from "../support/httpService.ts"
import { callTool, dataOf, post, resultOf, rpc, textsOf } from "../support/mcpHttp.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"

const families = ["offers", "leads", "linkedin", "email", "missions", "imports", "agents", "workspace", "custom"]
const toolsets = ["default", "all", ...families, "leads,linkedin", "missions,imports,offers"]
const ids = commands.map(({ id }) => id)
const generic = ["commands_search", "command_run", "resource_read"]
const escaped = (text: string) => text.replaceAll(/[.-]/g, (mark) => `\\${mark}`)

/** The commands and tools that a text names. */
const namedIn = (text: string): ReadonlyArray<string> =>
  [...ids.flatMap((id) => [id, id.replaceAll(".", "_")]), ...generic].filter((name) =>
    new RegExp(`(?<![\\w./-])${escaped(name)}(?![\\w-]|\\.[a-z])`).test(text)
  )

describe("toolsets", () => {
  let service: MemoryService
  let key: string
  beforeAll(async () => {
    service = await memoryService({ sample: true })
    key = (await service.svc.createOrganization("Toolsets")).apiKey
  })
  afterAll(() => service.close())

  const ask = async (toolset: string, method: string, params: Readonly<Record<string, unknown>> = {}) =>
    resultOf(await post(service.svc.fetch, rpc(method, params), { key, toolset }))

  it.for(toolsets)("%s names no tool that it does not have", async (toolset) => {
    const { tools } = await ask(toolset, "tools/list")
    assert.isArray(tools)
    const own = new Set<string>((Array.isArray(tools) ? tools : []).map(({ name }) => String(name)))
    const hasAll = own.has("command_run")
    const { instructions } = await ask(toolset, "initialize", { protocolVersion: "2025-11-25" })
    const { prompts } = await ask(toolset, "prompts/list")
    const offered = Array.isArray(prompts) ? prompts : []
    const texts = await Promise.all(
      offered.map(async ({ name }) =>
        JSON.stringify(
          await ask(toolset, "prompts/get", { name, arguments: { lead: "x", url: "https://x.example", mission: "m" } })
        )
      )
    )
    const unknown = await post(service.svc.fetch, rpc("tools/call", { name: "xyzzy", arguments: {} }), { key, toolset })
    const { resources } = await ask(toolset, "resources/list")
    const skills = (Array.isArray(resources) ? resources : []).filter(({ uri }) => String(uri).startsWith("skill://"))
    const files = await Promise.all(
      skills.map(async ({ uri }) => JSON.stringify(await ask(toolset, "resources/read", { uri })))
    )
    const told = [String(instructions), ...texts, ...files, String(at(unknown.body, "error.message"))]
    for (const tool of Array.isArray(tools) ? tools : []) told.push(JSON.stringify(tool))
    // What command_run reaches may be named by its dotted id.
    const missing = told.flatMap((text) =>
      namedIn(text).filter((name) => !own.has(name.replaceAll(".", "_")) && !(hasAll && ids.some((id) => id === name)))
    )
    assert.deepStrictEqual([...new Set(missing)], [])
    if (hasAll) assert.deepStrictEqual([offered.length, skills.length], [4, 3])
    // What the answer to a call names that a person decides on.
    else assert.isTrue(own.has("approval_get"))
    assert.isNotEmpty(namedIn(String(instructions)))
  })

  it("do not offer a skill whose tools they lack", async () => {
    const offered = async (toolset: string) => {
      const { skills } = await ask(toolset, "skills/list")
      return (Array.isArray(skills) ? skills : []).map(({ frontmatter }) => Object(frontmatter).name)
    }
    assert.deepStrictEqual(await offered("linkedin"), ["review-drafts"])
    assert.deepStrictEqual(await offered("leads,linkedin"), ["draft-messages", "review-drafts"])
    const uri = "skill://svc/import-leads/SKILL.md"
    const refused = await post(service.svc.fetch, rpc("skills/get", { uri }), { key, toolset: "linkedin" })
    assert.match(String(at(refused.body, "error.message")), /^Unknown skill\. Read skills\/list\.$/)
    const unread = await post(service.svc.fetch, rpc("resources/read", { uri }), { key, toolset: "linkedin" })
    assert.isDefined(at(unread.body, "error.code"))
  })

  it("do not offer a prompt whose tools they lack", async () => {
    const { prompts } = await ask("linkedin", "prompts/list")
    assert.deepStrictEqual(
      (Array.isArray(prompts) ? prompts : []).map(({ name }) => name),
      ["review-drafts"]
    )
    const refused = await post(service.svc.fetch, rpc("prompts/get", { name: "weekly-report" }), {
      key,
      toolset: "linkedin"
    })
    assert.match(
      String(at(refused.body, "error.message")),
      /^Unknown prompt: weekly-report\. Available prompts: review-drafts\.$/
    )
  })
})

describe("inputs of models", () => {
  let service: MemoryService
  let key: string
  beforeAll(async () => {
    service = await memoryService()
    key = (await service.svc.createOrganization("Inputs")).apiKey
    for (let index = 0; index < 12; index++) {
      await call("lead_upsert", { email: `lead${index}@example.com`, name: `Lead ${index}`, skills: "Accounting" })
    }
  })
  afterAll(() => service.close())
  const call = (name: string, args: unknown) => callTool(service.svc.fetch, name, args, { key })

  it("may be a text where a command takes only a list", async () => {
    const lead = dataOf(await call("lead_get", { email: "lead1@example.com" }))
    assert.deepStrictEqual(at(lead, "lead.skills"), ["Accounting"])
    assert.strictEqual(at(dataOf(await call("lead_search", { status: "New" })), "count"), 12)
    // A number is no text, and a wrong text is refused as an item.
    assert.match(textsOf(await call("lead_search", { status: 7 }))[0] ?? "", /^INVALID_INPUT: status must be/)
    assert.match(textsOf(await call("lead_search", { status: "New,Waiting" }))[0] ?? "", /^INVALID_INPUT: status\[0\]/)
  })

  it("get ten items a page, in a view without null, second spellings and ids that no tool takes", async () => {
    const page = dataOf(await call("lead_search", {}))
    assert.lengthOf(Object(at(page, "leads")), 10)
    const next = dataOf(await call("lead_search", { cursor: at(page, "next_cursor") }))
    assert.lengthOf(Object(at(next, "leads")), 2)
    assert.notProperty(next, "next_cursor")
    const full = dataOf(await call("lead_search", { response_profile: "full" }))
    assert.lengthOf(Object(at(full, "leads")), 12)
    const view = JSON.stringify(dataOf(await call("lead_get", { email: "lead1@example.com" })))
    assert.notMatch(view, /null|linkedinUrl|avatarUrl|organization_?id/i)
    const exact = dataOf(await call("lead_get", { email: "lead1@example.com", response_profile: "full" }))
    assert.hasAllKeys(exact, ["lead_id", "lead", "prospect_context", "basis", "fields", "tags"])
    assert.property(at(exact, "lead"), "linkedinUrl")
  })

  it("get the hash and the findings of a draft with the draft", async () => {
    await call("command_run", {
      command_id: "agent.create",
      input: { first_name: "Ada", last_name: "Martin", handle: "ada" }
    })
    const lead_id = at(dataOf(await call("lead_get", { email: "lead2@example.com" })), "lead_id")
    const made = dataOf(await call("linkedin_draft_create", { lead_id, variations: "Hello [Name], one question?" }))
    assert.strictEqual(at(made, "findings.0.code"), "placeholder")
    const draft_id = at(made, "draft.draft_id")
    const { content_hash } = Object(
      at(dataOf(await call("resource_read", { uri: `svc://linkedin/drafts/${draft_id}` })), "resource.payload")
    )
    assert.strictEqual(at(made, "draft.content_hash"), content_hash)
    assert.strictEqual(at(dataOf(await call("linkedin_draft_get", { draft_id })), "draft.content_hash"), content_hash)
    const dry = await call("linkedin_draft_create", { lead_id, variations: "Again", replace_open: true, dry_run: true })
    assert.notProperty(dataOf(dry), "findings")
  })
})
