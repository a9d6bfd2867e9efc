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

  it("returns the same bytes for equal responses to one read, and others for any other", () => {
    const [first, second, third] = [1, 2, 3].map((id) => new StoredJson(Buffer.from(`{"id":${id}}`)))
    const written = (items: ReadonlyArray<unknown>, next: string | null) => writeJson({ data: { items, next } })
    const page = written([first, second], null)
    assert.strictEqual(written([first, second], null), page)
    assert.strictEqual(String(written([first, third], null)), '{"data":{"items":[{"id":1},{"id":3}],"next":null}}')
    assert.strictEqual(String(written([first, second], "n")), '{"data":{"items":[{"id":1},{"id":2}],"next":"n"}}')
    assert.deepStrictEqual(written([first, second], null), page)
  })

  it("adds what is not in the stored bytes", () => {
    const stored = new StoredJson(Buffer.from('{"a":1}'), { b: "é" })
    assert.strictEqual(String(writeJson({ data: { items: [stored] } })), '{"data":{"items":[{"a":1,"b":"é"}]}}')
  })
})
