/** Known people whom an import adds to its mission, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inOrganization } from "../support/inOrganization.ts"
import { ask, ok, warned } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

const rowsOf = (import_id: string, outcome?: string) =>
  Effect.map(ok("import.leads.list", { import_id, ...(outcome === undefined ? {} : { outcome }) }), ({ rows }) =>
    rows.map((row: { outcome: string; reason: string | null }) => `${row.outcome} ${row.reason}`)
  )

eachOutreach("known people in an import", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are reported as added to the mission, once", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Season" })
        yield* ok("lead.upsert", { email: "known@example.com", name: "Known" })
        yield* ok("lead.upsert", { email: "changed@example.com", name: "Changed" })
        yield* ok("lead.upsert", { email: "member@example.com", name: "Member", mission_id: "season" })
        const content = [
          "Email,Company",
          "known@example.com,",
          "changed@example.com,Acme",
          "member@example.com,",
          "new@example.com,",
          ""
        ].join("\n")
        const input = { mission_id: "season", content }
        const { envelope } = yield* ask("import.csv", input)
        if (!envelope.ok) return assert.fail(envelope.error.message)
        const file = Object(envelope.data)
        assert.deepStrictEqual(envelope.meta.warnings, ["enrolled: 2 known leads were added to the mission."])
        assert.deepInclude(file, { created_count: 1, updated_count: 1, skipped_count: 2, invalid_count: 0 })
        assert.deepStrictEqual(yield* rowsOf(file.import_id), [
          "skipped ENROLLED",
          "updated ENROLLED",
          "skipped UNCHANGED",
          "created null"
        ])
        assert.deepStrictEqual(yield* rowsOf(file.import_id, "refused"), [])
        const shown = (yield* ok("import.get", { import_id: file.import_id })).import
        assert.deepInclude(shown, { enrolled_count: 2, refused_rows: [] })
        assert.deepStrictEqual(yield* warned("import.csv", { ...input, again: true }), [])
        yield* ok("mission.create", { name: "Posted" })
        const posted = yield* ok("import.leads.add", {
          mission_id: "posted",
          leads: [{ email: "known@example.com" }, { email: "known@example.com", company: "Globex" }]
        })
        assert.strictEqual(posted.import.enrolled_count, 1)
        assert.deepStrictEqual(yield* rowsOf(posted.import.import_id), ["skipped ENROLLED", "updated null"])
      }).pipe(inOrganization("org_enrolled"))
    )
  })
)
