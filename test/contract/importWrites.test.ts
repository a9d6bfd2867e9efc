/** What imports cost, and that they happen once. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inOrganization } from "../support/inOrganization.ts"
import { ask, counted, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `person${index}@example.com`, name: `Person ${index}` }))

const url = "https://www.linkedin.com/sales/search/people?query=(keywords%3Asim-60%2520cfo)"

const mission = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("mission.create", { name: "Spring outreach", agent_handle: "ada-martin" })
})

eachBackend("writes of imports", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are a thousand leads in 25 statements, found again in as many", () =>
      Effect.gen(function* () {
        yield* mission
        const post = { missionHandle: "spring-outreach", leads: people(1_000) }
        const first = yield* counted("POST /missions/{missionHandle}/leads", post)
        assert.strictEqual(first.data.mission.leadCount, 1_000)
        assert.isAtMost(first.statements, 25)
        const again = yield* counted("POST /missions/{missionHandle}/leads", post)
        assert.strictEqual(again.data.mission.leadCount, 1_000)
        assert.isAtMost(again.statements, 25)
        const shown = yield* counted("import.get", { import_id: again.data.import_id })
        assert.strictEqual(shown.data.import.skipped_count, 1_000)
        assert.isAtMost(shown.statements, 1)
        const listed = yield* counted("import.list", { mission_id: "spring-outreach" })
        assert.lengthOf(listed.data.imports, 2)
        assert.isAtMost(listed.statements, 1)
      }).pipe(inOrganization("org_thousand"))
    )

    it.effect("are those of one search, however many ask, and skip everybody when it is imported again", () =>
      Effect.gen(function* () {
        yield* mission
        const search = ok("import.sales-nav.search", { url, mission_id: "spring-outreach" })
        const results = yield* Effect.all([search, search, search, search], { concurrency: "unbounded" })
        assert.strictEqual(new Set(results.map(({ import_id }) => import_id)).size, 1)
        const done = yield* search
        assert.deepStrictEqual([done.created_count, done.already_exists], [60, true])
        const again = yield* ok("import.sales-nav.search", { url, mission_id: "spring-outreach", refresh: true })
        assert.deepStrictEqual([again.created_count, again.skipped_count, again.updated_count], [60, 60, 0])
      }).pipe(inOrganization("org_search_once"))
    )

    it.effect("are nothing after a dry run, which answers what there would be", () =>
      Effect.gen(function* () {
        yield* mission
        const input = { missionHandle: "spring-outreach", leads: [{ email: "dry@example.com" }, { email: "?" }] }
        const { envelope } = yield* ask("POST /missions/{missionHandle}/leads", input, { options: { dryRun: true } })
        assert.include(JSON.stringify(envelope), '"leadCount":1')
        const { mission: left } = yield* ok("mission.get", { mission_id: "spring-outreach" })
        assert.deepStrictEqual([left.stats.leads, left.imports.length], [0, 0])
      }).pipe(inOrganization("org_dry_import"))
    )
  })
)
