/** What a refused input is told: short, safe to show, and true to the published schema. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { NotFound, UnknownField } from "#core/kernel/failure/failures.ts"
import { decoder } from "#core/kernel/schema/Decode.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { SearchLeads } from "#core/leads/commands/SearchLeads.ts"

const nothing = Schema.Struct({})
const few = Schema.Struct({ name: Schema.String, list: Schema.optionalKey(Schema.Array(Schema.Int)) })

const messageOf = (schema: Schema.Codec<unknown, unknown>, input: unknown): string => {
  const result = decoder(schema)(input)
  assert.isTrue(Result.isFailure(result))
  return Result.isFailure(result) ? result.failure.message : ""
}

describe("an input without fields", () => {
  it("takes the empty object only", () => {
    assert.isTrue(Result.isSuccess(decoder(nothing)({})))
    assert.deepStrictEqual(
      decoder(nothing)({ extra: 1 }),
      Result.fail(new UnknownField({ message: "extra is not a known field. There are no input fields: send {}." }))
    )
  })

  it("is published as an object without properties", () => {
    assert.deepStrictEqual(jsonSchemaOf(nothing), { type: "object", properties: {}, additionalProperties: false })
  })
})

describe("a message", () => {
  it("does not repeat a field name that a terminal would act on", () => {
    const message = messageOf(few, { name: "x", "\u001b[31m\u202e": 1 })
    assert.strictEqual(message, '"\\u{1b}[31m\\u{202e}" is not a known field. Known fields: name, list.')
  })

  it("does not repeat a long field name", () => {
    assert.isBelow(messageOf(few, { name: "x", ["y".repeat(3_000)]: 1 }).length, 120)
  })

  it("ends once, also after a guess", () => {
    assert.strictEqual(messageOf(few, { nmae: "x", name: "x" }), "nmae is not a known field. Did you mean name?")
  })

  it("has room for a few problems and counts the others", () => {
    const list = Array.from({ length: 50 }, () => "x".repeat(200))
    const message = messageOf(few, { name: "x", list })
    assert.isBelow(message.length, 600)
    assert.match(message, /^list\[0\] .*; and 45 more\.$/)
  })

  it("of a thing that is not there shows a strange id safely", () => {
    assert.include(new NotFound({ kind: "draft", id: "\u202ex" }).message, '"\\u{202e}x"')
    assert.isBelow(new NotFound({ kind: "draft", id: "👍🏽".repeat(30) }).message.length, 170)
  })
})

describe("a number", () => {
  it("is published as one, without the names of what is none", () => {
    assert.notInclude(JSON.stringify(jsonSchemaOf(SearchLeads.input)), "Infinity")
    assert.notInclude(JSON.stringify(jsonSchemaOf(SearchLeads.output)), "NaN")
  })
})
