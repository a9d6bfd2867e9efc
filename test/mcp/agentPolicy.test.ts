/**
 * Programs can be kept from approving and sending, for a whole organization or one key, whatever they are allowed otherwise;
 * and what is approved is the text that was read.
 */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { approvesOrSends, readsOrDrafts } from "#core/kernel/command/Effects.ts"
import type { ActorIdentity } from "#core/kernel/command/Execution.ts"
import { type CommandPolicy, noPolicies } from "#core/kernel/command/Permission.ts"
import { at, readReply } from "../support/httpService.ts"
import { callTool, dataOf, textsOf } from "../support/mcpHttp.ts"
import { type MemoryService, memoryService, ownerOf } from "../support/memoryService.ts"

const lettingOut = commands.filter(({ effects }) => approvesOrSends(effects))

describe("a policy for agents", () => {
  let service: MemoryService
  beforeAll(async () => {
    service = await memoryService()
  })
  afterAll(() => service.close())

  const outcome = async (
    kind: ActorIdentity["kind"],
    organization: CommandPolicy,
    key: CommandPolicy,
    { examples, id }: (typeof commands)[number]
  ): Promise<string> => {
    const actor = { ...ownerOf(service.svc.organization.id), kind, policies: { ...noPolicies, key, organization } }
    const options = { responseProfile: "full", dryRun: false, idempotencyKey: undefined } as const
    const [{ input: example }] = examples
    const input = "draft_id" in example ? { ...example, draft_id: "drf_nothing" } : example
    const { envelope } = await service.run({ command: id, input, actor, options })
    if (envelope.ok) return envelope.meta.approval_required ? "asked" : "ran"
    return envelope.error.code === "APPROVAL_POLICY" ? "refused" : "let through"
  }

  it("covers every command that lets a message out", () => {
    assert.includeMembers(
      lettingOut.map(({ id }) => id),
      ["linkedin.draft.approve", "linkedin.draft.approve-many", "email.send", "email.review.decide"]
    )
  })

  it.for(lettingOut)("stops $id by a program, and by nobody else", async (command) => {
    assert.strictEqual(await outcome("AI_AGENT", { agents: "deny" }, {}, command), "refused")
    assert.strictEqual(await outcome("AI_AGENT", {}, { agents: "deny" }, command), "refused")
    assert.strictEqual(
      await outcome("AI_AGENT", { agents: "deny" }, { mutate: "allow", approval: "allow" }, command),
      "refused"
    )
    assert.strictEqual(
      await outcome("AI_AGENT", { agents: "allow", mutate: "deny", approval: "deny" }, {}, command),
      "refused"
    )
    assert.notStrictEqual(await outcome("AI_AGENT", { agents: "deny" }, { agents: "allow" }, command), "refused")
    for (const policy of [{ agents: "deny" }, { agents: "ask" }] as const) {
      assert.include(["ran", "let through"], await outcome("USER", policy, policy, command))
    }
  })

  it.for(lettingOut)("asks a person about $id, where it says so", async (command) => {
    const policies = { ...noPolicies, organization: { agents: "ask" } } as const
    const actor = { ...ownerOf(service.svc.organization.id), kind: "AI_AGENT", policies } as const
    const { envelope } = await service.run({ command: command.id, input: command.examples[0].input, actor })
    assert.isTrue(envelope.meta.approval_required, JSON.stringify(envelope))
  })

  it("lets programs read and draft", async () => {
    const policies = { ...noPolicies, organization: { agents: "deny" } } as const
    const actor = { ...ownerOf(service.svc.organization.id), kind: "AI_AGENT", policies } as const
    for (const { effects, examples, id } of commands) {
      if (!readsOrDrafts(effects)) continue
      const { envelope } = await service.run({ command: id, input: examples[0].input, actor })
      assert.notStrictEqual(envelope.ok ? "" : envelope.error.code, "APPROVAL_POLICY", id)
    }
  })

  it("is set by a person, over every surface, and holds for agents' keys", async () => {
    const { svc } = service
    const owner = (await svc.createOrganization("Careful")).apiKey
    const run = (command_id: string, input: unknown, key: string) =>
      callTool(svc.fetch, "command_run", { command_id, input }, { key })
    /** As a person does: over HTTP, with a key of the kind USER. */
    const runByPerson = async (command: string, input: unknown): Promise<unknown> => {
      const request = new Request(`http://127.0.0.1/api/v1/commands/${command}`, {
        method: "POST",
        headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
        body: JSON.stringify(input)
      })
      return at((await readReply(await svc.fetch(request))).body, "data")
    }
    // What holds for a key is remembered for a second, so the keys that are asked with are used for the first time.
    const person = await runByPerson("key.create", { name: "Person", actor_kind: "USER", scopes: ["admin"] })
    const set = await runByPerson("policy.set", { agents: "deny" })
    assert.strictEqual(at(set, "organization.agents"), "deny")
    const scopes = ["linkedin:approve", "linkedin:send", "linkedin:read"]
    const made = await run("key.create", { name: "Agent", actor_kind: "AI_AGENT", scopes }, owner)
    const agent = String(at(dataOf(made), "api_key"))
    // Over MCP everybody is an AI agent, with a person's key too; and none of them can take the policy back.
    for (const key of [agent, String(at(person, "api_key"))]) {
      const approve = { draft_id: "x", send_now: true }
      const refused = await callTool(svc.fetch, "linkedin_draft_approve", approve, { key })
      assert.match(textsOf(refused)[0] ?? "", /^APPROVAL_POLICY: .*linkedin\.draft\.approve/)
      const undone = await run("policy.set", { agents: null }, key)
      assert.match(textsOf(undone)[0] ?? "", /^(FORBIDDEN_SCOPE|APPROVAL_POLICY): /)
    }
    assert.isNull(at(await runByPerson("policy.set", { agents: null }), "organization.agents"))
  })
})

describe("an approval", () => {
  it("is of the text that was read, and of no other", async () => {
    const { close, svc } = await memoryService()
    const key = (await svc.createOrganization("Texts")).apiKey
    const call = async (name: string, args: unknown) => callTool(svc.fetch, name, args, { key, toolset: "all" })
    await call("agent_create", { first_name: "An", last_name: "Agent", handle: "agent" })
    const to = { linkedin_url: "https://www.linkedin.com/in/somebody-new", name: "Somebody" }
    const lead = await call("lead_upsert", to)
    const lead_id = at(dataOf(lead), "lead_id")
    const made = await call("linkedin_draft_create", { lead_id, variations: [{ body_text: "What was read" }] })
    const draft_id = String(at(dataOf(made), "draft.draft_id"))
    const hashOf = async () => {
      const read = await call("resource_read", { uri: `svc://linkedin/drafts/${draft_id}` })
      return (
        at(dataOf(read), "resource.payload.content_hash") ?? at(dataOf(read), "resource.payload.draft.content_hash")
      )
    }
    const content_hash = await hashOf()
    assert.match(String(content_hash), /^[0-9a-f]{64}$/)
    await call("linkedin_draft_update", { draft_id, variations: [{ body_text: "What was slipped in" }] })
    const stale = await call("linkedin_draft_approve", { draft_id, content_hash })
    assert.match(textsOf(stale)[0] ?? "", /^CONTENT_CHANGED: /)
    const approved = await call("linkedin_draft_approve", { draft_id, content_hash: await hashOf() })
    assert.strictEqual(at(dataOf(approved), "draft.selected_body_text"), "What was slipped in")
    // Changed after its approval, it is approved no more.
    const changed = await call("linkedin_draft_update", { draft_id, variations: [{ body_text: "Changed once more" }] })
    assert.strictEqual(at(dataOf(changed), "draft.status"), "PENDING_REVIEW")
    assert.isUndefined(at(dataOf(changed), "draft.approved_at"))
    await close()
  })
})
