/** The source and the lawful basis of leads, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { currentOwner, inOrganization } from "../support/inOrganization.ts"
import { accepted, code, lead, ok, warned } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

/** Asked without the policies that a test's actor has, so that those of the organization count. */
const basisOf = (lead_id: string) =>
  Effect.gen(function* () {
    const { policies: _, ...actor } = yield* currentOwner
    return (yield* ok("lead.get", { lead_id }, { actor })).basis
  })

eachBackend("leads by their lawful basis", (world) =>
  it.layer(world)((it) => {
    it.effect("say where they come from, and why they are kept", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ email: "a@x.example", source: "Fair", lawful_basis: "consent" })
        assert.deepStrictEqual(yield* basisOf(lead_id), { source: "Fair", lawful_basis: "consent" })
        const { export: file } = yield* ok("lead.export", { lead_id })
        assert.deepInclude(file.leads[0], { lawfulBasis: "consent", source: "Fair" })
        yield* ok("lead.upsert", { lead_id, lawful_basis: null, source: null })
        assert.deepStrictEqual(yield* basisOf(lead_id), { source: null, lawful_basis: null })
        assert.strictEqual(yield* code("lead.upsert", { lead_id, lawful_basis: "interest" }), "INVALID_INPUT")
      }).pipe(inOrganization("org_basis"))
    )

    it.effect("get what their import says, unless their row or somebody before said otherwise", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Spring", handle: "spring" })
        yield* lead({ email: "known@x.example", name: "Known", lawful_basis: "consent" })
        const cleared = yield* lead({ email: "cleared@x.example", name: "Cleared", lawful_basis: "consent" })
        yield* ok("lead.upsert", { lead_id: cleared, lawful_basis: null })
        const content = [
          "Email,Name,Legal basis,Lead source",
          "known@x.example,Known,,",
          "cleared@x.example,Cleared,,",
          "own@x.example,Own,Public Task,Register",
          "none@x.example,None,,",
          "wrong@x.example,Wrong,because,"
        ].join("\n")
        const file = { mission_handle: "spring", content }
        const said = { source: "Fair", lawful_basis: "legitimate_interests" }
        const first = yield* ok("import.csv", { ...file, ...said })
        assert.deepInclude(first, { created_count: 2, updated_count: 2, invalid_count: 1 })
        const got = Effect.gen(function* () {
          const { leads } = yield* ok("lead.search", { limit: 50 })
          const ids: ReadonlyArray<readonly [string, string]> = leads.map((one: { name: string; lead_id: string }) => [
            one.name,
            one.lead_id
          ])
          const bases = yield* Effect.forEach(ids, ([name, id]) =>
            Effect.map(
              basisOf(id),
              ({ lawful_basis, source }) => [name, `${lawful_basis} ${source}`] as [string, string]
            )
          )
          return Object.fromEntries(bases) as Record<string, string>
        })
        const expected = {
          Known: "consent Fair",
          Cleared: "null Fair",
          Own: "public_task Register",
          None: "legitimate_interests Fair"
        }
        assert.deepStrictEqual(yield* got, expected)
        const again = yield* accepted("import.csv", { ...file, ...said, lawful_basis: "contract" })
        assert.deepInclude(again.data, { import_id: first.import_id, already_exists: true })
        assert.include(again.warnings, "lawful_basis: ignored, as the import keeps what it started with.")
        assert.isEmpty((yield* warned("import.csv", file)).filter((text) => text.includes("ignored, as")))
        assert.deepStrictEqual(yield* got, expected)
        const more = yield* ok("import.csv", { ...file, again: true, lawful_basis: "contract", source: "List" })
        assert.notStrictEqual(more.import_id, first.import_id)
        assert.deepStrictEqual(yield* got, expected, "nobody is left without one")
        assert.strictEqual(yield* code("import.csv", { ...file, lawful_basis: "because" }), "INVALID_INPUT")
      }).pipe(inOrganization("org_defaults"))
    )

    it.effect("get what their search was started with, also when it goes on", () =>
      Effect.gen(function* () {
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
        const url = "https://www.linkedin.com/search/results/people/?keywords=fintech"
        const search = { url, mission_handle: "spring", limit: 10 }
        yield* ok("import.linkedin.search", { ...search, source: "LinkedIn", lawful_basis: "legitimate_interests" })
        const warnings = yield* warned("import.linkedin.search", {
          ...search,
          limit: 20,
          refresh: true,
          source: "Other"
        })
        assert.include(warnings.join(" "), "source: ignored")
        const { leads } = yield* ok("lead.search", { limit: 50 })
        assert.isAbove(leads.length, 10)
        for (const { lead_id } of leads) {
          assert.deepInclude(yield* basisOf(lead_id), { source: "LinkedIn", lawful_basis: "legitimate_interests" })
        }
      }).pipe(inOrganization("org_searched"))
    )
  })
)
