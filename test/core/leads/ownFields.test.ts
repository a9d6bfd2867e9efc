import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { labelsOf } from "#core/leads/ownFields.ts"
import { keyed, lead, ok, refused } from "../../support/World.ts"
import { addMission, events, leadWorld, missionRow, upsert } from "./leadWorld.ts"

const email = "ada@example.com"

const define = Effect.forEach(
  [
    { key: "team_size", type: "number" },
    { key: "segment", label: "Segment", type: "choice", choices: ["Small", "Large"] },
    { key: "renewal", label: "Renewal date, if any", type: "date" },
    { key: "vip", type: "boolean" },
    { key: "nickname", type: "text" }
  ],
  (field) => ok("lead.field.set", field)
)

const get = Effect.map(ok("lead.get", { email }), ({ fields, tags }) => ({ fields, tags }))

const all = { team_size: 12, segment: "large", renewal: "2027-02-28", vip: false, nickname: "Countess" }

describe("fields of an organization's own", () => {
  it.effect("are defined, changed, archived and listed with the tags in use", () =>
    Effect.gen(function* () {
      const { field } = yield* ok("lead.field.set", { key: "team_size", type: "number" })
      assert.deepStrictEqual(field, {
        key: "team_size",
        label: "Team size",
        type: "number",
        choices: [],
        archived: false
      })
      yield* ok("lead.field.set", { key: "segment", type: "choice", choices: ["Small"] })
      yield* ok("lead.field.set", { key: "segment", choices: ["Small", "Large"], label: "Kind" })
      yield* ok("lead.field.set", { key: "team_size", archived: true })
      yield* upsert({ email, tags: ["VIP", "beta", "vip"] })
      const { fields, tags } = yield* ok("lead.field.list", {})
      assert.deepStrictEqual(
        fields.map(({ archived, choices, key, label }: Record<string, unknown>) => [key, label, choices, archived]),
        [
          ["team_size", "Team size", [], true],
          ["segment", "Kind", ["Small", "Large"], false]
        ]
      )
      assert.deepStrictEqual(tags, ["beta", "vip"])
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("keep their key and type, their choices and their number", () =>
    Effect.gen(function* () {
      yield* define
      const wrong: ReadonlyArray<readonly [input: object, message: RegExp]> = [
        [{ key: "Team", type: "text" }, /key must be lower-case letters/],
        [{ key: "company", type: "text" }, /company is a field of every lead/],
        [{ key: "constructor", type: "text" }, /is a field of every lead/],
        [{ key: "new" }, /type: required for a new field/],
        [{ key: "vip", type: "text" }, /vip is of type boolean/],
        [{ key: "new", type: "choice" }, /choices: required/],
        [{ key: "vip", choices: ["a"] }, /choices: required for a choice, only for that/],
        [{ key: "segment", choices: ["Large"] }, /Send them too/],
        [{ key: "segment", choices: ["Small", "Large", "large"] }, /two differ only in case/],
        [{ key: "new", type: "text", label: "SEGMENT" }, /field segment has the same one/]
      ]
      for (const [input, message] of wrong) {
        const error = yield* refused("lead.field.set", input)
        assert.match(error, /^400 INVALID_INPUT /)
        assert.match(error, message)
      }
      for (let count = 5; count < 50; count++) yield* ok("lead.field.set", { key: `more_${count}`, type: "text" })
      assert.match(yield* refused("lead.field.set", { key: "last", type: "text" }), /maximum is 50/)
      yield* ok("lead.field.set", { key: "vip", archived: true })
      yield* ok("lead.field.set", { key: "last", type: "text" })
      assert.match(yield* refused("lead.field.set", { key: "vip", archived: false }), /maximum is 50/)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("are written by key, kept, changed and cleared, and events say which", () =>
    Effect.gen(function* () {
      yield* define
      yield* upsert({ email, fields: all, tags: ["One"] })
      const stored = { ...all, segment: "Large" }
      assert.deepStrictEqual(yield* get, { fields: stored, tags: ["One"] })
      yield* upsert({ email, fields: { segment: "LARGE", vip: "no", team_size: "12" } })
      assert.lengthOf(yield* events, 1, "the same values are no change")
      yield* upsert({ email, fields: { nickname: null, renewal: "", team_size: 13 }, tags: [] })
      assert.deepStrictEqual(yield* get, { fields: { segment: "Large", team_size: 13, vip: false }, tags: [] })
      const changed = ["tags", "fields.team_size", "fields.renewal", "fields.nickname"]
      assert.sameMembers(Object((yield* events).at(-1)?.data)["changed"], changed)
      const { leads } = (yield* ok("lead.export", { lead_id: (yield* ok("lead.get", { email })).lead_id })).export
      assert.deepInclude(leads[0], { ownFields: { segment: "Large", team_size: 13, vip: false } })
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("take only values of their kind, by keys that exist", () =>
    Effect.gen(function* () {
      yield* define
      const wrong: ReadonlyArray<readonly [fields: object, message: string]> = [
        [{ team_sise: 1 }, 'fields: "team_sise" is not a field. Did you mean team_size? lead.field.list lists all.'],
        [{ team_size: "twelve" }, "fields.team_size must be a number."],
        [{ renewal: "2027-02-29" }, "fields.renewal must be a date such as 2026-01-31."],
        [{ segment: "Huge" }, 'fields.segment must be one of "Small, Large".'],
        [{ vip: "perhaps" }, "fields.vip must be true or false."],
        [{ nickname: true }, "fields.nickname must be a text of at most 500 characters."]
      ]
      for (const [fields, message] of wrong) {
        const error = yield* refused("lead.upsert", { email, fields })
        assert.strictEqual(error, `400 INVALID_INPUT ${message}`)
      }
      yield* ok("lead.field.set", { key: "vip", archived: true })
      const error = yield* refused("lead.upsert", { email, fields: { vip: true } })
      assert.match(error, /archived/)
      assert.match(yield* refused("lead.get", { email }), /NOT_FOUND/, "nothing was written")
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("stay as they were in a dry run", () =>
    Effect.gen(function* () {
      yield* define
      yield* upsert({ email, fields: { team_size: 1 } })
      const dry = { options: { ...defaultOptions, dryRun: true } }
      yield* upsert({ email, fields: { team_size: 2 } }, dry)
      yield* ok("lead.field.set", { key: "dry", type: "text" }, dry)
      assert.deepStrictEqual((yield* get).fields, { team_size: 1 })
      assert.lengthOf((yield* ok("lead.field.list", {})).fields, 5)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("follow a merge: values by key, tags united", () =>
    Effect.gen(function* () {
      yield* define
      const winner_lead_id = yield* lead({
        email,
        tags: ["a", "B"],
        fields: { team_size: 1, vip: false, nickname: "x" }
      })
      yield* upsert({ email, fields: { nickname: null } })
      const other = {
        email: "b@example.com",
        tags: ["b", "c"],
        fields: { vip: true, renewal: "2027-01-01", nickname: "y" }
      }
      yield* ok("lead.merge", { winner_lead_id, loser_lead_ids: [yield* lead(other)] })
      const fields = { team_size: 1, vip: false, renewal: "2027-01-01" }
      assert.deepStrictEqual(yield* get, { fields, tags: ["a", "B", "c"] })
      const many = (letter: string) => Array.from({ length: 50 }, (_, at) => `${letter}${at}`)
      yield* upsert({ email, tags: many("x") })
      const loser = yield* lead({ email: "c@example.com", tags: many("y") })
      yield* ok("lead.merge", { winner_lead_id, loser_lead_ids: [loser] })
      assert.sameMembers((yield* get).tags, [...many("x"), ...many("y")])
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("are filled by imports, which keep what a person entered or cleared", () =>
    Effect.gen(function* () {
      yield* define
      yield* addMission(missionRow("mis_1"))
      const post = (fields: object, tags: ReadonlyArray<string>) =>
        ok("import.leads.add", { mission_id: "mis_1", leads: [{ email, fields, tags }] })
      yield* post({ team_size: 1, segment: "small", nickname: "a" }, ["imported"])
      yield* upsert({ email, fields: { segment: "Large", nickname: null } })
      yield* post({ team_size: 2, segment: "small", nickname: "b", vip: null }, ["again"])
      assert.deepStrictEqual(yield* get, { fields: { team_size: 2, segment: "Large" }, tags: ["again"] })
      yield* upsert({ email, tags: ["mine"] })
      yield* post({}, ["again"])
      assert.deepStrictEqual((yield* get).tags, ["mine"])
      const error = yield* refused("import.leads.add", {
        mission_id: "mis_1",
        leads: [{ email, fields: { x: 1 } }]
      })
      assert.match(error, /leads\[0\]: fields: "x" is not a field/)
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("are filled by the columns of their keys, whatever others are labelled, and by none without a name", () =>
    Effect.gen(function* () {
      yield* ok("lead.field.set", { key: "team_size", label: "Headcount", type: "number" })
      yield* ok("lead.field.set", { key: "other", label: "Team size", type: "number" })
      yield* ok("lead.field.set", { key: "price", label: "€", type: "text" })
      yield* addMission(missionRow("mis_1"))
      const content = ["E-mail,team_size,", "ada@example.com,12,7"].join("\n")
      const { mapping } = yield* ok("import.csv", { mission_id: "mis_1", content })
      assert.deepStrictEqual(
        mapping.map(({ field }: { readonly field: string | null }) => field),
        ["email", "fields.team_size", null]
      )
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("are filled by columns, and a row with a cell of another kind is refused", () =>
    Effect.gen(function* () {
      yield* define
      yield* ok("lead.field.set", { key: "sector", label: "Industry sector", type: "text" })
      yield* ok("lead.field.set", { key: "mail", label: "E-mail", type: "text" })
      yield* ok("lead.field.set", { key: "gone", type: "text" })
      yield* ok("lead.field.set", { key: "gone", archived: true })
      yield* addMission(missionRow("mis_1"))
      const content = [
        "E-mail;Team Size;SEGMENT;Renewal date (if any);Very important;Tags;sector;Gone;Company",
        "ada@example.com;12,5;large;2027-01-31T10:00:00Z;yes;one|two, One;Banks;x;Acme",
        "bob@example.com;many;huge;31.1.2027;perhaps;;-;x;Beta"
      ].join("\n")
      const input = { mission_id: "mis_1", content, mapping: { "Very important": "fields.vip" } }
      const dry = { options: { ...defaultOptions, dryRun: true } }
      const first = {
        email,
        "fields.team_size": 12.5,
        "fields.segment": "Large",
        "fields.renewal": "2027-01-31",
        "fields.vip": true,
        tags: ["one", "two", "One"],
        "fields.sector": "Banks",
        company: "Acme"
      }
      const other = {
        email: "bob@example.com",
        "fields.team_size": "many",
        "fields.segment": "huge",
        "fields.renewal": "31.1.2027",
        "fields.vip": "perhaps",
        company: "Beta"
      }
      assert.deepStrictEqual((yield* ok("import.csv", input, dry)).preview, [first, other])
      const { created_count, mapping, refused_rows, state } = yield* ok("import.csv", input)
      assert.deepStrictEqual([state, created_count], ["completed", 1])
      assert.match(refused_rows[0].message, /^fields\.\w+ must be /)
      assert.deepStrictEqual(
        mapping.map(({ field, match }: Record<string, unknown>) => `${field} ${match}`),
        [
          "email guessed",
          "fields.team_size matched",
          "fields.segment matched",
          "fields.renewal matched",
          "fields.vip matched",
          "tags matched",
          "fields.sector matched",
          "null ignored",
          "company matched"
        ]
      )
      assert.deepStrictEqual(yield* get, {
        fields: { team_size: 12.5, segment: "Large", renewal: "2027-01-31", vip: true, sector: "Banks" },
        tags: ["one", "two"]
      })
      const typo = { ...input, mapping: { "Very important": "fields.vipp" } }
      assert.match(yield* refused("import.csv", typo), /Did you mean fields\.vip\?/)
    }).pipe(Effect.provide(leadWorld))
  )
})

describe("searches by own fields and tags", () => {
  const found = (input: object) =>
    Effect.map(ok("lead.search", { sort: "name", ...input }), ({ count, leads }) => {
      assert.strictEqual(count, leads.length)
      return leads.map(({ name }: { readonly name: string }) => name).join("")
    })

  const fill = Effect.andThen(
    define,
    Effect.forEach(
      [
        { name: "A", tags: ["VIP", "new"], fields: { team_size: 5, segment: "Small" } },
        { name: "B", tags: ["vip"], fields: { team_size: 5, vip: true }, score: 90 },
        { name: "C", fields: { nickname: "Ünique", vip: false } }
      ],
      (one) => upsert({ email: `${one.name}@example.com`, ...one })
    )
  )

  it.effect("find all of them, and show both", () =>
    Effect.gen(function* () {
      yield* fill
      assert.strictEqual(yield* found({ tags: ["Vip"] }), "AB")
      assert.strictEqual(yield* found({ tags: ["vip", "NEW"] }), "A")
      assert.strictEqual(yield* found({ fields: { team_size: 5 } }), "AB")
      assert.strictEqual(yield* found({ fields: { team_size: "5", vip: true } }), "B")
      assert.strictEqual(yield* found({ fields: { nickname: "üNIQUE" } }), "C")
      // Written as upsert takes it.
      assert.strictEqual(yield* found({ fields: { team_size: "5.0", vip: "yes" } }), "B")
      assert.strictEqual(yield* found({ tags: ["vip"], fields: { segment: "SMALL" }, score_min: 0 }), "A")
      assert.strictEqual(yield* found({ tags: ["none"] }), "")
      const error = yield* refused("lead.search", { fields: { segmnt: "x" } })
      assert.match(error, /Did you mean segment\?/)
      const [a] = (yield* ok("lead.search", { tags: ["new"] })).leads
      assert.deepInclude(a, { tags: ["VIP", "new"], fields: { team_size: 5, segment: "Small" } })
    }).pipe(Effect.provide(leadWorld))
  )

  it.effect("can be saved, which those that are sent win over", () =>
    Effect.gen(function* () {
      yield* fill
      yield* ok("lead.filter.save", { name: "Best", filter: { tags: ["vip"], score_min: 50 } })
      assert.strictEqual(yield* found({ saved_filter: "BEST" }), "B")
      assert.strictEqual(yield* found({ saved_filter: "best", score_min: 0 }), "AB")
      yield* ok("lead.filter.save", { name: "best", filter: { fields: { vip: false } } }, keyed("again"))
      yield* ok("lead.filter.save", { name: "All", filter: {} })
      const { filters } = yield* ok("lead.filter.list", {})
      const shown = [
        ["All", {}],
        ["best", { fields: { vip: false } }]
      ]
      assert.deepStrictEqual(
        filters.map(({ filter, name }: Record<string, unknown>) => [name, filter]),
        shown
      )
      assert.strictEqual(yield* found({ saved_filter: "Best" }), "C")
      yield* ok("lead.filter.save", { name: "BEST", filter: null })
      for (const [command, input] of [
        ["lead.search", { saved_filter: "best" }],
        ["lead.filter.save", { name: "best", filter: null }]
      ] as const) {
        assert.match(yield* refused(command, input), /NOT_FOUND/)
      }
      const typo = yield* refused("lead.filter.save", { name: "x", filter: { fields: { vipp: true } } })
      assert.match(typo, /Did you mean vip\?/)
      assert.match(yield* refused("lead.filter.save", { name: "x", filter: { email } }), /UNKNOWN_FIELD/)
      for (let count = 1; count < 100; count++) yield* ok("lead.filter.save", { name: `F${count}`, filter: {} })
      assert.match(yield* refused("lead.filter.save", { name: "x", filter: {} }), /maximum is 100/)
    }).pipe(Effect.provide(leadWorld))
  )
})

describe("labelsOf", () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean()
  )
  const content = fc.record({
    tags: fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 5 }),
    ownFields: fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/), value, { maxKeys: 5 })
  })

  it("has one label for each value, which a filter of the same values asks for", () => {
    fc.assert(
      fc.property(content, ({ ownFields, tags }) => {
        const labels = labelsOf({ tags, ownFields })
        assert.lengthOf(labels, tags.length + Object.keys(ownFields).length)
        for (const { value } of labels) {
          assert.isAtMost([...value].length, 200)
          assert.isTrue(value.isWellFormed())
        }
        const again = labelsOf({
          tags: labels.flatMap(({ name, value }) => (name === "" ? [value] : [])),
          ownFields: Object.fromEntries(labels.flatMap(({ name, value }) => (name === "" ? [] : [[name, value]])))
        })
        assert.sameDeepMembers([...again], [...labels], "a label in normal form stays")
      })
    )
  })

  it("tells values apart as people do, whatever case and spelling they have", () => {
    const values = (value: string | number | boolean) => labelsOf({ ownFields: { a: value } }).map((one) => one.value)
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.strictEqual(Number(values(number)[0]), number === 0 ? 0 : number)
      })
    )
    assert.deepStrictEqual([values(-0), values(1e21), values(true)], [["0"], ["1e+21"], ["true"]])
    assert.deepStrictEqual(values(" ÉCOLE "), values("école"))
    assert.deepStrictEqual(labelsOf({}), [])
  })
})
