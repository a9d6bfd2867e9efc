/** What commands of offers, agents and missions cost on a database, and that they work there from end to end. */
import { assert, describe, it } from "@effect/vitest"
import { layerNone as nothingQueued } from "@svc/core/agents/AgentDeparture"
import * as Agents from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { layerSequential } from "@svc/core/Ids"
import * as Missions from "@svc/core/missions/index"
import { layerNone as nothingWaiting } from "@svc/core/missions/MissionArchival"
import * as Offers from "@svc/core/offers/index"
import { layerSecretRandom } from "@svc/core/Page"
import * as AgentsPg from "@svc/postgres/agents/AgentsPg"
import * as JournalPg from "@svc/postgres/JournalPg"
import * as MissionsPg from "@svc/postgres/missions/MissionsPg"
import * as OffersPg from "@svc/postgres/offers/OffersPg"
import * as TransactionPg from "@svc/postgres/TransactionPg"
import * as WorkspacesPg from "@svc/postgres/workspace/WorkspacesPg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { pgliteLayer, selectedBackends } from "../support/backends.ts"
import { owner } from "../support/memory.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { organization } from "./outreachRows.ts"

const catalog = Catalog.make([
  ...Offers.commands,
  ...Agents.commands,
  ...Agents.restCommands,
  ...Missions.commands,
  ...Missions.restCommands
])

const testLayer = dispatchLayer(catalog).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      AgentsPg.layer,
      JournalPg.layer,
      MissionsPg.layer,
      OffersPg.layer,
      TransactionPg.layer,
      WorkspacesPg.layer,
      nothingQueued,
      nothingWaiting,
      layerSequential,
      layerSecretRandom
    )
  ),
  Layer.provideMerge(pgliteLayer)
)

const run = (command: string, input: unknown) =>
  Effect.gen(function* () {
    const dispatch = yield* Dispatch
    const counter = yield* StatementCounter
    const [{ envelope }, { statements }] = yield* counter.of(dispatch.run({ command, input, actor: owner() }))
    if (!envelope.ok) return assert.fail(`${command}: ${envelope.error.code} ${envelope.error.message}`)
    return { output: Object(envelope.data), statements }
  })

describe.skipIf(!selectedBackends().has("pglite"))("offers, agents and missions on a database", () => {
  it.layer(testLayer)((it) => {
    it.effect("cost one statement for a read, and no more than they must for a change", () =>
      Effect.gen(function* () {
        yield* organization("org_a")
        yield* run("offer.create", { offer_id: "audit", name: "Audit", one_liner: "One", value_proposition: "Gain" })
        yield* run("agent.create", { first_name: "Ada", last_name: "Martin" })
        const created = yield* run("mission.create", { name: "M", agent_handle: "ada-martin", offer_id: "audit" })
        const reads: ReadonlyArray<readonly [string, object]> = [
          ["offer.get", { offer_id: "audit" }],
          ["offer.list", { query: "aud", limit: 1 }],
          ["agent.get", { agent_handle: "ada-martin" }],
          ["agent.list", {}],
          ["rest.agents.list", { limit: 1 }],
          ["mission.get", { mission_id: "m" }],
          ["mission.list", { status: "active", agent_handle: "ada-martin", offer_id: "audit", query: "M" }],
          ["rest.missions.get", { missionHandle: "m" }]
        ]
        for (const [command, input] of reads) {
          const { output, statements } = yield* run(command, input)
          assert.strictEqual(statements, 1, command)
          assert.isNotEmpty(output, command)
        }
        assert.deepStrictEqual((yield* run("mission.get", { mission_id: "m" })).output, created.output)
        // Agent, offer, its use, the mission, its view, the journal.
        assert.isAtMost(created.statements, 6)
        const update = { mission_id: "m", brief: { ...created.output.mission.brief, tone_instructions: "Kind" } }
        const updated = yield* run("mission.update", update)
        assert.strictEqual(updated.output.mission.brief.tone_instructions, "Kind")
        // View, offer, replace, view, journal.
        assert.isAtMost(updated.statements, 5)
        assert.deepStrictEqual((yield* run("mission.update", update)).output, updated.output)
      })
    )

    it.effect("archive, restore and pause as in memory", () =>
      Effect.gen(function* () {
        const archived = yield* run("mission.update", { mission_id: "m", status: "archived" })
        assert.strictEqual(archived.output.mission.status, "archived")
        yield* run("mission.update", { mission_id: "m", status: "active", offer_id: null })
        const { output } = yield* run("rest.missions.get", { missionHandle: "m" })
        assert.deepInclude(output.mission, { status: "PAUSED", offerId: "", agentHandle: "ada-martin" })
        assert.isString((yield* run("offer.get", { offer_id: "audit" })).output.offer.lastUsedAt)
        yield* run("rest.missions.create", { name: "M", agentHandle: "ada-martin" })
        yield* run("rest.agents.delete", { agentHandle: "ada-martin", force: true })
        const after = yield* run("rest.missions.get", { missionHandle: "m-2" })
        assert.deepInclude(after.output.mission, { status: "PAUSED", agentHandle: "ada-martin" })
      })
    )
  })
})
