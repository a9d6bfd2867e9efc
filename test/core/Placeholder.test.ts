import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findPlaceholders } from "#core/kernel/schema/TextFields.ts"

describe("findPlaceholders", () => {
  it("finds the marks of templates, in their order, each once", () => {
    const text =
      "Hi {{first_name}}, [Your Company] and %CITY% with {role}, <first name>, $" +
      "{link}, __NAME__, TODO, {{first_name}}"
    assert.deepStrictEqual(findPlaceholders(text, 20), [
      "{{first_name}}",
      "[Your Company]",
      "%CITY%",
      "{role}",
      "<first name>",
      `$${"{link}"}`,
      "__NAME__",
      "TODO"
    ])
    assert.deepStrictEqual(findPlaceholders("{a1} {b1} {c1}", 2), ["{a1}", "{b1}"])
    assert.deepStrictEqual(findPlaceholders("Insert Company Name Here, XXX"), ["Insert Company Name Here", "XXX"])
    assert.deepStrictEqual(findPlaceholders("{{}} {{ prénom }} [Prénom]"), ["{{}}", "{{ prénom }}", "[Prénom]"])
  })

  it("leaves plain writing alone", () => {
    for (const text of [
      "See [1] and [2], he said [sic] […] [...]",
      "Read [our guide](https://acme.com)",
      "50% off, 100% sure, 5%",
      "I <3 invoices; a < b > c; <b>bold</b>",
      "JSON is {} or { } or {1: 2}",
      "a todo list, TODOs, snake__case__names",
      "Room [B], option {}",
      "xx, Xerox"
    ]) {
      assert.deepStrictEqual(findPlaceholders(text), [], text)
    }
  })

  it("finds any name in double braces, wherever it stands", () => {
    const name = fc.stringMatching(/^[A-Za-z_ ]{1,40}$/)
    const around = fc.stringMatching(/^[a-z .,!?]{0,40}$/)
    fc.assert(
      fc.property(around, name, around, (before, inner, after) => {
        assert.include(findPlaceholders(`${before}{{${inner}}}${after}`), `{{${inner}}}`)
      })
    )
  })
})
