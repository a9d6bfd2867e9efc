import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { decoder } from "#core/kernel/schema/Decode.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import * as TextFields from "#core/kernel/schema/TextFields.ts"
import { codePointLength, refuseCharacters, utcInstant } from "#core/kernel/schema/TextRules.ts"
import { cpuMillis } from "../support/cpuMillis.ts"
import { effort } from "../support/effort.ts"

const decode = (schema: Schema.Codec<unknown, unknown>, value: unknown): unknown =>
  Result.match(decoder(Schema.Struct({ field: schema }))({ field: value }), {
    onSuccess: (success) => success.field,
    onFailure: (failure) => ({ refused: failure.message })
  })

const refused = (schema: Schema.Codec<unknown, unknown>, value: unknown): string => {
  const outcome = decode(schema, value)
  if (typeof outcome === "object" && outcome !== null && "refused" in outcome) return String(outcome.refused)
  return assert.fail(`accepted as ${JSON.stringify(outcome)}`)
}

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme-composite" })
)

describe("line and body", () => {
  it("changes surrounding white space and NFC only, or refuses", () => {
    const [one, all] = [TextFields.line(20), TextFields.body(20)]
    fc.assert(
      fc.property(anyText, fc.constantFrom("", " ", "\n", "\t\u00a0"), (text, around) => {
        const sent = around + text + around
        const outcome = decode(one, sent)
        if (typeof outcome === "string") {
          assert.strictEqual(outcome, sent.trim().normalize("NFC"))
          assert.strictEqual(decode(one, outcome), outcome)
        } else {
          const fits = codePointLength(sent) <= 20 && codePointLength(sent.normalize("NFC")) <= 20
          const isOneLine = !/[\n\r\u007f-\u009f\u2028\u2029]/.test(sent.trim())
          assert.isFalse(fits && refuseCharacters(sent) === undefined && isOneLine)
        }
        const kept = decode(all, sent)
        if (typeof kept === "string") assert.strictEqual(kept, sent.normalize("NFC"))
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("counts code points, as sent and as stored", () => {
    assert.strictEqual(decode(TextFields.line(3), "😀😀😀"), "😀😀😀")
    assert.strictEqual(refused(TextFields.line(3), "😀😀😀😀"), "field must be at most 3 characters, got 4.")
    assert.include(refused(TextFields.line(3), "ab  "), "at most 3 characters, got 4")
    // U+0958 is two code points in NFC.
    assert.include(refused(TextFields.body(1), "\u0958"), "at most 1 characters, got 2")
    assert.strictEqual(decode(TextFields.nonEmptyMessage(4), "😀😀"), "😀😀")
    assert.include(refused(TextFields.nonEmptyMessage(3), "😀😀"), "at most 3 characters in UTF-16")
  })

  it("keeps the white space of bodies and refuses bodies of nothing else", () => {
    assert.strictEqual(decode(TextFields.nonEmptyBody(20), "  Hi\r\n\tthere \n"), "  Hi\r\n\tthere \n")
    assert.strictEqual(decode(TextFields.body(20), ""), "")
    assert.strictEqual(refused(TextFields.nonEmptyBody(20), " \n"), "field must be more than white space.")
    assert.strictEqual(refused(TextFields.nonEmptyLine(20), ""), "field must be more than white space.")
  })

  it("refuses line breaks inside a line, and what cannot be stored", () => {
    assert.strictEqual(decode(TextFields.line(20), " Ada Lovelace\n"), "Ada Lovelace")
    assert.include(refused(TextFields.line(20), "Ada\nLovelace"), "a single line")
    for (const separator of ["\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"]) {
      assert.include(refused(TextFields.nonEmptyLine(20), `Ada${separator}Lovelace`), "a single line")
    }
    for (const control of ["\u000b", "\u000c", "\u007f", "\u0080", "\u009f"]) {
      assert.include(refused(TextFields.line(20), `a${control}b`), "without control characters")
    }
    assert.include(refused(TextFields.body(20), "a\u0007b"), "U+0007 at index 1")
    assert.strictEqual(
      refuseCharacters("ab\ud83d"),
      "Expected well-formed Unicode, got half of a surrogate pair (U+D83D) at index 2"
    )
    assert.isDefined(refuseCharacters("\ude00\ud83d"))
    assert.isUndefined(refuseCharacters("😀\t\r\n\u007f\u0085"))
  })

  it("finds every half of a surrogate pair and every control character", () => {
    const unit = fc.constantFrom(0x1f, 0x20, 0x09, 0x41, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000)
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), (units) => {
        const text = String.fromCharCode(...units)
        assert.strictEqual(refuseCharacters(text) !== undefined, /\p{Surrogate}/u.test(text) || text.includes("\u001f"))
      }),
      { numRuns: effort(2_000) }
    )
  })

  it("bounds the work of normalisation before doing it", () => {
    const marks = `a${"\u0301\u0316".repeat(200_000)}`
    const spent = cpuMillis(() => assert.include(refused(TextFields.line(200), marks), "at most 200"))
    assert.isBelow(spent, 1_000)
  })

  it("publishes one flat schema, with the description of the encoded side", () => {
    assert.deepEqual(jsonSchemaOf(TextFields.line(200, "Full name.")), {
      type: "string",
      maxLength: 200,
      description: "Full name."
    })
    assert.deepEqual(jsonSchemaOf(TextFields.nonEmptyBody(9)), {
      type: "string",
      minLength: 1,
      maxLength: 9,
      pattern: "\\S"
    })
    assert.deepEqual(jsonSchemaOf(TextFields.httpUrl.pipe(Schema.annotateEncoded({ description: "Landing page." }))), {
      type: "string",
      maxLength: 2048,
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://\\S+$",
      description: "Landing page."
    })
    const field = Schema.Struct({ title: Schema.optionalKey(Schema.NullOr(TextFields.line(5))) })
    assert.deepEqual(jsonSchemaOf(field), {
      type: "object",
      properties: { title: { type: ["string", "null"], maxLength: 5 } },
      additionalProperties: false
    })
  })
})

describe("httpUrl", () => {
  it.each([
    "https://example.com",
    "HTTP://Example.com:8080/Path?q=a%20b#Top",
    "https://münchen.example/straße?x=@y",
    "http://[::1]/",
    "https://example.com?x=1"
  ])("keeps %s", (url) => {
    assert.strictEqual(decode(TextFields.httpUrl, ` ${url} `), url)
    assert.match(url, new RegExp(String(jsonSchemaOf(TextFields.httpUrl)["pattern"]), "u"))
  })

  it.each([
    "example.com",
    "ftp://example.com",
    "javascript:alert(1)",
    "https:example.com",
    "https:///path",
    "https://user@example.com",
    "https://user:secret@example.com",
    "https://example.com\\@evil.example",
    "https://exa mple.com",
    "https://example.com/a b",
    "https://example.com:99999",
    "https://",
    ""
  ])("refuses %s", (url) => {
    assert.include(refused(TextFields.httpUrl, url), "must be an http or https URL without user name or password")
  })

  it("limits the length, and takes an empty text where that means unset", () => {
    assert.include(refused(TextFields.httpUrl, `https://example.com/${"a".repeat(2_048)}`), "at most 2048 characters")
    assert.strictEqual(decode(TextFields.httpUrlOrEmpty, ""), "")
    assert.include(refused(TextFields.httpUrlOrEmpty, "x"), "or an empty string")
  })
})

describe("languageTag and timeZone", () => {
  it("keeps valid names as written", () => {
    for (const tag of ["en", "fr-FR", "zh-Hant-TW", "de-DE-1996", "EN-us", "pt-BR"])
      assert.strictEqual(decode(TextFields.languageTag, tag), tag)
    for (const zone of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Asia/Calcutta"]) {
      assert.strictEqual(decode(TextFields.timeZone, zone), zone)
    }
  })

  it("refuses others with an example", () => {
    for (const tag of ["", "e", "english", "en_US", "en-", "x-private", "de-1996-1996"]) {
      assert.include(refused(TextFields.languageTag, tag), "BCP 47 language tag such as en")
    }
    for (const zone of ["", "+01:00", "Europe/Atlantis", "CET+1", "../UTC", "local"]) {
      assert.include(refused(TextFields.timeZone, zone), "IANA time zone name such as Europe/Berlin")
    }
  })
})

describe("isoDateTime", () => {
  it("writes every instant of 1900 to 2200 as UTC with milliseconds, whatever its offset", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-02T00:00:00Z"), max: new Date("2200-12-30T00:00:00Z"), noInvalidDate: true }),
        fc.integer({ min: -1439, max: 1439 }),
        fc.constantFrom("T", "t"),
        (date, offset, separator) => {
          const wall = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1).replace("T", separator)
          const two = (value: number) => String(Math.trunc(value)).padStart(2, "0")
          const sign = offset < 0 ? "-" : "+"
          const sent = `${wall}${sign}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
          assert.strictEqual(decode(TextFields.isoDateTime, sent), date.toISOString())
        }
      )
    )
  })

  it("cuts off what is finer than a millisecond", () => {
    assert.strictEqual(utcInstant("2026-01-31T09:30:00.1239999+00:00"), "2026-01-31T09:30:00.123Z")
    assert.strictEqual(utcInstant("2026-01-31T09:30:00.1z"), "2026-01-31T09:30:00.100Z")
  })

  it.each([
    "2026-01-31",
    "2026-01-31T09:30:00",
    "2026-01-31T09:30Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T23:59:60Z",
    "2026-01-31T09:30:00+24:00",
    "2026-01-31T09:30:00+01",
    "1900-01-01T00:00:00+01:00",
    "2200-12-31T23:59:59-01:00",
    "0026-01-01T00:00:00Z",
    "yesterday",
    ""
  ])("refuses %s", (text) => {
    assert.include(refused(TextFields.isoDateTime, text), "ISO 8601 date-time with UTC offset")
  })
})

describe("jsonObject", () => {
  const metadata = TextFields.jsonObject(200, 4, "Anything.")

  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

  it("keeps JSON objects exactly within size and depth", () => {
    const object = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 5, depthSize: "large" }))
    fc.assert(
      fc.property(object, (value) => {
        const text = JSON.stringify(value)
        const sent: unknown = JSON.parse(text)
        const storable =
          new TextEncoder().encode(text).length <= 200 && depthOf(sent) <= 4 && !/\\u0000|"__proto__":/.test(text)
        const outcome = decode(metadata, sent)
        if (storable) assert.strictEqual(JSON.stringify(outcome), text)
        else assert.isString(refused(metadata, sent))
      }),
      { numRuns: effort(500) }
    )
    assert.deepEqual(decode(metadata, { a: [{ b: [] }] }), { a: [{ b: [] }] })
    assert.deepEqual(jsonSchemaOf(metadata), { type: "object", description: "Anything." })
  })

  it("refuses everything else and says what was expected", () => {
    const cycle: Record<string, unknown> = {}
    cycle["self"] = cycle
    const check = Schema.decodeUnknownResult(metadata)
    const message = (value: unknown) =>
      Result.match(check(value), { onSuccess: () => "accepted", onFailure: (error) => error.message })
    assert.include(message({ a: [{ b: [[]] }] }), "at most 4 levels")
    assert.include(message(cycle), "at most 4 levels")
    assert.include(message({ a: "x".repeat(200) }), "at most 200 bytes")
    assert.include(message({ a: "é".repeat(100) }), "at most 200 bytes")
    assert.include(message({ a: Array.from({ length: 1_000 }, () => 1) }), "at most 200 bytes")
    assert.include(message({ a: Number.NaN }), "finite number")
    assert.include(message({ a: "\u0000" }), "NUL")
    assert.include(message({ "\ud800": 1 }), "surrogate")
    assert.include(message(JSON.parse('{"a":{"__proto__":{"admin":true}}}')), "__proto__")
    assert.include(message(JSON.parse('{"__proto__":{"admin":true}}')), "__proto__")
    assert.include(message({ a: new Date(0) }), "JSON value")
    assert.include(message({ a: undefined }), "JSON value")
    assert.notInclude(message([]), "accepted")
    assert.notInclude(message("{}"), "accepted")
  })
})
