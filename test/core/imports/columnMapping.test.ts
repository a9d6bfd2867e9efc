/** What becomes of each column of a file: matched, guessed or ignored, and what a person is told of it. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { type Column, columnFields, columnWarnings, csvItemReader, readColumns } from "#core/imports/csv/columnNames.ts"
import { effort } from "../../support/effort.ts"

const columnsOf = (
  header: ReadonlyArray<string>,
  mapping: Readonly<Record<string, string | null>> = {},
  rows: ReadonlyArray<ReadonlyArray<string>> = []
): ReadonlyArray<Column> => Result.getOrThrow(readColumns(header, mapping, columnFields, rows))

/** What becomes of one column beside one that identifies people. */
const useOf = (name: string, cells: ReadonlyArray<string> = []): Column => {
  const rows = cells.map((cell) => ["1", cell])
  return columnsOf(["Custom id", name], {}, rows)[1] ?? assert.fail()
}

const usual = [...columnFields].flatMap(([field, { csv }]) =>
  csv === null ? [] : csv.split(", ").map((heading) => [heading, field] as const)
)

describe("a column", () => {
  it("under every usual heading is guessed, and under the name of its field matched", () => {
    for (const [heading, field] of usual) {
      assert.strictEqual(useOf(heading.toUpperCase()).field, columnFields.has(heading) ? heading : field, heading)
    }
    for (const field of columnFields.keys()) {
      if (field !== "status") assert.deepInclude(useOf(field.replaceAll("_", " ")), { field, match: "matched" })
    }
    assert.deepInclude(useOf("E-mail Address"), { field: "email", match: "guessed", header: null })
  })

  it("that probably identifies people is warned of, by its heading in any language or by its cells", () => {
    const found: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
      ["LinkedIn Profil URL", [], "linkedin_url"],
      ["Linked In (privat)", ["ada-lovelace"], "linkedin_url"],
      ["Perfil de LinkedIn", [], "linkedin_url"],
      ["领英", [], "linkedin_url"],
      ["Sales-Nav Lead", [], "sales_nav_id"],
      ["E-Mail geschäftlich", [], "email"],
      ["Courriel professionnel", [], "email"],
      ["Correo de trabajo", [], "email"],
      ["Correio", [], "email"],
      ["Почта", [], "email"],
      ["メールアドレス", [], "email"],
      ["Kontakt", ["", " ada@example.com "], "email"],
      ["Wo", ["https://de.linkedin.com/in/ada"], "linkedin_url"],
      ["Wo", ["linkedin.com/sales/lead/ACwAAA,NAME_SEARCH"], "sales_nav_id"],
      ["Email status", ["ada@example.com"], "email"]
    ]
    for (const [name, cells, header] of found) {
      const column = useOf(name, cells)
      assert.deepInclude(column, { field: null, match: "ignored", header }, name)
      const [warning = "", ...more] = columnWarnings([column])
      assert.deepStrictEqual(more, [])
      assert.include(warning, `column "${name}" is ignored, but looks like ${header}.`)
    }
  })

  it("about an address, of a company or of free text is not", () => {
    const others: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["Email status", ["Verified"]],
      ["email opened at", ["2026-01-01"]],
      ["LinkedIn connections", ["500"]],
      ["LinkedIn Firmenseite", ["https://www.linkedin.com/company/acme"]],
      ["Favourite colour", ["blue"]],
      ["Remark", ["Write to ada@example.com or call", "@ada"]],
      ["", ["x"]]
    ]
    for (const [name, cells] of others) assert.deepStrictEqual(columnWarnings([useOf(name, cells)]), [], name)
    assert.strictEqual(useOf("Vornmae").header, "first_name", "a slip of the hand is only suggested")
    assert.strictEqual(useOf("Farbe").header, null)
  })

  it("that the caller ignores or maps is not warned of", () => {
    const header = ["Email", "LinkedIn Profil URL"]
    const ignored = columnsOf(header, { "linkedin profil url": null })
    assert.deepInclude(ignored[1], { match: "ignored", header: null })
    const mapped = columnsOf(header, { "LinkedIn Profil URL": "linkedin_url" })
    assert.deepInclude(mapped[1], { field: "linkedin_url", match: "matched", header: null })
    assert.deepStrictEqual(columnWarnings([...ignored, ...mapped]), [])
  })

  it("is named in the failure of a file without any identifier, and so is the nearest field of a wrong mapping", () => {
    const message = (header: ReadonlyArray<string>, mapping = {}) =>
      Result.match(readColumns(header, mapping), { onFailure: (failure) => failure.message, onSuccess: () => "read" })
    assert.include(message(["Name", "LinkedIn Profil URL"]), 'send mapping {"LinkedIn Profil URL": "linkedin_url"}.')
    assert.include(message(["Name"]), 'send mapping {"Contact mail": "email"}.')
    assert.include(message(["Email", "X"], { X: "linkedin" }), "Did you mean linkedin_url?")
    assert.include(message(["Email", "X"], { X: "compnay" }), "Did you mean company?")
  })
})

describe("any header", () => {
  const slipped = fc
    .tuple(fc.constantFrom(...usual.map(([heading]) => heading)), fc.nat(20), fc.constantFrom("", "x", " "))
    .map(([heading, at, by]) => heading.slice(0, at) + by + heading.slice(at + 1))
  const name = fc.oneof(
    fc.constantFrom(...usual.map(([heading]) => heading), ...columnFields.keys()),
    slipped,
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.constantFrom("LinkedIn Profil", "Mail privat", "Email status", "Farbe")
  )
  const cell = fc.constantFrom("", "x", "ada@example.com", "https://www.linkedin.com/in/ada", "a b@c.de")

  it("names each column once; the header named for an ignored one matches, and its cells then count", () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), fc.array(fc.array(cell, { maxLength: 9 })), (names, rows) => {
        const header = ["custom_id", ...names]
        const columns = columnsOf(header, {}, rows)
        assert.deepStrictEqual(
          columns.map((column) => column.name),
          header.map((one) => one.trim())
        )
        for (const [index, { field, header: meant, match, name }] of columns.entries()) {
          assert.strictEqual(match === "ignored", field === null)
          if (match !== "ignored") assert.isNull(meant)
          if (meant === null) continue
          const renamed = columnsOf(header.with(index, meant), {}, rows)[index]
          assert.deepInclude(renamed, { field: meant, match: "matched" })
          if (name === "") continue
          const mapped = columnsOf(["custom_id", name], { [name]: meant })
          assert.deepInclude(mapped[1], { field: meant, match: "matched" })
          const item = Result.getOrThrow(csvItemReader(mapped)(["1", "ada"]))
          if (columnFields.get(meant)?.identifies) assert.deepInclude(item, { [meant]: "ada" })
        }
      }),
      { numRuns: effort(300) }
    )
  })
})
