import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { format, list, maxDepth, parse, record, scalar } from "#core/imports/salesnav/RestLi.ts"
import { cpuMillis } from "../../../support/cpuMillis.ts"
import { effort } from "../../../support/effort.ts"
import { value } from "./searches.ts"

const failureOf = (text: string) => {
  const result = parse(text)
  assert.isTrue(Result.isFailure(result), `expected a failure for ${text.slice(0, 40)}`)
  return Result.isFailure(result) ? result.failure : assert.fail()
}

describe("RestLi", () => {
  it("reads records, lists and scalars, each scalar decoded once", () => {
    assert.deepStrictEqual(
      parse("(a:1,b:List((id:urn%3Ali%3Aorganization%3A1642,text:5%2C001%2D10%2C000),x y),c:(),d:List(),e:%2528)"),
      Result.succeed(
        record([
          ["a", scalar("1")],
          [
            "b",
            list([
              record([
                ["id", scalar("urn:li:organization:1642")],
                ["text", scalar("5,001-10,000")]
              ]),
              scalar("x y")
            ])
          ],
          ["c", record([])],
          ["d", list([])],
          ["e", scalar("%28")]
        ])
      )
    )
  })

  it("keeps bare colons, lone percent signs and bytes that are not UTF-8", () => {
    assert.deepStrictEqual(
      parse("(id:urn:li:organization:1642,text:100% of %FF%41)"),
      Result.succeed(
        record([
          ["id", scalar("urn:li:organization:1642")],
          ["text", scalar("100% of %FF%41")]
        ])
      )
    )
  })

  it("ignores spaces around punctuation", () => {
    assert.deepStrictEqual(parse(" ( a : List( (b : c ) , d ) ) "), parse("(a:List((b:c),d))"))
  })

  it.each([
    ["", 1, "a value"],
    ["(", 2, "a key"],
    ["(a", 3, '":"'],
    ["(a:b", 5, '"," or ")"'],
    ["(a:b,)", 6, "a key"],
    ["(a:b)x", 6, "nothing more"],
    ["(a:b(c))", 5, '"," or ")"'],
    ["(a:List(b,,c))", 11, "a value"],
    ["(a:List(b)(c))", 11, '"," or ")"'],
    ["(a:1,a:2)", 6, "each key at most once"],
    ["(a:5,001-10)", 12, '":"'],
    ["(a:b))", 6, "nothing more"]
  ])("refuses %j at character %d", (text, position, expected) => {
    const failure = failureOf(text)
    assert.strictEqual(failure.code, "INVALID_INPUT")
    assert.include(failure.message, `At character ${position} of`)
    assert.include(failure.message, `expected ${expected}`)
  })

  it("follows 32 levels and no more", () => {
    const nested = (levels: number) => `${"List(".repeat(levels)}x${")".repeat(levels)}`
    assert.isTrue(Result.isSuccess(parse(nested(maxDepth))))
    assert.include(failureOf(nested(maxDepth + 1)).message, "at most 32 levels")
  })

  it("reads back what it prints", () => {
    fc.assert(
      fc.property(value, (generated) => {
        assert.deepStrictEqual(parse(format(generated)), Result.succeed(generated))
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("prints what it read in one stable spelling of ASCII", () => {
    fc.assert(
      fc.property(value, (generated) => {
        const printed = format(generated)
        assert.match(printed, /^[!-~]*$/)
        assert.strictEqual(Result.getOrThrow(Result.map(parse(printed), format)), printed)
      })
    )
  })

  it("turns half a surrogate pair into U+FFFD instead of throwing", () => {
    assert.strictEqual(format(scalar("a\uD800b")), "a%EF%BF%BDb")
  })

  it("never throws, and what it accepts it can print and read again", () => {
    const grammarish = fc.string({
      unit: fc.constantFrom("(", ")", ":", ",", "List(", "a", "%28", "%", "'", " "),
      maxLength: 60
    })
    fc.assert(
      fc.property(fc.oneof(grammarish, fc.string({ unit: "binary", maxLength: 2_000 })), (text) => {
        const result = parse(text)
        if (Result.isSuccess(result)) assert.deepStrictEqual(parse(format(result.success)), result)
      }),
      { numRuns: effort(2_000) }
    )
  })

  it.each(["(", "List(", ")", ",", ":", "%", "%41", "%FF", "(a:", "List((", " ", "a", "'", "(a:b),"])(
    "takes 50,000 characters of %j in linear time",
    (unit) => {
      const garbage = unit.repeat(50_000 / unit.length)
      const spent = cpuMillis(() => {
        for (const text of [garbage, `(a:${garbage})`, `List(${garbage}`]) {
          const result = parse(text)
          if (Result.isFailure(result)) assert.isBelow(result.failure.message.length, 400)
        }
      })
      assert.isBelow(spent, 1_000)
    }
  )

  it("reads 10,000 fields and items in linear time", () => {
    const fields = Array.from({ length: 10_000 }, (_, index) => `k${index}:v`).join(",")
    const spent = cpuMillis(() => {
      assert.isTrue(Result.isSuccess(parse(`(${fields})`)))
      assert.isTrue(Result.isSuccess(parse(`List(${fields})`)))
    })
    assert.isBelow(spent, 1_000)
  })
})
