import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { compareIdentities, identityKey } from "#core/leads/identity/Identity.ts"
import { type IdentityFields, readIdentityInput } from "#core/leads/identity/IdentityInput.ts"
import { effort } from "../../../support/effort.ts"
import { garbage, tokenOf } from "./arbitraries.ts"

const options = { deriveMemberId: true }
const read = (fields: IdentityFields) => Result.getOrThrowWith(readIdentityInput(fields, options), (failure) => failure)
const refused = (fields: IdentityFields) => {
  const result = readIdentityInput(fields, options)
  assert.isTrue(Result.isFailure(result), `${JSON.stringify(fields)} was accepted`)
  return Result.isFailure(result) ? result.failure : undefined
}
const profile = tokenOf(0x2a, 5)
const sales = tokenOf(0x2c, 5)

describe("IdentityInput", () => {
  it("reads all fields, strongest identity first", () => {
    assert.deepStrictEqual(
      read({
        email: " Ada <Ada@Example.com>",
        sales_nav_id: `https://www.linkedin.com/sales/lead/${sales},NAME_SEARCH,abcd`,
        linkedin_id: `urn:li:fsd_profile:${profile}`,
        linkedin_url: "https://uk.linkedin.com/in/Ada-Lovelace/",
        custom_id: " crm-1 "
      }),
      {
        identities: [
          { kind: "custom_id", value: "crm-1", derived: false },
          { kind: "member_id", value: "5", derived: true },
          { kind: "profile_token", value: profile, derived: false },
          { kind: "sales_nav_token", value: sales, derived: false },
          { kind: "slug", value: "ada-lovelace", derived: false },
          { kind: "email", value: "ada@example.com", derived: false }
        ],
        email: "Ada@example.com",
        linkedinUrl: "https://www.linkedin.com/in/ada-lovelace",
        salesNavTriple: `${sales},NAME_SEARCH,abcd`,
        warnings: []
      }
    )
  })

  it("understands values in the wrong LinkedIn field", () => {
    const values = [profile, sales, `linkedin.com/sales/lead/${sales},name`, "urn:li:member:5", "linkedin.com/in/ada"]
    for (const value of values) {
      const [a, b, c] = (["linkedin_url", "linkedin_id", "sales_nav_id"] as const).map(
        (field) => read({ [field]: value }).identities
      )
      assert.isAbove(a?.length ?? 0, 0, value)
      assert.deepStrictEqual(b, a, value)
      assert.deepStrictEqual(c, a, value)
    }
  })

  it("lets a given member id stand before the same one derived", () => {
    const { identities } = read({ linkedin_id: "5", sales_nav_id: sales })
    assert.deepStrictEqual(identities[0], { kind: "member_id", value: "5", derived: false })
    assert.strictEqual(identities.length, 2)
  })

  it("takes blank fields as absent", () => {
    const nothing = { identities: [], warnings: [] }
    assert.deepStrictEqual(read({}), nothing)
    assert.deepStrictEqual(
      read({ email: "", custom_id: " ", linkedin_url: "\t", linkedin_id: undefined, sales_nav_id: "" }),
      nothing
    )
  })

  it("says that a /pub/ address identifies nobody", () => {
    const { identities, linkedinUrl, warnings } = read({ linkedin_url: "linkedin.com/pub/ada/1/2/3" })
    assert.deepStrictEqual(identities, [])
    assert.isUndefined(linkedinUrl)
    assert.match(warnings.join(), /^linkedin_url: .*legacy/)
  })

  it("refuses two members in one input and names both fields", () => {
    const failure = refused({ linkedin_url: `in/${profile}`, sales_nav_id: tokenOf(0x2c, 6), email: "ada@example.com" })
    assert.strictEqual(failure?.code, "INVALID_INPUT")
    assert.match(failure?.message ?? "", /^linkedin_url names LinkedIn member 5, but sales_nav_id names member 6\./)
    const opaque = readIdentityInput(
      { linkedin_url: `in/${profile}`, sales_nav_id: tokenOf(0x2c, 6) },
      { deriveMemberId: false }
    )
    assert.isTrue(Result.isSuccess(opaque), "without derivation nothing contradicts")
  })

  it("names the field that is wrong", () => {
    const cases: ReadonlyArray<readonly [IdentityFields, string]> = [
      [{ email: "ada" }, "INVALID_EMAIL"],
      [{ linkedin_url: "https://www.linkedin.com/company/acme" }, "NOT_A_PROFILE_URL"],
      [{ linkedin_id: "ada" }, "INVALID_INPUT"],
      [{ sales_nav_id: "123" }, "INVALID_INPUT"],
      [{ custom_id: "a\u0000b" }, "INVALID_INPUT"],
      [{ custom_id: "a\uD800" }, "INVALID_INPUT"],
      [{ custom_id: "x".repeat(201) }, "INVALID_INPUT"]
    ]
    for (const [fields, code] of cases) {
      const failure = refused(fields)
      assert.strictEqual(failure?.code, code)
      assert.isTrue(failure?.message.startsWith(`${Object.keys(fields)[0]}: `), failure?.message)
    }
  })

  it("counts the characters of a custom id as people do, and keeps its case", () => {
    assert.strictEqual(read({ custom_id: "😀".repeat(200) }).identities[0]?.value.length, 400)
    refused({ custom_id: "😀".repeat(201) })
    assert.deepStrictEqual(read({ custom_id: "Re\u0301f" }).identities, read({ custom_id: "R\u00e9f" }).identities)
    assert.notDeepEqual(read({ custom_id: "A" }).identities, read({ custom_id: "a" }).identities)
  })

  it("answers in order and without repetition whatever it is given, and does not depend on the field order", () => {
    const value = fc.option(
      fc.oneof(garbage, fc.constantFrom("in/ada", profile, sales, "5", "ada@example.com", "urn:li:member:5")),
      { nil: undefined }
    )
    const fields = fc.record({
      email: value,
      custom_id: value,
      linkedin_url: value,
      linkedin_id: value,
      sales_nav_id: value
    })
    fc.assert(
      fc.property(fields, (record) => {
        const result = readIdentityInput(record, options)
        const reversed = Object.fromEntries(Object.entries(record).reverse())
        assert.deepStrictEqual(readIdentityInput(reversed, options), result)
        if (Result.isFailure(result)) {
          assert.match(result.failure.message, /^(email|custom_id|linkedin_url|linkedin_id|sales_nav_id)(: | names )/)
          return
        }
        const { identities } = result.success
        assert.deepStrictEqual([...identities].sort(compareIdentities), identities)
        assert.strictEqual(new Set(identities.map(identityKey)).size, identities.length)
        for (const { value: text } of identities) assert.isAtMost(new TextEncoder().encode(text).length, 1_000)
      }),
      { numRuns: effort(1_000) }
    )
  })
})
