import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { compareText } from "#core/leads/identity/Identity.ts"

it("texts are in the order of their UTF-8 bytes, as those of a database", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", "b", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{1f600}")
  })
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      assert.strictEqual(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
    })
  )
})
