/**
 * A draft-only key can read and draft, and do nothing else, over the whole catalogue; an agent's key is a drafter's unless
 * somebody decided otherwise.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { isForModels, readsOrDrafts } from "#core/kernel/command/Effects.ts"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import { createKey } from "#core/workspace/organizations/Provisioning.ts"
import { callTool, dataOf, textsOf } from "../support/mcpHttp.ts"
import { changedTables, type MemoryService, memoryService } from "../support/memoryService.ts"

/** What a refused run may leave: a note of the refusal, and when the key was last used. */
const traces = new Set(["review_viewers", "audit", "audit_heads", "keys"])

describe.for(["through its tool", "through command_run"] as const)("a draft-only key, %s", (way) => {
  let service: MemoryService
  let key: string

  beforeAll(async () => {
    service = await memoryService()
    const request = { scopes: ["admin"], mode: "draft_only", actorKind: "AI_AGENT" } as const
    key = (await service.svc.effect.runtime.runPromise(createKey(service.svc.organization.id, request))).text
  })
  afterAll(() => service.close())

  const toolsetOf = (id: string) => commands.find((command) => command.id === id)?.category ?? "all"
  const run = (id: string, input: unknown, more = {}) =>
    way === "through its tool"
      ? callTool(
          service.svc.fetch,
          id.replaceAll(".", "_"),
          { ...Object(input), ...more },
          { key, toolset: toolsetOf(id) }
        )
      : callTool(service.svc.fetch, "command_run", { command_id: id, input, ...more }, { key })

  const forModels = commands.filter(isForModels)
  it.for(forModels.filter(({ effects }) => !readsOrDrafts(effects)))("cannot run $id", async ({ examples, id }) => {
    for (const { input } of examples) {
      for (const more of [{}, { dry_run: true }]) {
        const before = service.state()
        const result = await run(id, input, more)
        assert.strictEqual(result["isError"], true, id)
        assert.match(textsOf(result)[0] ?? "", /^(APPROVAL_POLICY|FORBIDDEN_SCOPE): /)
        const changed = changedTables(before, service.state()).filter((table) => !traces.has(table))
        assert.deepStrictEqual(changed, [], id)
      }
    }
  })

  it.for(forModels.filter(({ risk }) => risk === "read"))(
    "can run $id, which changes nothing",
    async ({ examples, id }) => {
      const before = service.state()
      const result = await run(id, examples[0].input)
      // The request of the example is somebody else's.
      if (id === "approval.get") assert.match(textsOf(result)[0] ?? "", /^NOT_FOUND: /)
      else assert.isUndefined(result["isError"], textsOf(result).join(" "))
      assert.deepStrictEqual(
        changedTables(before, service.state()).filter((table) => !traces.has(table)),
        []
      )
    }
  )

  it("can draft, and no draft of its own is sent or approved", async () => {
    const draft = commands.find(({ id }) => id === "linkedin.draft.create")
    const result = await run("linkedin.draft.create", draft?.examples[0].input)
    const made = Object(dataOf(result)).draft
    assert.strictEqual(made.status, "PENDING_REVIEW")
    for (const more of [{ send_now: true }, { variation_index: 0 }, { body_text: "Approved?" }]) {
      const refused = await run("linkedin.draft.approve", { draft_id: made.draft_id, ...more })
      assert.match(textsOf(refused)[0] ?? "", /^APPROVAL_POLICY: .+\.$/)
    }
    const read = await run("linkedin.draft.get", { draft_id: made.draft_id })
    assert.strictEqual(Object(dataOf(read)).draft.status, "PENDING_REVIEW")
  })
})

describe("a key of an agent", () => {
  it("has the rights of a drafter when nobody says otherwise", async () => {
    const { close, run, svc } = await memoryService()
    const { envelope } = await run({ command: "key.create", input: { name: "Agent", actor_kind: "AI_AGENT" } })
    assert.isTrue(envelope.ok)
    const made = Object(envelope.ok ? envelope.data : {})
    assert.deepStrictEqual([...made.key.scopes].sort(), [...scopeBundles.drafter].sort())
    const refused = await callTool(
      svc.fetch,
      "linkedin_draft_approve",
      { draft_id: "drf_SAMPLE00000000000000000001" },
      { key: made.api_key }
    )
    assert.match(textsOf(refused)[0] ?? "", /^FORBIDDEN_SCOPE: .*linkedin:approve/)
    await close()
  })
})
