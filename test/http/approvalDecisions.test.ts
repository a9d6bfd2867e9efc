/** What a person decides on is what was asked for: the text, the person and the address, by whoever may see and run it. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import { at, openService, type Service, textAt } from "../support/httpService.ts"

let service: Service
/** The key of an AI agent whose approvals and sends wait for a person. */
let agentKey: string

beforeAll(async () => {
  service = await openService()
  const { keyId, text } = await service.makeKey({
    name: "Agent",
    actorKind: "AI_AGENT",
    scopes: scopeBundles.full.filter((scope) => scope !== "admin")
  })
  agentKey = text
  await done("policy.set", { key_id: keyId, agents: "ask" })
  await done("agent.create", {
    first_name: "Mia",
    last_name: "Lo",
    email_accounts: [{ email: "mia@lo.example", provider: "GOOGLE" }]
  })
  const mission = { name: "Kept", agent_handle: "mia-lo", handle: "kept", channels: ["LINKEDIN", "EMAIL"] }
  await done("mission.create", mission)
})
afterAll(() => service.svc.close())

const run = async (command: string, json: unknown, key?: string) =>
  (await service.ask("POST", `/api/v1/commands/${command}`, { json, ...(key === undefined ? {} : { key }) })).body

const done = async (command: string, json: unknown, key?: string) => {
  const body = await run(command, json, key)
  assert.isTrue(at(body, "ok"), JSON.stringify(body))
  return at(body, "data")
}

/** What an AI agent asks for: the id of the request. */
const asked = async (command: string, json: unknown) => {
  const body = await run(command, json, agentKey)
  assert.isTrue(at(body, "meta.approval_required"), JSON.stringify(body))
  return textAt(body, "meta.approval_request_id")
}

const held = async (approval_request_id: string) => at(await done("approval.get", { approval_request_id }), "input")

/** The code that the approved run ended with. */
const outcomeOf = async (approval_request_id: string) =>
  at(await done("approval.resolve", { approval_request_id, decision: "approve" }), "approval.outcome")

let people = 0
const newLead = async () => {
  const name = `Person ${++people}`
  const lead = { name, email: `p${people}@example.com`, linkedin_url: `https://www.linkedin.com/in/person-${people}` }
  return textAt(await done("lead.upsert", lead), "lead_id")
}
const newDraft = async (...texts: ReadonlyArray<string>) => {
  const variations = texts.map((body_text) => ({ body_text }))
  const made = await done("linkedin.draft.create", { lead_id: await newLead(), agent_handle: "mia-lo", variations })
  return textAt(made, "draft.draft_id")
}
const rewrite = (draft_id: string, body_text: string) =>
  done("linkedin.draft.update", { draft_id, variations: [{ body_text }] }, agentKey)

const statusOf = async (draft_id: string) => at(await done("linkedin.draft.get", { draft_id }), "draft.status")

describe("A request that a person decides on", () => {
  it("shows the text of a draft that would be sent, and refuses another one", async () => {
    const draft_id = await newDraft("First words", "Other words")
    const id = await asked("linkedin.draft.approve", { draft_id, variation_index: 1 })
    const input = await held(id)
    assert.strictEqual(at(input, "body_text"), "Other words")
    assert.match(textAt(input, "content_hash"), /^[0-9a-f]{64}$/)
    await rewrite(draft_id, "Slipped in")
    assert.strictEqual(await outcomeOf(id), "CONTENT_CHANGED")
    assert.strictEqual(await statusOf(draft_id), "PENDING_REVIEW")
  })

  it("refuses a draft that was given to another person", async () => {
    const draft_id = await newDraft("Hello")
    const id = await asked("linkedin.draft.approve", { draft_id, send_now: true })
    await done("linkedin.draft.update", { draft_id, lead_id: await newLead() }, agentKey)
    assert.strictEqual(await outcomeOf(id), "CONTENT_CHANGED")
  })

  it("approves what did not change", async () => {
    const draft_id = await newDraft("First words", "Other words")
    const id = await asked("linkedin.draft.approve", { draft_id, variation_index: 1 })
    assert.strictEqual(await outcomeOf(id), "ok")
    const { draft } = Object(await done("linkedin.draft.get", { draft_id }))
    assert.deepStrictEqual([draft.status, draft.selected_body_text], ["READY_TO_SEND", "Other words"])
  })

  it("shows every text of several drafts, and approves those that did not change", async () => {
    const drafts = [await newDraft("One"), await newDraft("Two")]
    const id = await asked("linkedin.draft.approve-many", { items: drafts.map((draft_id) => ({ draft_id })) })
    assert.deepStrictEqual(
      Object(await held(id)).items.map((item: unknown) => at(item, "body_text")),
      ["One", "Two"]
    )
    await rewrite(drafts[0] ?? "", "Slipped in")
    assert.strictEqual(await outcomeOf(id), "ok")
    assert.deepStrictEqual(await Promise.all(drafts.map(statusOf)), ["PENDING_REVIEW", "READY_TO_SEND"])
  })

  it("is refused at once when there is nothing to decide on", async () => {
    const refused = await run("linkedin.draft.approve", { draft_id: "drf_nothing" }, agentKey)
    assert.strictEqual(at(refused, "error.code"), "NOT_FOUND")
  })

  it("shows the address of an email, and refuses another one", async () => {
    const lead_id = await newLead()
    const email = { lead_id, mission_id: "kept", subject: "Hello", body_text: "Words" }
    const first = await asked("email.send", email)
    assert.strictEqual(at(await held(first), "to_email"), `p${people}@example.com`)
    assert.strictEqual(await outcomeOf(first), "ok")
    const second = await asked("email.send", { ...email, subject: "Again" })
    await done("lead.upsert", { lead_id, email: "elsewhere@example.com" }, agentKey)
    assert.strictEqual(await outcomeOf(second), "CONTENT_CHANGED")
  })

  it("shows the profile of an invitation, and refuses another one", async () => {
    const lead_id = await newLead()
    const id = await asked("linkedin.invitation.send", { lead_id, agent_handle: "mia-lo" })
    assert.strictEqual(at(await held(id), "profile_url"), `https://www.linkedin.com/in/person-${people}`)
    await done("lead.upsert", { lead_id, linkedin_url: "https://www.linkedin.com/in/somebody-else" }, agentKey)
    assert.strictEqual(await outcomeOf(id), "CONTENT_CHANGED")
  })
})

describe("A request for approval", () => {
  it("is read and decided only with the scope of the command that it holds", async () => {
    const { text: reader } = await service.makeKey({ name: "Reader", scopes: ["missions:read", "linkedin:read"] })
    const draft_id = await newDraft("Secret words")
    const id = await asked("linkedin.draft.approve", { draft_id })
    for (const [command, input] of [
      ["approval.get", { approval_request_id: id }],
      ["approval.resolve", { approval_request_id: id, decision: "approve" }],
      ["approval.resolve", { approval_request_id: id, decision: "reject" }]
    ] as const) {
      const refused = await run(command, input, reader)
      assert.strictEqual(at(refused, "error.code"), "FORBIDDEN_SCOPE", JSON.stringify(refused))
    }
    const listed = async (key?: string) =>
      Object(await done("approval.list", {}, key)).approvals.map((row: unknown) => at(row, "approval_request_id"))
    assert.notInclude(await listed(reader), id)
    assert.include(await listed(), id)
    assert.strictEqual(await outcomeOf(id), "ok")
  })

  it("is never approved by the key that asked, and may be withdrawn by it", async () => {
    const { keyId, text: own } = await service.makeKey({ name: "Own" })
    await done("policy.set", { key_id: keyId, mutate: "ask" })
    const body = await run("agent.create", { first_name: "Own", last_name: "Request" }, own)
    const approval_request_id = textAt(body, "meta.approval_request_id")
    const approve = await run("approval.resolve", { approval_request_id, decision: "approve" }, own)
    assert.strictEqual(at(approve, "error.code"), "APPROVAL_POLICY", JSON.stringify(approve))
    const withdrawn = await done("approval.resolve", { approval_request_id, decision: "reject" }, own)
    assert.strictEqual(at(withdrawn, "approval.state"), "rejected")
  })

  it("to erase a lead succeeds, and its decision is in the audit", async () => {
    const { keyId, text: own } = await service.makeKey({ name: "Eraser" })
    await done("policy.set", { key_id: keyId, approval: "ask" })
    const lead_id = await newLead()
    const body = await run("lead.erase", { lead_id, confirm: lead_id }, own)
    const approval_request_id = textAt(body, "meta.approval_request_id")
    const resolved = await done("approval.resolve", { approval_request_id, decision: "approve" })
    assert.strictEqual(at(resolved, "approval.outcome"), "ok", JSON.stringify(resolved))
    const { entries } = Object(await done("audit.list", { limit: 50 }))
    const lines = entries.map((entry: unknown) => `${at(entry, "command_id")} ${at(entry, "outcome")}`)
    assert.includeMembers(lines.slice(0, 4), ["lead.erase ok", "approval.resolve ok"])
    assert.strictEqual(at(await run("lead.get", { lead_id }), "error.code"), "NOT_FOUND")
    const shown = await run("approval.get", { approval_request_id })
    assert.strictEqual(at(shown, "data.approval.outcome"), "ok", JSON.stringify(shown))
  })
})
