/**
 * The official clients do the whole main job, over HTTP and over standard input and output, in both kinds of revisions.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { exampleSearch } from "#core/imports/importSearch.ts"
import { at } from "../support/httpService.ts"
import { type ClientKind, clientKinds, connect, type McpClient, type Reach } from "../support/mcpClients.ts"
import { type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

const revisionOf: Readonly<Record<ClientKind, string | undefined>> = {
  "sdk 1.32": undefined,
  "client 2.4": "2026-07-28"
}

/** From nothing to a sent message, as an agent with a person beside it does. */
const mainJob = async (client: McpClient, mark: string): Promise<void> => {
  const done = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
    const answer = await client.call(name, args)
    assert.isFalse(answer.isError, `${name}: ${answer.texts.join(" ")}`)
    assert.isUndefined(answer.structured, `${name}: the data came twice`)
    return answer.data
  }
  const handle = `job-${mark}`
  const slug = `https://www.linkedin.com/in/job-${mark}`

  const tools = (await client.tools()).map(({ name }) => name)
  assert.includeMembers(tools, ["offer_create", "import_sales-nav_search", "commands_search"])
  assert.include(client.instructions ?? "", "commands_search")
  assert.isString(at(await done("workspace_status"), "organization.id"))

  const offer = await done("offer_create", {
    name: `Audit ${mark}`,
    one_liner: "A day with your books",
    value_proposition: "Find what leaks."
  })
  const mission = await done("mission_create", {
    name: handle,
    handle,
    agent_handle: "ada-martin",
    offer_id: at(offer, "offer.id"),
    target_audience: "Finance leads"
  })
  await done("mission_update", { mission_id: handle, desired_action: "Book a call" })

  const imported = await done("import_sales-nav_search", { url: exampleSearch, mission_id: handle, limit: 3 })
  const counted = ["created_count", "updated_count", "skipped_count"].map((name) => Number(at(imported, name)))
  assert.strictEqual(
    counted.reduce((sum, count) => sum + count),
    3
  )
  const found = await done("lead_search", { mission_id: handle, limit: 5 })
  assert.isNotEmpty(at(found, "leads"))

  const lead = await done("lead_upsert", { linkedin_url: slug, name: "Job Person", mission_id: handle })
  const lead_id = String(at(lead, "lead_id"))
  const whole = await client.call("lead_get", { lead_id })
  assert.strictEqual(at(whole.data, "lead.name"), "Job Person")
  assert.match(whole.texts.at(-1) ?? "", /Untrusted content/)

  const created = await done("linkedin_draft_create", {
    lead_id,
    mission_id: handle,
    variations: [{ body_text: "Hello, one question about closing a month?" }, { body_text: "May I ask one question?" }]
  })
  const draft_id = String(at(created, "draft.draft_id"))
  await done("linkedin_draft_check", { draft_id })
  await done("linkedin_draft_update", { draft_id, variations: [{ body_text: "How long does your close take?" }] })

  const shown = await client.read(`svc://linkedin/drafts/${draft_id}`)
  const content_hash = at(shown, "content_hash") ?? at(shown, "draft.content_hash")
  assert.match(String(content_hash), /^[0-9a-f]{64}$/)
  const stale = await client.call("linkedin_draft_approve", { draft_id, content_hash: "0".repeat(64) })
  assert.isTrue(stale.isError)
  assert.isUndefined(stale.data)
  assert.match(stale.texts[0] ?? "", /^CONTENT_CHANGED: .+\.$/)
  const rehearsed = await done("linkedin_draft_approve", { draft_id, content_hash, dry_run: true })
  assert.strictEqual(at(rehearsed, "draft.status"), "READY_TO_SEND")
  const sent = await done("linkedin_draft_approve", { draft_id, content_hash, send_now: true })
  assert.strictEqual(at(sent, "mode"), "sent")
  assert.strictEqual(at(sent, "dispatch_result.status"), "sent")
  const waiting = await done("linkedin_draft_list", { mission_id: handle, status: ["DISPATCHED"] })
  assert.include(JSON.stringify(waiting), draft_id)

  // What is not among the tools is found and run.
  const search = await done("commands_search", { query: "who changed what, audit" })
  assert.strictEqual(at(search, "commands.0.command_id"), "audit.list")
  const audit = await done("command_run", { command_id: "audit.list", input: { limit: 3 } })
  assert.isNotEmpty(Object.values(Object(audit))[0])
  const dotted = await client.call("lead.search", { limit: 1 })
  assert.isFalse(dotted.isError, "the dotted id is taken too")

  const { prompts, resources, templates } = await client.listed()
  assert.deepStrictEqual(prompts, ["write-draft", "review-drafts", "weekly-report", "import-and-qualify"])
  assert.includeMembers([...resources], ["svc://guide", "svc://linkedin/drafts/pending"])
  assert.includeMembers([...templates], ["svc://prospects/{id}"])
  assert.include(await client.prompt("write-draft", { lead: slug }), slug)
  assert.deepStrictEqual(await client.complete("review-drafts", "mission", handle), [String(at(mission, "mission.id"))])
  assert.isObject(await client.read("svc://guide"))
}

describe("the main job by the official clients", () => {
  let server: RunningSvc
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const env = { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_LINKEDIN_PACING: "off" }
    server = await startSvc(["dev", "--sample"], { cwd: folder.path, env })
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  describe.for(clientKinds)("%s", (kind) => {
    const mark = kind.replaceAll(/\W/g, "")

    it("over HTTP", async () => {
      const client = await connect(kind, { url: server.url, key: String(server.ready["api_key"]) })
      if (revisionOf[kind] !== undefined) assert.strictEqual(client.revision, revisionOf[kind])
      await mainJob(client, `${mark}h`)
      await client.close()
    })

    it("over standard input and output, as a client of a server", async () => {
      const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
      const reach: Reach = { env, cwd: folder.path }
      const client = await connect(kind, reach)
      if (revisionOf[kind] !== undefined) assert.strictEqual(client.revision, revisionOf[kind])
      await mainJob(client, `${mark}s`)
      await client.close()
    })
  })
})
