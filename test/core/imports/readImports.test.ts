import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { leadFieldsOf } from "#core/imports/ImportRunner.ts"
import { exampleSearch } from "#core/imports/importSearch.ts"
import { readLeadItem } from "#core/leads/upsertLeads.ts"
import { personAt } from "#memory/simulator/SimulatedPeople.ts"
import { owner } from "../../support/memory.ts"
import { ok, refused } from "../../support/World.ts"
import { importWorkspace, searchUrl, seeded } from "./importWorkspace.ts"

describe("import.sales-nav.parse", () => {
  it.effect("takes a search apart and explains it", () =>
    Effect.gen(function* () {
      const parsed = yield* ok("import.sales-nav.parse", { url: `${exampleSearch}&savedSearchId=12&page=4` })
      assert.deepStrictEqual(parsed.filters, [
        {
          type: "SENIORITY_LEVEL",
          name: "seniority level",
          values: [{ id: "310", text: "CXO", selection_type: "INCLUDED" }]
        }
      ])
      assert.deepStrictEqual([parsed.keywords, parsed.saved_search_id, parsed.unknown], ["fintech", "12", []])
      assert.match(String(parsed.fingerprint), /^[0-9a-f]{64}$/)
      assert.include(String(parsed.explanation), 'match the keywords "fintech"')
      assert.include(String(parsed.warnings), "page 4")
    }).pipe(Effect.provide(importWorkspace))
  )

  it.effect("names what is wrong with an address", () =>
    Effect.gen(function* () {
      const parse = (url: string) => refused("import.sales-nav.parse", { url })
      assert.include(yield* parse("https://www.linkedin.com/in/ada"), "NOT_A_PEOPLE_SEARCH")
      assert.include(yield* parse("https://www.linkedin.com/sales/search/people?query=("), "INVALID_INPUT")
      assert.include(yield* parse("x".repeat(8_001)), "INVALID_INPUT url")
      assert.include(yield* parse(""), "INVALID_INPUT url")
    }).pipe(Effect.provide(importWorkspace))
  )
})

describe("import.get and import.list", () => {
  it.effect("page through imports, and shows none of another organization", () =>
    Effect.gen(function* () {
      yield* seeded
      for (const keywords of ["sim-1 a", "sim-1 b", "sim-1 c"]) {
        yield* ok("import.sales-nav.search", { url: searchUrl(keywords), mission_id: "spring-outreach" })
      }
      const first = yield* ok("import.list", { limit: 2 })
      const second = yield* ok("import.list", { limit: 2, cursor: first.next_cursor })
      const names = [...Object(first.imports), ...Object(second.imports)].map(({ name }) => name)
      assert.deepStrictEqual(
        new Set(names.map((name: string) => name.slice(17, 24))),
        new Set(["sim-1 a", "sim-1 b", "sim-1 c"])
      )
      assert.isNull(second.next_cursor)
      const [{ import_id }] = Object(first.imports)
      const other = { actor: owner("org_b") }
      assert.include(yield* refused("import.get", { import_id }, other), "NOT_FOUND")
      assert.include(yield* refused("import.get", { import_id: "imp_nothing" }), "NOT_FOUND")
      assert.deepStrictEqual((yield* ok("import.list", {}, other)).imports, [])
      assert.include(yield* refused("import.list", { cursor: first.next_cursor }, other), "INVALID_CURSOR")
      assert.deepStrictEqual((yield* ok("import.list", { state: "failed" })).imports, [])
    }).pipe(Effect.provide(importWorkspace))
  )
})

describe("a found person", () => {
  it("becomes a lead whatever the provider's texts are", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 900 }),
      fc.constantFrom("", "a\nb", "\0", "😀".repeat(600))
    )
    fc.assert(
      fc.property(
        hostile,
        hostile,
        fc.oneof(
          hostile,
          hostile.map((text) => `https://x.org/${text}`)
        ),
        fc.nat(500),
        (name, text, address, place) => {
          const person = personAt("f", place)
          const fields = leadFieldsOf({
            ...person,
            firstName: name,
            lastName: text,
            headline: text,
            jobTitle: text,
            company: name,
            location: text,
            publicSlug: address.slice(9),
            pictureUrl: address
          })
          const read = readLeadItem(fields)
          assert.isTrue(Result.isSuccess(read), JSON.stringify(read))
        }
      )
    )
  })

  it("keeps a picture only when it has a web address, and its identifiers always", () => {
    const person = personAt("f", 2)
    const fields = leadFieldsOf({ ...person, pictureUrl: "https://media.example.com/1.jpg" })
    assert.strictEqual(fields.avatar_url, "https://media.example.com/1.jpg")
    assert.isUndefined(leadFieldsOf({ ...person, pictureUrl: "javascript:alert(1)" }).avatar_url)
    assert.strictEqual(fields.sales_nav_id, person.salesNavToken)
    assert.strictEqual(fields.linkedin_id, `urn:li:member:${person.memberId}`)
    assert.strictEqual(leadFieldsOf(personAt("f", 0)).linkedin_id, personAt("f", 0).profileToken)
  })
})
