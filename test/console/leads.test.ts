/** Leads in the page: filters, facts with their sources, and words. */
import { assert, describe, it } from "@effect/vitest"
import {
  factFields,
  factSource,
  factsOf,
  factText,
  type Happening,
  type Lead,
  writtenOf
} from "#console/leads/facts.ts"
import { searchOf } from "#console/leads/filters.ts"
import { happeningName, happeningText } from "#console/leads/happenings.ts"
import { type OwnField, ownFormField, ownInput } from "#console/leads/ownFields.ts"

const happening = (type: string, data: Happening["data"] = {}): Happening => ({
  id: type,
  type,
  at: "2026-11-02T09:00:00.000Z",
  actor: { kind: "USER", id: "usr_1" },
  data
})

describe("the filters of the leads", () => {
  it("become the input of lead.search, and others are left out", () => {
    const query = {
      query: "ada",
      status: "New,Replied",
      score_min: "40",
      has_email: "false",
      created_after: "2026-11-02"
    }
    assert.deepStrictEqual(searchOf({ ...query, tab: "x", company: "" }, []), {
      query: "ada",
      status: ["New", "Replied"],
      score_min: 40,
      has_email: false,
      created_after: new Date("2026-11-02T00:00").toISOString()
    })
  })
})

describe("own fields", () => {
  const field = (key: string, type: OwnField["type"], choices: ReadonlyArray<string> = []): OwnField => {
    return { key, type, choices, label: key, archived: false }
  }
  const own = [
    field("seats", "number"),
    field("segment", "choice", ["7", "Small"]),
    field("partner", "boolean"),
    field("note", "text")
  ]
  const texts = { "fields.seats": "1.5", "fields.segment": "Small", "fields.partner": "false", "fields.note": "" }

  it("are fields of forms by their kind, with choices in their order", () => {
    const [seats, segment, partner] = own.map((one) => ownFormField(one, "Any"))
    assert.deepInclude(seats, { kind: "number", step: "any" })
    assert.deepStrictEqual(
      segment?.options?.map(([value]) => value),
      ["", "7", "Small"]
    )
    assert.isTrue(
      partner?.options?.some(([value, text]) => value === "" && text === "Any"),
      "nothing chosen"
    )
  })

  it("are written by their kind, beside the other facts; an empty one is cleared", () => {
    const fields = { seats: 1.5, segment: "Small", partner: false, note: null }
    assert.deepStrictEqual(ownInput(texts, own), { fields })
    assert.deepStrictEqual(ownInput({ company: "A" }, own), {})
    assert.deepStrictEqual(writtenOf({ tags: "a, b\nc\n", lawful_basis: "", ...texts }, own) as unknown, {
      tags: ["a, b", "c"],
      lawful_basis: null,
      fields
    })
  })

  it("are filters of the URL, with tags and a saved filter", () => {
    assert.deepStrictEqual(
      searchOf({ ...texts, tags: "vip\nold", saved_filter: "Fresh", "fields.gone": "x" }, own) as unknown,
      {
        tags: ["vip", "old"],
        saved_filter: "Fresh",
        fields: { seats: 1.5, segment: "Small", partner: false, gone: "x" }
      }
    )
  })
})

describe("the facts about a lead", () => {
  const lead = { title: "CFO", jobTitle: "CFO", company: "Acme", score: 0, isFlagged: true, skills: ["A", "B"] }

  it("are edited as texts, and written as lead.upsert takes them", () => {
    const { company, headline, is_flagged, job_title, score, skills } = factsOf(lead as unknown as Lead)
    assert.deepStrictEqual(
      [job_title, headline, company, score, is_flagged, skills],
      ["CFO", "", "Acme", "", true, "A\nB"]
    )
    const written: unknown = writtenOf({ skills: " A \n\n", score: "7", company: "", is_flagged: false })
    assert.deepStrictEqual(written, { skills: ["A"], score: 7, company: "", is_flagged: false })
    assert.deepStrictEqual(writtenOf({ score: "" }) as unknown, { score: null })
  })

  it("have what stands beside the lead among them, in words", () => {
    const beside = {
      basis: { source: "Fair", lawful_basis: "consent", kept_until: null },
      fields: { seats: 3, vip: true }
    }
    const values = factsOf(lead as unknown as Lead, { ...beside, tags: ["x", "y"] })
    assert.deepInclude(values, { source: "Fair", tags: "x\ny", "fields.seats": "3", "fields.vip": "true" })
    const words = (name: string) =>
      factFields.flatMap((one) => (one.name === name ? [factText(one, values[name])] : []))
    assert.deepStrictEqual([words("lawful_basis"), words("is_flagged"), words("phone")], [["Consent"], ["Yes"], [""]])
  })

  it("come from the latest event that names them, from the one that added the lead, or from nowhere that is known", () => {
    const people = new Map([["USER usr_1", "Ada"]])
    const events = [
      happening("lead.updated", { changed: ["company"] }),
      happening("lead.created", { import_id: "imp_1" })
    ]
    assert.match(factSource("company", events, people) ?? "", /^Ada, /)
    assert.match(factSource("jobTitle", events, people) ?? "", /^Import, /)
    assert.isUndefined(factSource("jobTitle", events.slice(0, 1), people))
  })

  it("are told in words when they change", () => {
    assert.strictEqual(
      happeningName(happening("lead.updated", { changed: ["jobTitle", "x"] })),
      "Changed: job title, x"
    )
    assert.strictEqual(
      happeningName(happening("lead.status_changed", { from: "New", to: "DoNotContact" })),
      "Status: New → Do not contact"
    )
    assert.strictEqual(
      happeningName(happening("message", { direction: "inbound", channel: "EMAIL" })),
      "Email received"
    )
    assert.strictEqual(happeningName(happening("invitation.accepted")), "Invitation accepted")
    assert.strictEqual(happeningText(happening("note", { text: "Call" })), "Call")
  })
})
