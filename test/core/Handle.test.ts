import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { Handle, isHandle, slugify, withSuffix } from "#core/kernel/schema/Handle.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { cpuMillis } from "../support/cpuMillis.ts"

const grammar = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.string({ minLength: 60, maxLength: 200 })
)

describe("Handle", () => {
  it("takes the grammar and nothing else", () => {
    const decode = Schema.decodeUnknownSync(Handle)
    for (const text of ["a", "0", "a-b", "a--b", "a".repeat(64)]) assert.strictEqual(decode(text), text)
    for (const text of ["", "-a", "a-", "A", "a_b", "a b", "é", "a\n", "a".repeat(65)]) {
      assert.throws(() => decode(text), "Expected 1 to 64 characters of a-z, 0-9 and -")
    }
    assert.deepEqual(jsonSchemaOf(Handle), {
      type: "string",
      maxLength: 64,
      pattern: grammar.source,
      description: "Handle: lower-case letters, digits and hyphens."
    })
  })
})

describe("slugify", () => {
  it.each([
    ["Autumn Outreach 2026", "autumn-outreach-2026"],
    ["Zoë & Łukasz's Offer", "zoe-lukaszs-offer"],
    ["  Straße — Ærø/Þórr  ", "strasse-aero-thorr"],
    ["İstanbul ıssız", "istanbul-issiz"],
    ["ﬁne №5 ½", "fine-no5-1-2"],
    ["ÅNGSTRÖM", "angstrom"],
    ["日本 Tour", "tour"],
    ["日本", "mis-7k"],
    ["!!!", "mis-7k"]
  ])("makes %s into %s", (name, slug) => {
    assert.strictEqual(slugify(name, "mis_7K"), slug)
  })

  it("always gives a handle, and keeps handles but for repeated hyphens", () => {
    fc.assert(fc.property(anyText, anyText, (name, fallback) => assert.match(slugify(name, fallback), grammar)))
    fc.assert(
      fc.property(fc.stringMatching(grammar), (handle) =>
        assert.strictEqual(slugify(handle, "x"), handle.replace(/-+/g, "-"))
      )
    )
    assert.strictEqual(slugify("", ""), "unnamed")
  })

  it("stays quick on hostile text", () => {
    for (const part of ["-", "'", "\u0301\u0316", "a-"])
      assert.isBelow(
        cpuMillis(() => slugify(part.repeat(100_000), "x")),
        500
      )
  })
})

describe("withSuffix", () => {
  it("gives a different handle for every number", () => {
    assert.strictEqual(withSuffix("offer", 2), "offer-2")
    assert.strictEqual(withSuffix("a".repeat(64), 12), `${"a".repeat(61)}-12`)
    assert.strictEqual(withSuffix(`${"a".repeat(60)}---b`, 2), `${"a".repeat(60)}-2`)
    fc.assert(
      fc.property(fc.stringMatching(grammar), fc.integer({ min: 2, max: 1_000_000 }), (handle, n) => {
        assert.isTrue(isHandle(withSuffix(handle, n)))
        assert.notStrictEqual(withSuffix(handle, n), withSuffix(handle, n + 1))
      })
    )
  })
})
