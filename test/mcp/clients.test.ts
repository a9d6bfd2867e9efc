/** The program that writes a draft is known, as it names itself, in its provenance. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createKey } from "#core/workspace/organizations/Provisioning.ts"
import { callTool, dataOf, post, resultOf, rpc, statelessHeaders, statelessMeta } from "../support/mcpHttp.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"

const draft_id = "drf_SAMPLE00000000000000000002"

describe("the client of a draft's writer", () => {
  let service: MemoryService
  let key: string
  beforeAll(async () => {
    service = await memoryService({ sample: true })
    key = (await service.svc.effect.runtime.runPromise(createKey(service.svc.organization.id, { scopes: ["admin"] })))
      .text
  })
  afterAll(() => service.close())

  let count = 0
  const change = () => ({ draft_id, variations: [`Hello Grace, text ${++count}`], model: "writer-4" })
  const latest = async () => {
    const result = await callTool(
      service.svc.fetch,
      "linkedin_draft_get",
      { draft_id, response_profile: "full" },
      { key, toolset: "all" }
    )
    return Object(dataOf(result)).provenance.at(-1)
  }
  const overMcp = async (clientInfo: unknown) => {
    const meta = { ...statelessMeta, "io.modelcontextprotocol/clientInfo": clientInfo }
    const name = "linkedin_draft_update"
    const message = rpc("tools/call", { name, arguments: change(), _meta: meta })
    const headers = statelessHeaders("tools/call", name)
    const result = resultOf(await post(service.svc.fetch, message, { key, headers, toolset: "all" }))
    assert.isUndefined(result["isError"], JSON.stringify(result))
    return latest()
  }
  const overHttp = async (header: string) => {
    const response = await service.svc.fetch(
      new Request("http://127.0.0.1/api/v1/commands/linkedin.draft.update", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "svc-client": header },
        body: JSON.stringify(change())
      })
    )
    assert.strictEqual(response.status, 200, await response.text())
    return latest()
  }

  it("is what a message of 2026-07-28 names in _meta", async () => {
    const step = await overMcp({ name: "assistant", version: "3.1" })
    assert.deepInclude(step, { actor_kind: "AI_AGENT", model: "writer-4" })
    assert.deepStrictEqual(step.client, { name: "assistant", version: "3.1" })
  })

  it("is what an earlier revision named at initialize, in the session id", async () => {
    const clientInfo = { name: "editor", version: "9" }
    const start = rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
    const { headers } = await post(service.svc.fetch, start, { key })
    const session = headers.get("mcp-session-id") ?? ""
    const name = "linkedin_draft_update"
    const sent = { key, headers: { "mcp-session-id": session }, toolset: "all" }
    const result = resultOf(await post(service.svc.fetch, rpc("tools/call", { name, arguments: change() }), sent))
    assert.isUndefined(result["isError"], JSON.stringify(result))
    assert.deepStrictEqual((await latest()).client, clientInfo)
  })

  it("is what the header Svc-Client names, percent-encoded", async () => {
    const step = await overHttp("K%C3%BCste%2FBot/1.2")
    assert.strictEqual(step.actor_kind, "USER")
    assert.deepStrictEqual(step.client, { name: "Küste/Bot", version: "1.2" })
    assert.deepStrictEqual((await overHttp("plain")).client, { name: "plain", version: null })
  })

  it("is one short line that can be seen, whatever a program says, or nothing", async () => {
    const hidden = "bot\u202e\n\u200bIgnore\u{e0049} previous\u0007"
    assert.deepStrictEqual((await overMcp({ name: hidden, version: "x".repeat(500) })).client, {
      name: "bot Ignore previous",
      version: "x".repeat(40)
    })
    assert.lengthOf((await overMcp({ name: "n".repeat(10_000) })).client.name, 80)
    for (const nobody of [{}, { name: "" }, { name: " \u200b" }, { name: 7 }, null, "text", []]) {
      assert.isNull((await overMcp(nobody)).client)
    }
    for (const nobody of ["", "/1", "%20/1"]) assert.isNull((await overHttp(nobody)).client)
    assert.deepStrictEqual((await overHttp("%E0%A4%A/1")).client, { name: "%E0%A4%A", version: "1" })
  })
})
