import { assert, describe, it } from "@effect/vitest"
import { commands as agentCommands } from "@svc/core/agents/index"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { layer as idsLayer } from "@svc/core/Ids"
import * as ImportRunner from "@svc/core/imports/ImportRunner"
import { commands as importCommands, restCommands as importRest } from "@svc/core/imports/index"
import * as LinkedInPorts from "@svc/core/linkedin/LinkedInPorts"
import { commands as missionCommands } from "@svc/core/missions/index"
import * as SimulatedGateway from "@svc/core/simulator/SimulatedGateway"
import * as Repositories from "@svc/postgres/repositories"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasPostgres, pgliteLayer, postgresLayer, selectedBackends } from "../support/backends.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"

const catalog = Catalog.make([...agentCommands, ...missionCommands, ...importCommands, ...importRest])

const serviceOn = (base: typeof pgliteLayer) =>
  dispatchLayer(catalog).pipe(
    Layer.provideMerge(ImportRunner.layer),
    Layer.provideMerge(LinkedInPorts.layer),
    Layer.provideMerge(Layer.mergeAll(Repositories.layer, SimulatedGateway.layer({ acceptSeconds: 30 }), idsLayer)),
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

const chunks = 20

const url = "https://www.linkedin.com/sales/search/people?query=(keywords%3Asim-60%2520cfo)"

const suite = (layer: ReturnType<typeof serviceOn>) =>
  it.layer(layer)((it) => {
    it.effect("writes a thousand leads in two statements each, and finds them again in one", () =>
      Effect.gen(function* () {
        const counter = yield* StatementCounter
        yield* organization("org_1")
        yield* run("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* run("mission.create", { name: "Spring outreach", agent_handle: "ada-martin" })
        const post = { missionHandle: "spring-outreach", leads: people(1_000) }
        const [first, written] = yield* counter.of(run("rest.missions.leads.add", post))
        assert.strictEqual(first.mission.leadCount, 1_000)
        assert.isAtMost(written.statements, 2_000 + 4 * chunks)
        const [again, repeated] = yield* counter.of(run("rest.missions.leads.add", post))
        assert.strictEqual(again.mission.leadCount, 1_000)
        assert.isAtMost(repeated.statements, 1_000 + 4 * chunks)
        const [shown, read] = yield* counter.of(run("import.get", { import_id: again.import_id }))
        assert.deepStrictEqual([shown.import.skipped_count, read.statements], [1_000, 1])
        const [listed, page] = yield* counter.of(run("import.list", { mission_id: "spring-outreach" }))
        assert.deepStrictEqual([listed.imports.length, page.statements], [2, 1])
      })
    )

    it.effect("imports a search once, however many ask, and skips everybody when it is imported again", () =>
      Effect.gen(function* () {
        const search = run("import.sales-nav.search", { url, mission_id: "spring-outreach" })
        const results = yield* Effect.all([search, search, search, search], { concurrency: "unbounded" })
        assert.strictEqual(new Set(results.map(({ import_id }) => import_id)).size, 1)
        const done = yield* search
        assert.deepStrictEqual([done.created_count, done.already_exists], [60, true])
        const again = yield* run("import.sales-nav.search", { url, mission_id: "spring-outreach", refresh: true })
        assert.deepStrictEqual([again.created_count, again.skipped_count, again.updated_count], [60, 60, 0])
      })
    )

    it.effect("answers a dry run and leaves nothing", () =>
      Effect.gen(function* () {
        const options = { responseProfile: "full", dryRun: true, idempotencyKey: undefined } as const
        const input = { missionHandle: "spring-outreach", leads: [{ email: "dry@example.com" }, { email: "?" }] }
        const dispatch = yield* Dispatch
        const answer = yield* dispatch.run({
          command: "rest.missions.leads.add",
          input,
          actor: owner("org_1"),
          options
        })
        assert.include(JSON.stringify(answer.envelope), '"leadCount":1061')
        const { mission } = yield* run("mission.get", { mission_id: "spring-outreach" })
        assert.deepStrictEqual([mission.stats.leads, mission.imports.length], [1_060, 3])
      })
    )
  })

describe("imports on PGlite", () => {
  if (selectedBackends().has("pglite")) suite(serviceOn(pgliteLayer))
})

describe.skipIf(!hasPostgres())("imports on PostgreSQL", () => suite(serviceOn(postgresLayer)))
