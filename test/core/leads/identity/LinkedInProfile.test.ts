import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { type Identity, identityKey } from "#core/leads/identity/Identity.ts"
import { parseLinkedInId, parseLinkedInProfile } from "#core/leads/identity/LinkedInProfile.ts"
import { effort } from "../../../support/effort.ts"
import { garbage, tokenOf } from "./arbitraries.ts"

const options = { deriveMemberId: true }
const read = (input: string, deriveMemberId = true) =>
  Result.getOrThrowWith(parseLinkedInProfile(input, { deriveMemberId }), (failure) => failure)
const keys = (input: string) => read(input).identities.map(identityKey)
const refused = (input: string) => {
  const result = parseLinkedInProfile(input, options)
  assert.isTrue(Result.isFailure(result), `${input} was accepted`)
  if (Result.isFailure(result)) assert.strictEqual(result.failure.code, "NOT_A_PROFILE_URL", input)
  return Result.isFailure(result) ? result.failure.message : ""
}

const profile = tokenOf(0x2a, 867694365)
const sales = tokenOf(0x2c, 867694365)
const recruiter = tokenOf(0x43, 867694365)

describe("LinkedInProfile", () => {
  it("maps every spelling to one slug and one address", () => {
    for (const spelling of [
      "https://www.linkedin.com/in/ada-lovelace",
      "http://www.linkedin.com/in/ada-lovelace",
      "www.linkedin.com/in/ada-lovelace",
      "linkedin.com/in/ada-lovelace",
      "LinkedIn.com/In/Ada-Lovelace",
      "m.linkedin.com/in/ada-lovelace",
      "https://uk.linkedin.com/in/ada-lovelace",
      "fr.linkedin.com/in/ada-lovelace/",
      "https://https://www.linkedin.com/in/ada-lovelace",
      "http://https//www.linkedin.com/in/ada-lovelace",
      "https//www.linkedin.com/in/ada-lovelace",
      "https:/www.linkedin.com/in/ada-lovelace",
      "https:www.linkedin.com/in/ada-lovelace",
      "https:////www.linkedin.com//in//ada-lovelace//",
      "//www.linkedin.com/in/ada-lovelace",
      "https:\\\\www.linkedin.com\\in\\ada-lovelace",
      "https://www.linkedin.com:443/in/ada-lovelace",
      "https://www.linkedin.com./in/ada-lovelace",
      "https://www.linkedin.com/mwlite/in/ada-lovelace",
      "linkedin://in/ada-lovelace",
      "linkedin://www.linkedin.com/in/ada-lovelace",
      "in/ada-lovelace",
      "/in/ada-lovelace/",
      "https://www.linkedin.com/in/ada-lovelace/en",
      "https://www.linkedin.com/in/ada-lovelace/de/",
      "https://www.linkedin.com/in/ada-lovelace/zh_CN",
      "https://www.linkedin.com/in/ada-lovelace/details/experience/",
      "https://www.linkedin.com/in/ada-lovelace/recent-activity/all/",
      "https://www.linkedin.com/in/ada-lovelace/overlay/contact-info/",
      "https://www.linkedin.com/in/ada-lovelace/posts",
      "https://www.linkedin.com/in/ada-lovelace?trk=people/in/bob#x",
      "https://www.linkedin.com/in/ada-lovelace/?originalSubdomain=uk",
      "https://www.linkedin.com/in/ada-lovelace#experience?x",
      "https://www.linkedin.com/in/%61da-lovelace",
      "https://www.linkedin.com/in/%2561da-lovelace",
      "https://www.linkedin.com/in/ada-lovelace%2F",
      "https://www.linkedin.com/in/ada-lovelace%3Ftrk%3Dx",
      "https://www.linkedin.com/in/ada-lovelace%20",
      " <https://www.linkedin.com/in/ada-lovelace>\n",
      '"https://www.linkedin.com/in/ada-lovelace"',
      "\u200Bhttps://www.linkedin.com/in/ada-\u200Blovelace\u202C"
    ]) {
      assert.deepStrictEqual(
        read(spelling),
        {
          identities: [{ kind: "slug", value: "ada-lovelace", derived: false }],
          canonicalUrl: "https://www.linkedin.com/in/ada-lovelace"
        },
        spelling
      )
    }
  })

  it("maps the encodings of one non-ASCII slug to one identity", () => {
    const encoded = "https://www.linkedin.com/in/ren%C3%A9-m%C3%BCller"
    for (const spelling of [
      encoded,
      "linkedin.com/in/RENÉ-MÜLLER",
      "linkedin.com/in/rene\u0301-mu\u0308ller",
      "linkedin.com/in/ren%c3%a9-m%c3%bcller/",
      "linkedin.com/in/rene%CC%81-mu%CC%88ller",
      "linkedin.com/in/ren%25C3%25A9-m%25C3%25BCller"
    ]) {
      assert.deepStrictEqual(keys(spelling), ["slug:rené-müller"], spelling)
      assert.strictEqual(read(spelling).canonicalUrl, encoded)
    }
  })

  it("keeps the case of member tokens and joins them by member id", () => {
    for (const token of [profile, sales, recruiter]) {
      const { identities, canonicalUrl } = read(`https://www.linkedin.com/in/${token}?x=1`)
      assert.deepStrictEqual(identities[0], { kind: "member_id", value: "867694365", derived: true })
      assert.strictEqual(identities[1]?.value, token)
      assert.strictEqual(canonicalUrl, `https://www.linkedin.com/in/${token}`)
      assert.deepStrictEqual(
        read(`in/${token}`, false).identities.map((identity) => identity.kind),
        [identities[1]?.kind]
      )
    }
    assert.deepStrictEqual(keys("in/ACoAADO39x0B"), ["slug:acoaado39x0b"], "39 characters or no token")
  })

  it("reads every URN and bare form as the same token", () => {
    const expected = ["member_id:867694365", `profile_token:${profile}`]
    for (const spelling of [
      profile,
      ` ${profile}\n`,
      `urn:li:fsd_profile:${profile}`,
      `urn:li:fs_miniProfile:${profile}`,
      `urn:li:fsd_connection:${profile}`,
      `URN:LI:FSD_PROFILE:${profile}`,
      `urn%3Ali%3Afsd_profile%3A${profile}`,
      `https://www.linkedin.com/profile/view?id=${profile}&trk=x`,
      `linkedin.com/sales/lead/${profile}`
    ]) {
      assert.deepStrictEqual(keys(spelling), expected, spelling)
    }
    const viaSales = ["member_id:867694365", `sales_nav_token:${sales}`]
    for (const spelling of [
      sales,
      `${sales},NAME_SEARCH,a1B2`,
      `urn:li:fs_salesProfile:(${sales},NAME_SEARCH,a1B2)`,
      `https://www.linkedin.com/sales/lead/${sales},NAME_SEARCH,a1B2?_ntb=x`,
      `https://www.linkedin.com/sales/people/${sales},name`
    ]) {
      assert.deepStrictEqual(keys(spelling), viaSales, spelling)
    }
    assert.deepStrictEqual(keys(`linkedin.com/talent/profile/${recruiter}`), [
      "member_id:867694365",
      `recruiter_token:${recruiter}`
    ])
  })

  it("takes member ids from URNs and old addresses, bare ones only as linkedin_id", () => {
    const given: Identity = { kind: "member_id", value: "867694365", derived: false }
    for (const spelling of ["urn:li:member:867694365", "linkedin.com/profile/view?trk=x&id=00867694365"]) {
      assert.deepStrictEqual(read(spelling), { identities: [given], canonicalUrl: null })
    }
    refused("867694365")
    assert.deepStrictEqual(
      parseLinkedInId(" 867694365 ", options),
      Result.succeed({ identities: [given], canonicalUrl: null })
    )
    assert.deepStrictEqual(parseLinkedInId(profile, options), Result.succeed(read(profile)))
    assert.deepStrictEqual(parseLinkedInId("in/ada-lovelace", options), Result.succeed(read("in/ada-lovelace")))
    for (const [bad, code] of [
      ["ada-lovelace", "INVALID_INPUT"],
      ["0", "INVALID_INPUT"],
      ["urn:li:fsd_company:1234", "INVALID_INPUT"],
      ["https://www.linkedin.com/company/acme", "NOT_A_PROFILE_URL"]
    ] as const) {
      const result = parseLinkedInId(bad, options)
      assert.strictEqual(Result.isFailure(result) ? result.failure.code : "accepted", code, bad)
    }
  })

  it("keeps tokens of unknown layout where a place says that they are tokens", () => {
    const opaque = "AAkAADO39x0BAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    const identity: Identity = { kind: "profile_token", value: opaque, derived: false }
    const expected = { identities: [identity], canonicalUrl: null }
    for (const spelling of [opaque, `urn:li:fsd_profile:${opaque}`, `linkedin.com/profile/view?id=${opaque}`]) {
      assert.deepStrictEqual(read(spelling), expected, spelling)
    }
  })

  it("gives a legacy /pub/ address no identity, only a hint", () => {
    assert.deepStrictEqual(read("http://uk.linkedin.com/pub/Ada-Lovelace/1a/2b3/4c5?trk=x"), {
      identities: [],
      canonicalUrl: null,
      weakSlug: "ada-lovelace-4c52b31a"
    })
    assert.strictEqual(read("linkedin.com/pub/ada-lovelace").weakSlug, "ada-lovelace")
    refused("https://www.linkedin.com/pub/dir/Ada/Lovelace")
  })

  it("refuses other pages by name", () => {
    for (const [path, name] of [
      ["company/acme", "a company"],
      ["COMPANY/acme", "a company"],
      ["school/mit", "a school"],
      ["showcase/acme", "a showcase page"],
      ["groups/123", "a group"],
      ["posts/ada-lovelace_x-activity-1", "a post"],
      ["sales/search/people?query=x", "a Sales Navigator page"]
    ] as const) {
      assert.include(refused(`https://www.linkedin.com/${path}`), `is the URL of ${name}`)
    }
  })

  it("refuses what names nobody, other hosts, and broken encodings", () => {
    for (const bad of [
      "",
      " ",
      "ada-lovelace",
      "ada@example.com",
      "https://www.linkedin.com",
      "https://www.linkedin.com/in/",
      "in/",
      "https://example.com/in/ada",
      "https://linkedin.com.example.com/in/ada",
      "https://linkedin.com@example.com/in/ada",
      "https://example.com/?u=linkedin.com/in/ada",
      "https://notlinkedin.com/in/ada",
      "https://abc.linkedin.com/in/ada",
      "https://lnkd.in/abc",
      "in/me",
      "in/ME",
      "in/unavailable",
      "in/%75nknown",
      "in/undefined",
      "in/..",
      "in/---",
      "in/a b",
      "in/%E9t%E9",
      "in/%25252541",
      "in/100%",
      "in/a%00b",
      "in/a\uD800b",
      "in/a&b",
      "in/a=b",
      `in/${"a".repeat(201)}`,
      "urn:li:company:1",
      "urn:li:member:",
      "urn:li:member:abc",
      "urn:li:fsd_profile:",
      "urn:li:member:281474976710656",
      "linkedin.com/profile/view",
      "linkedin.com/sales/lead/",
      "linkedin.com/sales/lead/x",
      "constructor/x",
      "__proto__/x"
    ]) {
      const message = refused(bad)
      assert.match(message, /\. Send a URL such as https:\/\/www\.linkedin\.com\/in\/ada-lovelace\.$/)
    }
    assert.isBelow(refused(`in/${"a".repeat(10_000)}`).length, 300)
  })

  it("reads its canonical form back, for any slug and any garbage it accepts", () => {
    const slug = fc.string({ unit: "binary", minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== "")
    const inputs = fc.oneof(
      slug.map((text) => `https://www.linkedin.com/in/${text}`),
      slug.filter((text) => !/\p{Cs}/u.test(text)).map((text) => `uk.linkedin.com/in/${encodeURIComponent(text)}/en`),
      garbage
    )
    let accepted = 0
    fc.assert(
      fc.property(inputs, (input) => {
        const result = parseLinkedInProfile(input, options)
        if (Result.isFailure(result) || result.success.canonicalUrl === null) return
        accepted++
        const again = read(result.success.canonicalUrl)
        assert.deepStrictEqual(again.identities, result.success.identities)
        assert.strictEqual(again.canonicalUrl, result.success.canonicalUrl)
      }),
      { numRuns: effort(3_000) }
    )
    assert.isAbove(accepted, effort(300))
  })

  it("gives any decoration of one slug the same identity", () => {
    const slug = fc.stringMatching(/^[a-z][a-z0-9]{0,10}-[a-zéüñ0-9]{1,10}$/)
    const scheme = fc.constantFrom("", "http://", "https://", "HTTPS://", "https:/", "http://http://", "//")
    const host = fc.constantFrom("linkedin.com/", "www.linkedin.com/", "m.linkedin.com/", "de.linkedin.com/", "")
    const tail = fc.constantFrom("", "/", "/en", "/details/skills/", "?trk=a/b", "#top", "/?a=%2F#b", "%2Fen")
    const spell = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => encodeURIComponent(text),
      (text: string) => encodeURIComponent(encodeURIComponent(text)),
      (text: string) => text.normalize("NFD")
    )
    fc.assert(
      fc.property(slug, scheme, host, tail, spell, (text, start, site, end, spelled) => {
        fc.pre(!text.startsWith("acoaa"))
        assert.deepStrictEqual(keys(`${start}${site}in/${spelled(text)}${end}`), [`slug:${text}`])
      }),
      { numRuns: effort(1_000) }
    )
  })
})
