import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { StoredJson, writeJson } from "#core/kernel/schema/StoredJson.ts"

describe("writeJson", () => {
  it("writes stored texts as they are, and everything else as JSON.stringify does", () => {
    const json = fc.jsonValue()
    fc.assert(
      fc.property(fc.array(fc.tuple(json, fc.boolean())), json, (values, beside) => {
        const items = values.map(([value, isStored]) =>
          isStored ? new StoredJson(Buffer.from(JSON.stringify(value, null, 1))) : value
        )
        const text = String(writeJson({ items, beside }))
        assert.deepStrictEqual(
          text,
          `{"items":[${values.map(([value, isStored]) => JSON.stringify(value, null, isStored ? 1 : 0)).join(",")}],"beside":${JSON.stringify(beside)}}`
        )
        assert.deepStrictEqual(
          JSON.parse(JSON.stringify(items)),
          JSON.parse(JSON.stringify(values.map(([one]) => one)))
        )
      })
    )
  })

  it("leaves nothing behind when it fails", () => {
    const stored = new StoredJson(Buffer.from('{"a":1}'), { b: "é" })
    const circular: Record<string, unknown> = { stored }
    circular["self"] = circular
    assert.throws(() => writeJson(circular), TypeError)
    assert.strictEqual(JSON.stringify([stored]), '[{"a":1,"b":"é"}]')
    assert.strictEqual(String(writeJson([stored])), '[{"a":1,"b":"é"}]')
  })
})
