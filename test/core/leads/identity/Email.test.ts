import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { looseKeyOf, normalizeEmail } from "#core/kernel/schema/Email.ts"
import { effort } from "../../../support/effort.ts"
import { garbage } from "./arbitraries.ts"

const read = (input: string) => Result.getOrThrowWith(normalizeEmail(input), (failure) => failure)
const refused = (input: string) => {
  const result = normalizeEmail(input)
  assert.isTrue(Result.isFailure(result), `${JSON.stringify(input.slice(0, 60))} was accepted`)
  return Result.isFailure(result) ? result.failure : undefined
}

describe("Email", () => {
  it("drops the packaging and keeps the local part as given", () => {
    for (const spelling of [
      "Ada.L@Example.COM",
      "  Ada.L@example.com\t",
      "mailto:Ada.L@example.com",
      "MAILTO:Ada.L@example.com?subject=a@b",
      "mailto:Ada%2EL%40example.com",
      "<Ada.L@example.com>",
      "Ada Lovelace <Ada.L@example.com>",
      '"Lovelace, Ada (ada@home)" <Ada.L@example.com>',
      "<mailto:Ada.L@example.com>",
      "Ada.L@example.com.",
      "Ada.L@exam\u00ADple.com",
      "\uFEFFAda\u200B.L@example.com\u202C",
      "Ada.L@ｅｘａｍｐｌｅ。com"
    ]) {
      const { address, key } = read(spelling)
      assert.strictEqual(address, "Ada.L@example.com", spelling)
      assert.strictEqual(key, "ada.l@example.com", spelling)
    }
  })

  it("writes domains as A-labels and local parts in NFC", () => {
    assert.strictEqual(read("ada@MÜNCHEN.de").address, "ada@xn--mnchen-3ya.de")
    assert.strictEqual(read("ada@xn--mnchen-3ya.de").key, "ada@xn--mnchen-3ya.de")
    assert.strictEqual(read("rene\u0301@example.com").key, "ren\u00e9@example.com")
    assert.strictEqual(read("RENÉ@example.com").key, "ren\u00e9@example.com")
  })

  it("keeps +tags and dots in the identity, and strips them only from the hint", () => {
    assert.deepStrictEqual(read("Ada.L+News@gmail.com"), {
      address: "Ada.L+News@gmail.com",
      key: "ada.l+news@gmail.com"
    })
    assert.strictEqual(looseKeyOf("ada.l+news@gmail.com"), "adal@gmail.com")
    assert.strictEqual(looseKeyOf("+x@example.com"), "+x@example.com")
  })

  it("accepts role addresses", () => {
    for (const role of ["info@example.com", "No-Reply@example.com", "support+de@example.com"]) {
      assert.strictEqual(read(role).address, role)
    }
  })

  it("refuses what is no plain address, and says why", () => {
    const local = "a".repeat(242)
    assert.strictEqual(read(`${local}@example.com`).address.length, 254)
    for (const bad of [
      "",
      " ",
      "ada",
      "@example.com",
      "ada@",
      "a@b@example.com",
      '"ada l"@example.com',
      "ada l@example.com",
      ".ada@example.com",
      "ada.@example.com",
      "a..b@example.com",
      "ada@localhost",
      "ada@127.0.0.1",
      "ada@0x7f.1",
      "ada@2130706433",
      "ada@１２７.0.0.1",
      "ada@[127.0.0.1]",
      "ada@[::1]",
      "ada@example..com",
      "ada@.com",
      "ada@-example.com",
      "ada@example-.com",
      "ada@exa_mple.com",
      "ada@exa mple.com",
      "ada@example.com/x",
      "ada@example.com:25",
      "ada@example.com?x",
      "ada@ex%61mple.com",
      "ada@exa\u0000mple.com",
      "a\u0000da@example.com",
      "a\uD800@example.com",
      "ada@example.com, bob@example.com",
      "ada@example.com;",
      "ada@*.com",
      `${local}a@example.com`,
      `ada@${"x".repeat(64)}.com`,
      "<ada@example.com",
      "ada@example.1"
    ]) {
      const failure = refused(bad)
      assert.strictEqual(failure?.code, "INVALID_EMAIL")
      assert.match(failure?.message ?? "", /Send a plain email address such as ada@example\.com\.$/)
      assert.isBelow(failure?.message.length ?? 0, 400)
    }
  })

  it("is idempotent, folds case, and never throws", () => {
    const local = fc.stringMatching(/^[A-Za-z0-9!#$&'*+/=?^_{|}~-]{1,20}$/)
    const unicodeLocal = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    const domain = fc.constantFrom("example.com", "Bücher.example", "faß.de", "例え.jp", "a-b.c-d.org")
    const addresses = fc.tuple(fc.oneof(local, unicodeLocal), domain).map(([a, b]) => `${a}@${b}`)
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof(addresses, garbage), (input) => {
        const first = normalizeEmail(input)
        if (Result.isFailure(first)) return
        accepted++
        const { address, key } = first.success
        const again = read(address)
        assert.deepStrictEqual(again, { address, key })
        assert.strictEqual(read(key).key, key)
        assert.isAtMost(key.length, 254)
        assert.match(key, /@[a-z0-9.-]+$/)
      }),
      { numRuns: effort(2_000) }
    )
    assert.isAbove(accepted, effort(400))
    fc.assert(fc.property(local, (text) => read(`${text.toUpperCase()}@x.org`).key === read(`${text}@X.ORG`).key))
  })
})
