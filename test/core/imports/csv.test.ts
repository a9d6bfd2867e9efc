/** Reading CSV as it comes: encodings, separators, quotes, headers of other programs. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { CsvReader } from "#core/imports/csv/CsvReader.ts"
import { csvItemReader, readColumns } from "#core/imports/csv/columnNames.ts"
import { type CsvRecord, csvLine, type Delimiter, delimiters, sniffDelimiter } from "#core/imports/csv/csvDialect.ts"
import { cpuMillis } from "../../support/cpuMillis.ts"
import { effort } from "../../support/effort.ts"

interface Read {
  readonly records: ReadonlyArray<CsvRecord>
  readonly failure: string | undefined
  readonly delimiter: Delimiter | undefined
}

/** Reads bytes in pieces of a size, as they would come over a network. */
const read = (bytes: Uint8Array, size = bytes.length || 1, given?: Delimiter): Read => {
  const reader = new CsvReader(given)
  const records: Array<CsvRecord> = []
  for (let at = 0; at < bytes.length; at += size) records.push(...reader.push(bytes.subarray(at, at + size)))
  records.push(...reader.end())
  return { records, failure: reader.failure?.message, delimiter: reader.delimiter }
}

const utf16 = (text: string, order: "le" | "be"): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le")
  return order === "le" ? bytes : bytes.swap16()
}

const names = [
  ["Name", "Ort"],
  ["Zoë Müller", "Köln – „Süd“"],
  ["José", "€uro"]
]
const table = names.map((row) => row.join(";")).join("\r\n")
/** The same in Windows-1252, where the dash, the quotes and the euro have places of their own. */
const windows = Buffer.from(
  table.replace("–", "\x96").replace("„", "\x84").replace("“", "\x93").replace("€", "\x80"),
  "latin1"
)

describe("a file's encoding", () => {
  const encodings: ReadonlyArray<readonly [string, Buffer]> = [
    ["UTF-8", Buffer.from(table)],
    ["UTF-8 with its mark", Buffer.from(`\ufeff${table}`)],
    ["UTF-16, little end first", utf16(table, "le")],
    ["UTF-16, big end first", utf16(table, "be")],
    ["UTF-16 without its mark, little end first", utf16(table, "le").subarray(2)],
    ["UTF-16 without its mark, big end first", utf16(table, "be").subarray(2)],
    ["Windows-1252", windows]
  ]
  it.for(encodings)("%s is understood, in whatever pieces it comes", ([, bytes]) => {
    for (let size = 1; size <= bytes.length; size++) assert.deepStrictEqual(read(bytes, size).records, names)
  })

  it("may differ from line to line, and no line spoils another", () => {
    const mixed = Buffer.concat([Buffer.from("Name\nZoë\n"), Buffer.from("Jos\xe9\n", "latin1"), Buffer.from("Łódź\n")])
    for (const size of [1, 3, 100]) {
      assert.deepStrictEqual(read(mixed, size).records, [["Name"], ["Zoë"], ["José"], ["Łódź"]])
    }
  })

  it("that is none of text is refused with what to do", () => {
    assert.include(read(Buffer.from("PK\u0003\u0004abc")).failure, "is a spreadsheet")
    assert.include(read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2])).failure, "is a spreadsheet")
    assert.include(read(Buffer.from("email\na\0b\n")).failure, "contains NUL")
  })
})

describe("what separates cells", () => {
  it.for([...delimiters])("is found by itself: %j", (delimiter) => {
    const text = ["Email", "Name, first; last", "x"].map((cell) => `"${cell}"`).join(delimiter)
    const row = ["a@example.com", "Ada", "1"].join(delimiter)
    const found = read(Buffer.from(`${text}\n${row}\n${row}\n`))
    assert.strictEqual(found.delimiter, delimiter)
    assert.deepStrictEqual(found.records[0], ["Email", "Name, first; last", "x"])
    assert.lengthOf(found.records, 3)
  })

  it("is what a spreadsheet says in its first line, or the caller", () => {
    const said = read(Buffer.from("sep=;\r\nEmail;Name\r\na@example.com;A,B\r\n"))
    assert.deepStrictEqual(said.records, [
      ["Email", "Name"],
      ["a@example.com", "A,B"]
    ])
    assert.deepStrictEqual(read(Buffer.from("a;b,c\n1;2,3\n"), 4, ",").records[1], ["1;2", "3"])
  })

  it("is a comma where nothing separates, and not what stands inside texts", () => {
    assert.deepStrictEqual(sniffDelimiter("Email\na@example.com\n"), { delimiter: ",", skip: 0 })
    assert.strictEqual(sniffDelimiter('Email;Note\na@x.y;"one, two, three, four"\nb@x.y;"a, b, c"\n').delimiter, ";")
  })
})

describe("line ends", () => {
  const lineEnd = fc.constantFrom("\r\n", "\n", "\r")
  const cell = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom("", "Zoë", "two\r\nlines", "two\nlines", "two\rlines", "\r", "\n", 'a "b"')
  )
  const delimiter = fc.constantFrom(",", ";")
  const row = fc.tuple(cell, cell).map(([first, second]) => ["a@example.com", first, second])
  const rows = fc
    .array(row, { minLength: 1, maxLength: 6 })
    .map((all) => all.map((one) => one.map((text) => text.replaceAll("\0", ""))))
  const long = "x".repeat(500)
  const quoted = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const encodings = [
    (text: string) => Buffer.from(text),
    (text: string) => Buffer.from(text, "latin1"),
    (text: string) => Buffer.from(text, "utf16le")
  ]

  it("may differ from row to row, wherever the file is cut", () => {
    const ends = fc.array(lineEnd, { minLength: 7, maxLength: 7 })
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(rows, delimiter, ends, cuts, fc.constantFrom(...encodings), (all, by, ends, cuts, encode) => {
        // The reader waits for enough to detect the delimiter, and parses the pieces after that as they come.
        const before = [["Email", "Name", "Note"], ...Array.from({ length: 140 }, (_, n) => [`${n}`, long, ""])]
        const text = (some: typeof all) => some.map((one, n) => `${one.map(quoted).join(by)}${ends[n % ends.length]}`)
        const bytes = encode(text(all).join(""))
        const reader = new CsvReader(undefined)
        const records: Array<CsvRecord> = [...reader.push(encode(text(before).join("")))]
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1
          records.push(...reader.push(bytes.subarray(at, at + size)))
          at += size
        }
        records.push(...reader.end())
        assert.isUndefined(reader.failure)
        assert.deepStrictEqual(records, [...before, ...all])
      }),
      { numRuns: effort(100) }
    )
  })

  it("may be CR only, in a large file whose encoding differs from line to line", () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `${n}@example.com;Zoë Müller-Łódź`)
    const bytes = Buffer.concat([
      Buffer.from(`Email;Name\r${lines.join("\r")}\r`),
      Buffer.from("j;Jos\xe9\r", "latin1")
    ])
    const { records } = read(bytes, 64 * 1024 + 1)
    assert.deepStrictEqual([records.length, records[1], records.at(-1)], [60_002, lines[0]?.split(";"), ["j", "José"]])
    assert.isTrue(records.slice(1, -1).every(([, name]) => name === "Zoë Müller-Łódź"))
  })
})

describe("quotes", () => {
  it("keep separators, line ends and quotes", () => {
    const { records } = read(Buffer.from('Email,Note\r\n"a@x.y","one, ""two""\r\nthree"\r\nb@x.y, plain "inside" \r\n'))
    assert.deepStrictEqual(records, [
      ["Email", "Note"],
      ["a@x.y", 'one, "two"\r\nthree'],
      ["b@x.y", ' plain "inside" ']
    ])
  })

  it("that are never closed fail with the row, after the rows before", () => {
    const { failure, records } = read(Buffer.from('Email\na@x.y\n"b@x.y\nc@x.y\n'))
    assert.deepStrictEqual(records, [["Email"], ["a@x.y"]])
    assert.include(failure, "Row 2: a quote is never closed")
  })

  it("of our own files are read back, whatever is in them, and run nothing", () => {
    const edges = fc.constantFrom(
      ..."=+-@＝＋－＠﹦﹢﹣﹫\t\r\n \u00a0\u200b\u2028\u0085'\"",
      "a",
      "1",
      "=cmd|'/c calc'!A1"
    )
    const cell = fc
      .oneof(
        fc.string({ unit: "grapheme", maxLength: 12 }),
        fc.array(edges, { maxLength: 5 }).map((parts) => parts.join(""))
      )
      .filter((text) => !text.includes("\0") && text.isWellFormed())
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
        fc.pre(cells.some((text) => text.trim() !== "") && !cells.join("").includes("\ufeff"))
        const [first = []] = read(Buffer.from(csvLine(cells)), 7, ",").records
        for (const [index, text] of first.entries()) {
          assert.include([cells[index], `'${cells[index]}`], text)
          // What a spreadsheet that skips the invisible and folds full-width forms would begin with.
          assert.notMatch(text.replace(/^[^!-~\p{L}\p{N}\p{P}\p{S}]+/u, "").normalize("NFKC"), /^[=+\-@]/, text)
          assert.notMatch(text, /^[\t\r\n]/)
        }
      })
    )
  })
})

describe("blank lines, short rows and long ones", () => {
  const rows = read(Buffer.from("Email,Name\n\n ,\na@x.y\nb@x.y,B,more\nc@x.y,C,, \n"))
  const columns = Result.getOrThrow(readColumns(rows.records[0] ?? [], {}))
  const item = csvItemReader(columns)
  const shown = rows.records
    .slice(1)
    .map((record) =>
      Result.match(item(record), { onFailure: ({ message }) => message.slice(0, 18), onSuccess: (fields) => fields })
    )
  it("are told apart", () => {
    assert.deepStrictEqual(shown, [{ email: "a@x.y" }, "The row has 3 cell", { email: "c@x.y", name: "C" }])
  })
})

describe("headers", () => {
  it("of other programs are recognised", () => {
    const headers: Readonly<Record<string, string>> = {
      "E-mail Address": "email",
      work_email: "email",
      "Person Linkedin Url": "linkedin_url",
      "Profile URL": "linkedin_url",
      Prénom: "first_name",
      Nachname: "last_name",
      FullName: "name",
      "Company Name for Emails": "company",
      Position: "job_title",
      "# Employees": "company_size",
      Website: "company_website",
      "Sales Navigator URL": "sales_nav_id",
      "Lead Score": "score",
      "Contact ID": "custom_id",
      "Direct Phone": "phone"
    }
    const fieldOf = (name: string) => Result.getOrThrow(readColumns([name, "Email"], {}))[0]?.field
    for (const [name, field] of Object.entries(headers)) assert.strictEqual(fieldOf(name), field, name)
    for (const name of ["Status", "Favourite colour", "", "email opened at"]) assert.isNull(fieldOf(name), name)
  })

  it("may be said by the caller, who is told what is wrong with that", () => {
    const columns = Result.getOrThrow(
      readColumns(["Kontakt", "Email", "Wer"], { kontakt: "email", EMAIL: null, Wer: "name" })
    )
    assert.deepStrictEqual(
      columns.map(({ field }) => field),
      ["email", null, "name"]
    )
    const message = (header: ReadonlyArray<string>, mapping: Record<string, string | null>) => {
      const found = readColumns(header, mapping)
      return Result.isFailure(found) ? found.failure.message : "read"
    }
    assert.include(message(["Email"], { Emial: "email" }), 'Did you mean "Email"?')
    assert.include(message(["Email"], { Email: "e_mail" }), "Did you mean email?")
    assert.include(message(["Name", "Company"], {}), "No column identifies the people")
    assert.include(message(["a@example.com", "Ada"], {}), "The first line must be the header")
    assert.include(
      message(
        Array.from({ length: 501 }, (_, n) => `c${n}`),
        {}
      ),
      "the maximum is 500"
    )
  })
})

describe("cells", () => {
  const itemOf = (fields: Record<string, string>) => {
    const columns = Result.getOrThrow(readColumns(["email", ...Object.keys(fields)], {}))
    return Result.getOrThrow(csvItemReader(columns)(["a@x.y", ...Object.values(fields)]))
  }
  it("mean what people write in them", () => {
    assert.deepStrictEqual(
      itemOf({
        Phone: "'+49 30 1",
        Company: "N/A",
        Website: "example.com",
        City: "Köln",
        Country: "Germany",
        Skills: "excel; sql,\nsap",
        Score: "87,5",
        Flagged: "x",
        Headline: " two\n lines ",
        "Personal website": "none at all"
      }),
      {
        email: "a@x.y",
        phone: "+49 30 1",
        company_website: "https://example.com",
        location: "Köln, Germany",
        skills: ["excel", "sql", "sap"],
        score: 87.5,
        is_flagged: true,
        headline: "two lines"
      }
    )
  })

  it("of garbage never throw, and take no time", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.integer({ min: 1, max: 500 }), (bytes, size) => {
        const { records } = read(bytes, size)
        for (const record of records) {
          const columns = readColumns(record, {})
          if (Result.isSuccess(columns)) csvItemReader(columns.success)(record)
        }
      })
    )
    const signs = Buffer.from(`email\n${'"'.repeat(200_000)}\n${";".repeat(200_000)}`)
    assert.isBelow(
      cpuMillis(() => read(signs)),
      5_000
    )
  })
})
