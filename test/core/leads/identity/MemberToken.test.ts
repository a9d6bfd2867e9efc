import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type Identity,
  looksLikeToken,
  memberIdOf,
  normalizeMemberId,
  readToken,
  tokenKindOf
} from "#core/leads/identity/Identity.ts"
import { makeToken, tokenTags } from "./arbitraries.ts"

const pad = (prefix: string) => prefix.padEnd(39, "A")

describe("MemberToken", () => {
  it("decodes the known vectors", () => {
    const vectors: ReadonlyArray<readonly [string, string, string]> = [
      [pad("ACoAADO39x0B"), "867694365", "profile_token"],
      [pad("ACwAAAAdaooB"), "1927818", "sales_nav_token"],
      ["ACoAAAcDMMQBODyLwZrRcgYhrkCafURGqva0U4E", "117649604", "profile_token"],
      ["ACwAABUtWTAB8fphT-VDuOX6vRdiejVCxdAU4tk", "355293488", "sales_nav_token"],
      ["ACwAABw-RqYBvR5Os6ZHBuE53towQslZNymd11A", "473843366", "sales_nav_token"]
    ]
    for (const [token, memberId, kind] of vectors) {
      assert.strictEqual(memberIdOf(token), memberId, token)
      assert.strictEqual(tokenKindOf(token), kind, token)
    }
  })

  it("decodes what an independent encoder wrote", () => {
    const ids = fc.bigInt({ min: 1n, max: (1n << 34n) - 1n })
    const opaque = fc.uint8Array({ minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(fc.constantFrom(...tokenTags), ids, opaque, ({ tag, kind }, id, rest) => {
        const token = makeToken(tag, id, rest)
        assert.strictEqual(token.length, 39)
        assert.strictEqual(memberIdOf(token), id.toString())
        assert.strictEqual(tokenKindOf(token), kind)
      })
    )
  })

  it("keeps what it cannot decode as an opaque identity", () => {
    const marker2 = makeToken(0x2a, 5n, new Uint8Array(20), 2)
    const short = "ACoAADO39x0BAAAAAAAA"
    const unknownTag = pad("AAkAADO39x0B")
    for (const token of [marker2, short, unknownTag]) {
      assert.isUndefined(memberIdOf(token), token)
      assert.isTrue(looksLikeToken(token), token)
      assert.deepStrictEqual(readToken(token, "profile_token", { deriveMemberId: true }), [
        { kind: "profile_token", value: token, derived: false }
      ])
    }
    assert.isUndefined(memberIdOf(makeToken(0x2a, 0n, new Uint8Array(20))), "member id 0")
    assert.isUndefined(tokenKindOf(unknownTag))
    assert.isFalse(looksLikeToken("ada-lovelace-the-first-programmer-12345"))
  })

  it("trusts the prefix more than the place, and derives only when asked", () => {
    const token = pad("ACoAADO39x0B")
    const own: Identity = { kind: "profile_token", value: token, derived: false }
    assert.deepStrictEqual(readToken(token, "sales_nav_token", { deriveMemberId: false }), [own])
    assert.deepStrictEqual(readToken(token, "sales_nav_token", { deriveMemberId: true }), [
      { kind: "member_id", value: "867694365", derived: true },
      own
    ])
  })

  it("normalizes member ids within 48 bits", () => {
    assert.strictEqual(normalizeMemberId("000123"), "123")
    assert.strictEqual(normalizeMemberId("281474976710655"), "281474976710655")
    for (const bad of ["0", "281474976710656", "-1", "1.0", "12a", "", "1".repeat(50_000)]) {
      assert.isUndefined(normalizeMemberId(bad), bad.slice(0, 20))
    }
  })
})
