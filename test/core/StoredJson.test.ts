import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { StoredJson, writeJson } from "#core/kernel/schema/Json.ts"

describe("writeJson", () => {
  it("writes stored texts as they are, and everything else as JSON.stringify does", () => {
    const json = fc.jsonValue()
    fc.assert(
      fc.property(fc.array(fc.tuple(json, fc.boolean())), json, (values, beside) => {
        const items = values.map(([value, isStored]) =>
          isStored ? new StoredJson(Buffer.from(JSON.stringify(value, null, 1))) : value
        )
        assert.strictEqual(
          String(writeJson({ data: { items, beside } })),
          `{"data":{"items":[${values.map(([value, isStored]) => JSON.stringify(value, null, isStored ? 1 : 0)).join(",")}],"beside":${JSON.stringify(beside)}}}`
        )
      })
    )
  })

  it("adds what is not in the stored bytes", () => {
    const stored = new StoredJson(Buffer.from('{"a":1}'), { b: "é" })
    assert.strictEqual(String(writeJson({ data: { items: [stored] } })), '{"data":{"items":[{"a":1,"b":"é"}]}}')
  })
})
