/** What commands of offers, agents and missions cost on a database, and that they work there from end to end. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { organization } from "../support/organization.ts"
import { counted, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

eachBackend("offers, agents and missions", (layer) => {
  it.layer(layer)((it) => {
    it.effect("cost one statement for a read, and no more than they must for a change", () =>
      Effect.gen(function* () {
        yield* organization("org_a")
        yield* ok("offer.create", { offer_id: "audit", name: "Audit", one_liner: "One", value_proposition: "Gain" })
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        const created = yield* counted("mission.create", { name: "M", agent_handle: "ada-martin", offer_id: "audit" })
        const reads: ReadonlyArray<readonly [string, object]> = [
          ["offer.get", { offer_id: "audit" }],
          ["offer.list", { query: "aud", limit: 1 }],
          ["agent.get", { agent_handle: "ada-martin" }],
          ["agent.list", {}],
          ["GET /agents", { limit: 1 }],
          ["mission.get", { mission_id: "m" }],
          ["mission.list", { status: "active", agent_handle: "ada-martin", offer_id: "audit", query: "M" }],
          ["GET /missions/{missionHandle}", { missionHandle: "m" }]
        ]
        for (const [command, input] of reads) {
          const { data, statements } = yield* counted(command, input)
          assert.isAtMost(statements, 1, command)
          assert.isNotEmpty(data, command)
        }
        assert.deepStrictEqual(yield* ok("mission.get", { mission_id: "m" }), created.data)
        // Agent, offer, its use, the mission, its view, the journal.
        assert.isAtMost(created.statements, 6)
        const update = { mission_id: "m", brief: { ...created.data.mission.brief, tone_instructions: "Kind" } }
        const updated = yield* counted("mission.update", update)
        assert.strictEqual(updated.data.mission.brief.tone_instructions, "Kind")
        // View, offer, replace, view, journal.
        assert.isAtMost(updated.statements, 5)
        assert.deepStrictEqual(yield* ok("mission.update", update), updated.data)
      })
    )

    it.effect("archive, restore and pause as in memory", () =>
      Effect.gen(function* () {
        const archived = yield* ok("mission.update", { mission_id: "m", status: "archived" })
        assert.strictEqual(archived.mission.status, "archived")
        yield* ok("mission.update", { mission_id: "m", status: "active", offer_id: null })
        const { mission } = yield* ok("GET /missions/{missionHandle}", { missionHandle: "m" })
        assert.deepInclude(mission, { status: "PAUSED", offerId: "", agentHandle: "ada-martin" })
        assert.isString((yield* ok("offer.get", { offer_id: "audit" })).offer.lastUsedAt)
        yield* ok("POST /missions", { name: "M", agentHandle: "ada-martin" })
        yield* ok("DELETE /agents/{agentHandle}", { agentHandle: "ada-martin", force: true })
        const after = yield* ok("GET /missions/{missionHandle}", { missionHandle: "m-2" })
        assert.deepInclude(after.mission, { status: "PAUSED", agentHandle: "ada-martin" })
      })
    )
  })
})
