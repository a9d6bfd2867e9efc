/** Own fields, tags and saved filters by way of the commands, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { lead, ok, refused } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const define = Effect.forEach(
  [
    { key: "team_size", type: "number" },
    { key: "segment", label: "Kind of company", type: "choice", choices: ["Small", "Large"] },
    { key: "renewal", type: "date" },
    { key: "vip", type: "boolean" },
    { key: "nickname", type: "text" }
  ],
  (field) => ok("lead.field.set", field),
  { discard: true }
)

const mission = Effect.andThen(
  ok("agent.create", { handle: "ada", first_name: "Ada", last_name: "Martin" }),
  ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada" })
)

const found = (input: object) =>
  Effect.map(ok("lead.search", { sort: "name", ...input }), ({ count, leads }) => {
    assert.strictEqual(count, leads.length)
    return leads.map(({ name }: { readonly name: string }) => name).join("")
  })

const get = (email: string) =>
  Effect.map(ok("lead.get", { email }), ({ fields, lead_id, tags }) => ({ fields, lead_id, tags }))

eachBackend("own fields and tags", (layer) =>
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("are defined in an order that stays, and a dry run defines nothing", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* ok("lead.field.list", {}), { fields: [], tags: [] })
        yield* define
        yield* ok("lead.field.set", { key: "dry", type: "text" }, { options: { ...defaultOptions, dryRun: true } })
        yield* ok("lead.field.set", { key: "team_size", label: "People", archived: true })
        const { fields } = yield* ok("lead.field.list", {})
        const shown = fields.map(({ archived, key, label }: Record<string, unknown>) => `${key} ${label} ${archived}`)
        assert.deepStrictEqual(shown, [
          "team_size People true",
          "segment Kind of company false",
          "renewal Renewal false",
          "vip Vip false",
          "nickname Nickname false"
        ])
      }).pipe(inOrganization("org_defined"))
    )

    it.effect("are all defined by calls at one time", () =>
      Effect.gen(function* () {
        const keys = Array.from({ length: 20 }, (_, n) => `field_${n}`)
        yield* Effect.forEach(
          keys,
          (key) =>
            Effect.andThen(
              ok("lead.field.set", { key, type: "text" }),
              ok("lead.filter.save", { name: key, filter: {} })
            ),
          { concurrency: "unbounded" }
        )
        const { fields } = yield* ok("lead.field.list", {})
        assert.sameMembers(
          fields.map(({ key }: { readonly key: string }) => key),
          keys
        )
        assert.lengthOf((yield* ok("lead.filter.list", {})).filters, 20)
      }).pipe(inOrganization("org_raced"))
    )

    it.effect("are found by, whichever order is wanted, and by saved filters", () =>
      Effect.gen(function* () {
        yield* define
        yield* lead({
          email: "a@x.example",
          name: "A",
          tags: ["VIP", "new"],
          fields: { team_size: 5, segment: "small" }
        })
        yield* lead({ email: "b@x.example", name: "B", tags: ["vip"], fields: { team_size: 5, vip: true }, score: 90 })
        yield* lead({
          email: "c@x.example",
          name: "C",
          fields: { nickname: "Ünique", vip: false, renewal: "2027-02-28" }
        })
        for (const sort of ["name", "recent", "score", "action"]) {
          const ordered = yield* found({ tags: ["Vip"], sort })
          assert.sameMembers([...ordered], ["A", "B"], sort)
        }
        const searches = [
          [{ tags: ["vip", "NEW"] }, "A"],
          [{ fields: { team_size: 5 } }, "AB"],
          [{ fields: { team_size: 5, vip: true } }, "B"],
          [{ fields: { nickname: "üNIQUE" } }, "C"],
          [{ fields: { renewal: "2027-02-28" } }, "C"],
          [{ tags: ["vip"], fields: { segment: "SMALL" } }, "A"],
          [{ tags: ["vip"], score_min: 50 }, "B"],
          [{ tags: ["none"] }, ""]
        ] as const
        for (const [input, names] of searches) assert.strictEqual(yield* found(input), names, JSON.stringify(input))
        yield* ok("lead.filter.save", { name: "Best", filter: { tags: ["vip"], score_min: 50 } })
        yield* ok("lead.filter.save", { name: "all", filter: {} })
        assert.strictEqual(yield* found({ saved_filter: "BEST" }), "B")
        assert.strictEqual(yield* found({ saved_filter: "best", score_min: 0 }), "AB")
        assert.deepStrictEqual((yield* ok("lead.filter.list", {})).filters, [
          { name: "all", filter: {} },
          { name: "Best", filter: { tags: ["vip"], score_min: 50 } }
        ])
        yield* ok("lead.filter.save", { name: "best", filter: null })
        assert.match(yield* refused("lead.search", { saved_filter: "best" }), /^404 NOT_FOUND /)
        assert.deepStrictEqual((yield* ok("lead.field.list", {})).tags, ["new", "vip"])
        yield* lead({ email: "a@x.example", tags: [], fields: { team_size: null } })
        assert.strictEqual(yield* found({ tags: ["vip"] }), "B")
        assert.strictEqual(yield* found({ fields: { team_size: 5 } }), "B")
        assert.deepStrictEqual((yield* ok("lead.field.list", {})).tags, ["vip"])
      }).pipe(inOrganization("org_found"))
    )

    it.effect("are filled by files and lists, which keep what a person entered, for a mission", () =>
      Effect.gen(function* () {
        yield* define
        yield* mission
        const email = "ada@x.example"
        yield* lead({ email, fields: { segment: "Large", nickname: null }, tags: ["mine"] })
        const content = `Email,Team size,Kind of company,nickname,Tags\n${email},12,small,Countess,theirs\nb@x.example,7,Small,,theirs`
        yield* ok("import.csv", { mission_id: "spring", content })
        const filled = { fields: { team_size: 12, segment: "Large", nickname: "Countess" }, tags: ["mine"] }
        assert.deepInclude(yield* get(email), filled)
        yield* ok("import.leads.add", {
          mission_id: "spring",
          leads: [{ email, fields: { team_size: 13, vip: true } }]
        })
        assert.deepInclude(yield* get(email), { fields: { ...filled.fields, team_size: 13, vip: true } })
        assert.strictEqual(yield* found({ tags: ["theirs"], mission_id: "spring" }), "B")
        const unknown = { mission_id: "spring", leads: [{ email, fields: { team_sise: 1 } }] }
        assert.match(yield* refused("import.leads.add", unknown), /Did you mean team_size\?/)
      }).pipe(inOrganization("org_filled"))
    )

    it.effect("are exported, follow a merge, and leave with an erasure", () =>
      Effect.gen(function* () {
        yield* define
        const winner = yield* lead({ email: "a@x.example", tags: ["one"], fields: { team_size: 1 } })
        const loser = yield* lead({ email: "b@x.example", tags: ["ONE", "two"], fields: { team_size: 2, vip: true } })
        yield* ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] })
        const merged = { fields: { team_size: 1, vip: true }, tags: ["one", "two"] }
        assert.deepInclude(yield* get("b@x.example"), merged)
        assert.deepStrictEqual((yield* ok("lead.search", { tags: ["two"] })).count, 1)
        const { leads } = (yield* ok("lead.export", { lead_id: winner })).export
        assert.deepInclude(leads[0], { ownFields: merged.fields, tags: merged.tags })
        yield* ok("lead.erase", { lead_id: winner, confirm: winner })
        assert.deepStrictEqual((yield* ok("lead.search", { tags: ["two"] })).count, 0)
        assert.deepStrictEqual((yield* ok("lead.field.list", {})).tags, [])
      }).pipe(inOrganization("org_followed"))
    )
  })
)
