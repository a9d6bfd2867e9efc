import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import type { Identity } from "#core/leads/identity/Identity.ts"
import { parseSalesNavLead } from "#core/leads/identity/LinkedInProfile.ts"
import { garbage, tokenOf } from "./arbitraries.ts"

const options = { deriveMemberId: true }
const read = (input: string) => Result.getOrThrowWith(parseSalesNavLead(input, options), (failure) => failure)
const token = tokenOf(0x2c, 1927818, 7)
const identities: ReadonlyArray<Identity> = [
  { kind: "member_id", value: "1927818", derived: true },
  { kind: "sales_nav_token", value: token, derived: false }
]

describe("SalesNavLead", () => {
  it("reads every spelling, keeps the triple, and identifies by the token only", () => {
    for (const spelling of [
      `https://www.linkedin.com/sales/lead/${token},NAME_SEARCH,a1-_`,
      `https://www.linkedin.com/sales/people/${token},NAME_SEARCH,a1-_?_ntb=x#y`,
      `linkedin.com/SALES/Lead/${token}%2CNAME_SEARCH%2Ca1-_/`,
      `/sales/lead/${token},NAME_SEARCH,a1-_,extra`,
      `urn:li:fs_salesProfile:(${token},NAME_SEARCH,a1-_)`,
      `urn%3Ali%3Afs_salesProfile%3A%28${token}%2CNAME_SEARCH%2Ca1-_%29`,
      `${token},NAME_SEARCH,a1-_`,
      ` ${token} , NAME_SEARCH , a1-_ `
    ]) {
      assert.deepStrictEqual(
        read(spelling),
        {
          token,
          salesNavTriple: `${token},NAME_SEARCH,a1-_`,
          identities
        },
        spelling
      )
    }
  })

  it("drops the parts that say nothing", () => {
    const base = `https://www.linkedin.com/sales/lead/${token}`
    for (const tail of ["", ",", ",,", ",undefined,undefined", ",undefined", ",a b,c", `,${"x".repeat(65)}`]) {
      assert.deepStrictEqual(read(`${base}${tail}`), { token, identities }, tail)
    }
    assert.strictEqual(read(`${base},name`).salesNavTriple, `${token},name`)
    assert.strictEqual(read(`${base},OUT_OF_NETWORK,undefined`).salesNavTriple, `${token},OUT_OF_NETWORK`)
  })

  it("stays opaque when derivation is off", () => {
    const result = parseSalesNavLead(`sales/lead/${token}`, { deriveMemberId: false })
    assert.deepStrictEqual(Result.isSuccess(result) ? result.success.identities : [], identities.slice(1))
  })

  it("refuses everything else with INVALID_INPUT", () => {
    for (const bad of [
      "",
      "x",
      "123456",
      "sales/lead/",
      "sales/lead/short",
      "https://www.linkedin.com/sales/company/1234567890123456789",
      "https://www.linkedin.com/in/ada-lovelace",
      `https://example.com/sales/lead/${token}`,
      "urn:li:fs_salesProfile:()",
      "sales/lead/%E9",
      "sales/lead/12345678901234567890"
    ]) {
      const result = parseSalesNavLead(bad, options)
      assert.strictEqual(Result.isFailure(result) ? result.failure.code : "accepted", "INVALID_INPUT", bad)
    }
  })

  it("reads its URL and its triple back", () => {
    const urlOf = (name: string) => `https://www.linkedin.com/sales/lead/${name}`
    const part = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/).filter((text) => text !== "undefined")
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 33 }), part, part, (memberId, authType, authToken) => {
        const lead = read(`${tokenOf(0x2c, memberId)},${authType},${authToken}`)
        assert.deepStrictEqual(read(lead.salesNavTriple ?? ""), lead)
        assert.deepStrictEqual(read(urlOf(lead.token)).identities, lead.identities)
      })
    )
    fc.assert(
      fc.property(garbage, (input) => {
        const result = parseSalesNavLead(input, options)
        if (Result.isSuccess(result)) assert.strictEqual(read(urlOf(result.success.token)).token, result.success.token)
      })
    )
  })
})
