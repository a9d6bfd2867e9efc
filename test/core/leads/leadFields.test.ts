import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { columnFieldsOf, csvItemReader, readColumns } from "#core/imports/csv/columnNames.ts"
import { decoder } from "#core/kernel/schema/Decode.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { applyInput, changedFields } from "#core/leads/applyInput.ts"
import { choiceField, lineField } from "#core/leads/fieldKinds.ts"
import { columnFields, contentOf, emptyContent, Lead, LeadUpsertInput, searchedFields } from "#core/leads/Lead.ts"
import { leadFields } from "#core/leads/leadFields.ts"
import {
  compactValues,
  emptyContentOf,
  inputFieldsOf,
  listedFieldsOf,
  namedFields,
  outputFieldsOf,
  shownValues
} from "#core/leads/projectFields.ts"
import { parameterOf, rowOf } from "#postgres/leads/leadRows.ts"
import { leadRow } from "../../contract/outreachRows.ts"

const row = leadRow("org_1", "ld_1")
const noFacts = { email: undefined, linkedinUrl: undefined, salesNavTriple: undefined }
const sorted = (names: string) => names.split(" ").sort()

describe("a field is one entry of the table", () => {
  const table = { ...leadFields, homeRegion: { ...lineField(40, "Region of the person"), csv: "area, bundesland" } }
  const fields = namedFields(table)
  const input = Schema.Struct({ ...LeadUpsertInput.fields, ...inputFieldsOf(table) })
  const decode = decoder(input)

  it("in inputs and their documents", () => {
    const given = Result.getOrThrow(decode({ email: "a@x.y", home_region: " Alps " }))
    assert.strictEqual(given.home_region, "Alps")
    assert.isNull(Result.getOrThrow(decode({ home_region: null })).home_region)
    assert.isTrue(Result.isFailure(decode({ home_region: "x".repeat(41) })))
    assert.include(JSON.stringify(jsonSchemaOf(input)), '"Region of the person"')
  })

  it("in what is written, cleared, stored and shown", () => {
    const empty = { ...contentOf(row), ...emptyContentOf(table) }
    const given = Result.getOrThrow(decode({ home_region: "Alps" }))
    const written = applyInput({ content: empty, provenance: {} }, given, noFacts, "import", fields)
    assert.deepStrictEqual(changedFields(empty, written.content), ["homeRegion"])
    assert.deepStrictEqual(Object.entries(written.provenance), [["homeRegion", "import"]])
    const parameter = parameterOf({ ...row, ...written.content, provenance: written.provenance })
    assert.deepStrictEqual(parameter.profile, { homeRegion: "Alps", import: "homeRegion" })
    const json = {
      ...row,
      ...parameter,
      organization_id: row.organizationId,
      last_inbound_at: null,
      last_outbound_at: null
    }
    const stored = rowOf({ ...json, profile: parameter.profile })
    assert.deepStrictEqual({ ...stored, provenance: {} }, { ...row, ...written.content, provenance: {} })
    assert.deepStrictEqual(stored.provenance, written.provenance)
    assert.deepStrictEqual({ ...shownValues(stored, fields) }, {
      ...shownValues(stored),
      homeRegion: "Alps"
    } as ReturnType<typeof shownValues>)
    assert.property(outputFieldsOf(table), "homeRegion")
    assert.deepStrictEqual(compactValues({ homeRegion: "Alps" }, fields), { homeRegion: "Alps" })
    const brief = namedFields({ ...table, homeRegion: { ...table.homeRegion, compact: () => undefined } })
    assert.notProperty(compactValues({ homeRegion: "Alps" }, brief), "homeRegion")
    const cleared = applyInput(written, { ...given, home_region: null } as LeadUpsertInput, noFacts, "user", fields)
    assert.deepStrictEqual(cleared.content, empty)
    assert.deepStrictEqual(Object.entries(cleared.provenance), [["homeRegion", "user"]])
    assert.notProperty(shownValues(empty, fields), "homeRegion")
  })

  it("in files", () => {
    const columns = columnFieldsOf(fields)
    const read = Result.getOrThrow(readColumns(["Email", "Bundesland", "home region"], {}, columns))
    assert.deepStrictEqual(
      read.map(({ field }) => field),
      ["email", "home_region", "home_region"]
    )
    assert.deepStrictEqual(
      csvItemReader(read, columns)(["a@x.y", " High\nAlps", "Sea"]),
      Result.succeed({
        email: "a@x.y",
        home_region: "High Alps"
      })
    )
  })

  it("with a column also in lists", () => {
    const listed = { ...leadFields, homeRegion: { ...lineField(40, "Region"), column: true } } as const
    assert.property(listedFieldsOf(listed), "home_region")
  })
})

describe("a choice", () => {
  it("is read from a cell whatever its case, spaces and hyphens, and anything else stays to be refused", () => {
    const { fromCell } = choiceField(["consent", "legitimate_interests"], "Basis")
    assert.deepStrictEqual(
      ["CONSENT", "Legitimate Interests", "legitimate-interests", "legitimate  interest"].map(fromCell),
      ["consent", "legitimate_interests", "legitimate_interests", "legitimate  interest"]
    )
  })
})

describe("the fields of a lead", () => {
  it("stay as they are in inputs, leads, rows and files", () => {
    assert.deepStrictEqual(
      Object.keys(LeadUpsertInput.fields).sort(),
      sorted(
        "lead_id prospect_id email custom_id linkedin_url linkedin_id sales_nav_id name first_name last_name headline title " +
          "job_title company location phone timezone avatar_url company_website company_linkedin_url company_logo_url " +
          "company_headline company_industry company_size personal_website description experience education skills " +
          "recent_posts status is_flagged score source lawful_basis tags fields"
      )
    )
    assert.deepStrictEqual(
      Object.keys(Lead.fields).sort(),
      sorted(
        "id name title jobTitle company score avatarUrl linkedinUrl linkedin_url status lastInteraction description " +
          "linkedinProfileEnriched location email phone timezone companyWebsite companyLogoUrl companyLinkedinUrl " +
          "companyHeadline personalWebsite companyIndustry companySize experience education skills recentPosts mission " +
          "missions sentMessages receivedMessages addedDate isFlagged"
      )
    )
    assert.deepStrictEqual(
      Object.keys(emptyContent).sort(),
      sorted(
        "name firstName lastName headline jobTitle company email linkedinUrl salesNavTriple score isFlagged avatarUrl location " +
          "phone timezone companyWebsite companyLogoUrl companyLinkedinUrl companyHeadline companyIndustry companySize " +
          "personalWebsite description source lawfulBasis experience education skills recentPosts tags ownFields"
      )
    )
    assert.deepStrictEqual(
      [...columnFields].sort(),
      sorted("name headline jobTitle company email linkedinUrl avatarUrl score isFlagged")
    )
    assert.deepStrictEqual(searchedFields, ["name", "headline", "jobTitle", "company", "email"])
  })
})
