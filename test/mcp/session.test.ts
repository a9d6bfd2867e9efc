/** What a session costs: "find my hottest leads, write drafts for the three best, report", by the official clients. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { at } from "../support/httpService.ts"
import { type ClientKind, clientKinds, connect } from "../support/mcpClients.ts"
import { listening } from "../surfaces/Surface.ts"

/** Characters per token, as a rule of thumb. */
const charactersPerToken = 4
const maxCalls = 14
const maxTokens = 5_000

describe("a session of an AI agent", () => {
  let served: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => {
    served = await listening()
  })
  afterAll(() => served.close())

  const session = async (kind: ClientKind, query: string) => {
    const client = await connect(kind, { url: served.url, key: served.identityOf("assistant")?.key ?? "", query })
    let calls = 0
    let characters = 0
    const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
      const answer = await client.call(name, args)
      assert.isFalse(answer.isError, `${name}: ${answer.texts.join(" ")}`)
      calls++
      characters += answer.texts.join("").length
      if (answer.structured !== undefined) characters += JSON.stringify(answer.structured).length
      return answer.data
    }
    const items = (value: unknown, name: string): ReadonlyArray<unknown> => {
      const list = at(value, name)
      return Array.isArray(list) ? list : []
    }

    await call("workspace_status")
    await call("mission_list")
    await call("mission_next-actions", { limit: 5 })
    const found = await call("lead_search", { sort: "score", status: "New" })
    const best = items(found, "leads").slice(0, 3)
    assert.lengthOf(best, 3)
    const drafts = []
    for (const lead of best) {
      const lead_id = at(lead, "lead_id")
      const whole = await call("lead_get", { lead_id })
      const mission_id = at(whole, "prospect_context.missions.0.handle")
      assert.isNotEmpty(items(whole, "prospect_context.missions.0.proof"), "the proof that a message may claim")
      drafts.push({
        lead_id,
        mission_id,
        replace_open: true,
        variations: [
          { body_text: `Hello ${String(at(lead, "name")).split(" ")[0]}, what takes longest when your team closes?` },
          {
            body_text: `${String(at(lead, "name")).split(" ")[0]}, may I ask how ${at(lead, "company")} closes a month?`
          }
        ]
      })
    }
    const made = await call("linkedin_draft_create-many", { drafts })
    const results = items(made, "results")
    assert.deepStrictEqual(
      results.map((result) => [at(result, "ok"), /^[0-9a-f]{64}$/.test(String(at(result, "content_hash")))]),
      [1, 2, 3].map(() => [true, true])
    )
    const [first] = results
    const changed = await call("linkedin_draft_update", {
      draft_id: at(first, "draft_id"),
      content_hash: at(first, "content_hash"),
      variations: "May I ask one question about your month-end close?"
    })
    assert.isArray(at(changed, "findings"))
    await call("linkedin_draft_list", { status: "PENDING_REVIEW" })
    await call("mission_stats", { mission_id: at(drafts[0], "mission_id") })
    await client.close()
    return { calls, tokens: Math.ceil(characters / charactersPerToken) }
  }

  it.for(clientKinds)("takes at most 14 calls and 5,000 tokens of answers with %s", async (kind) => {
    const { calls, tokens } = await session(kind, "")
    console.log(`${kind}: ${calls} calls, ${tokens} tokens`)
    assert.isAtMost(calls, maxCalls)
    assert.isAtMost(tokens, maxTokens)
    // Far fewer would mean that the session does not do its work.
    assert.isAtLeast(tokens, 1_000)
  })

  it("costs no more with structured results, which come without the text", async () => {
    const { tokens } = await session("client 2.4", "?results=structured")
    assert.isAtMost(tokens, maxTokens)
  })
})
