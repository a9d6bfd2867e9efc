/** Imports in the page: the head of a file, the fields of its columns, and words. */
import { assert, describe, it } from "@effect/vitest"
import { fieldName, leadFields } from "#console/imports/fields.ts"
import { outcomes, reasonName, rowsRead, stateName } from "#console/imports/Imports.ts"
import { headOf, textOf } from "#console/imports/table.ts"
import { columnFields } from "#core/imports/csv/columnNames.ts"

describe("the head of a file", () => {
  it("is read in the encodings and with the delimiters that an import takes", () => {
    const utf8 = new TextEncoder().encode("Grüße é")
    assert.strictEqual(textOf(utf8.subarray(0, utf8.length - 1)), "Grüße ")
    assert.strictEqual(textOf(Buffer.from("\ufeffäb", "utf16le")), "äb")
    assert.strictEqual(textOf(Buffer.from("Köln", "latin1")), "Köln")
    for (const delimiter of [",", ";", "\t", "|"]) {
      const { columns, rows } = headOf(
        `${["A", '"B ""x"""'].join(delimiter)}\r\n1${delimiter}"two\r\nlines"\r\n\r\n 2 ${delimiter}3`
      )
      assert.deepStrictEqual(
        [columns, ...rows],
        [
          ["A", 'B "x"'],
          ["1", "two\r\nlines"],
          ["2", "3"]
        ]
      )
    }
    assert.deepStrictEqual(headOf("sep=;\r\na,b;c\r\n1;2").columns, ["a,b", "c"])
  })

  it("can fill each field that the service knows", () => {
    assert.sameMembers(
      [...columnFields.keys()],
      leadFields.map(([name]) => name)
    )
    assert.strictEqual(fieldName("company_linkedin_url"), "Company LinkedIn URL")
  })
})

describe("an import", () => {
  it("is told in words", () => {
    const counts = { created_count: 5, updated_count: 0, skipped_count: 2, invalid_count: 0 }
    assert.strictEqual(outcomes(counts as Parameters<typeof outcomes>[0]), "5 created, 2 skipped")
    assert.strictEqual(rowsRead({ progress: { seen: 1, limit: null, has_more: false } }), "1 row")
    assert.strictEqual(stateName("cancelled"), "Cancelled")
    assert.deepStrictEqual(
      [reasonName("INVALID_EMAIL"), reasonName("PAYLOAD_TOO_LARGE")],
      ["Not an email address", "payload too large"]
    )
  })
})
