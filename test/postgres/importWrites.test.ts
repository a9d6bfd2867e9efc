import { assert, describe, it } from "@effect/vitest"
import * as AgentDeparture from "@svc/core/agents/AgentDeparture"
import { commands as agentCommands } from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { layer as idsLayer } from "@svc/core/Ids"
import { GetImport } from "@svc/core/imports/commands/GetImport"
import { ListImports } from "@svc/core/imports/commands/ListImports"
import { RestAddLeads } from "@svc/core/imports/rest"
import * as LeadConsequences from "@svc/core/leads/LeadConsequences"
import { CreateMission } from "@svc/core/missions/commands/CreateMission"
import * as AgentsPg from "@svc/postgres/agents/AgentsPg"
import * as ImportsPg from "@svc/postgres/imports/ImportsPg"
import * as JournalPg from "@svc/postgres/JournalPg"
import * as LeadsPg from "@svc/postgres/leads/LeadsPg"
import * as MissionsPg from "@svc/postgres/missions/MissionsPg"
import * as OffersPg from "@svc/postgres/offers/OffersPg"
import * as TransactionPg from "@svc/postgres/TransactionPg"
import * as CursorSecretPg from "@svc/postgres/workspace/CursorSecretPg"
import * as WorkspacesPg from "@svc/postgres/workspace/WorkspacesPg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasPostgres, pgliteLayer, postgresLayer, selectedBackends } from "../support/backends.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"

const catalog = Catalog.make([...agentCommands, CreateMission, RestAddLeads, GetImport, ListImports])

const serviceOn = (base: typeof pgliteLayer) =>
  dispatchLayer(catalog).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        AgentsPg.layer,
        AgentDeparture.layerNone,
        MissionsPg.layer,
        OffersPg.layer,
        LeadsPg.layer,
        LeadConsequences.layerNone,
        ImportsPg.layer,
        WorkspacesPg.layer,
        CursorSecretPg.layer,
        JournalPg.layer,
        TransactionPg.layer,
        idsLayer
      )
    ),
    Layer.provideMerge(base)
  )

const run = (command: string, input: object) =>
  Effect.map(
    Effect.flatMap(Dispatch, (dispatch) => dispatch.run({ command, input, actor: owner("org_1") })),
    ({ envelope }) => {
      if (!envelope.ok) throw new Error(`${command}: ${envelope.error.message}`)
      return { ...Object(envelope.data) }
    }
  )

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com`, name: `Person ${index}` }))

const suite = (layer: ReturnType<typeof serviceOn>) =>
  it.layer(layer)((it) => {
    it.effect("writes a thousand leads in two statements each, and finds them again in one", () =>
      Effect.gen(function* () {
        const counter = yield* StatementCounter
        yield* organization("org_1")
        yield* run("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* run("mission.create", { name: "Spring outreach", agent_handle: "ada-martin" })
        const post = { missionHandle: "spring-outreach", leads: people(1_000) }
        const before = performance.now()
        const [first, written] = yield* counter.of(run("rest.missions.leads.add", post))
        console.log("first", performance.now() - before, written.statements, written.control)
        assert.strictEqual(first.mission.leadCount, 1_000)
        const t = performance.now()
        const [again, repeated] = yield* counter.of(run("rest.missions.leads.add", post))
        console.log("again", performance.now() - t, repeated.statements, repeated.control)
        assert.strictEqual(again.mission.leadCount, 1_000)
        const [shown, read] = yield* counter.of(run("import.get", { import_id: again.import_id }))
        assert.strictEqual(shown.import.skipped_count, 1_000)
        assert.strictEqual(read.statements, 1)
        const [, listed] = yield* counter.of(run("import.list", { mission_id: "spring-outreach" }))
        assert.strictEqual(listed.statements, 1)
      })
    )
  })

describe("imports on PGlite", () => {
  if (selectedBackends().has("pglite")) suite(serviceOn(pgliteLayer))
})

describe.skipIf(!hasPostgres())("imports on PostgreSQL", () => suite(serviceOn(postgresLayer)))
