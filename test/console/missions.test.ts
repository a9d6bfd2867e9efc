/** What the forms of missions, offers and agents show and send. */
import { assert, describe, it } from "@effect/vitest"
import type { Field } from "#console/form/values.ts"
import { limitFields, limitsChange, limitValues, type UsageWindow } from "#console/missions/agentFields.ts"
import { inputOf, newInputOf, valuesOf } from "#console/missions/fields.ts"
import { hoursFields, hoursOf, hoursValues } from "#console/missions/hours.ts"
import { missionChange, missionFields } from "#console/missions/missionFields.ts"
import { rate, rateBetween } from "#console/missions/words.ts"

const fields: ReadonlyArray<Field> = [
  { name: "name", label: "Name", required: true },
  { name: "one_liner", label: "In one sentence" },
  { name: "tags", label: "Tags", kind: "list" },
  { name: "is_draft", label: "Draft", kind: "check" },
  { name: "limit", label: "Limit", kind: "number" }
]

describe("a form", () => {
  it("shows what is stored under the names of the record", () => {
    assert.deepStrictEqual(
      valuesOf(fields, { name: "A", line: "B", tags: ["x", "y"], isDraft: true }, { one_liner: "line" }),
      {
        name: "A",
        one_liner: "B",
        tags: "x\ny",
        is_draft: true,
        limit: ""
      }
    )
  })

  it("sends null for what was emptied, numbers as numbers, and only what it was given", () => {
    const values = { name: "", one_liner: "", tags: " x \n\ny", is_draft: false, limit: "20" }
    assert.deepStrictEqual(inputOf(fields, values), {
      name: "",
      one_liner: null,
      tags: ["x", "y"],
      is_draft: false,
      limit: 20
    })
    assert.deepStrictEqual(inputOf(fields, { limit: "" }), { limit: null })
    assert.deepStrictEqual(newInputOf(fields, { name: "A", one_liner: "", limit: "" }), { name: "A" })
  })

  it("of a mission sends channels as a list, and keeps an agent that its list lacks", () => {
    const choices = { agents: [], offers: [] }
    const fields = missionFields(choices, { agentHandle: "ada", offerId: "" } as never)
    assert.deepStrictEqual(fields.find(({ name }) => name === "agent_handle")?.options, [["ada", "ada"]])
    assert.deepStrictEqual(missionChange("mis_1", fields, { channels: "EMAIL,LINKEDIN", offer_id: "" }), {
      mission_id: "mis_1",
      channels: ["EMAIL", "LINKEDIN"],
      offer_id: null
    })
  })
})

describe("working hours", () => {
  it("come back as they were stored, with midnight and every window", () => {
    const four = ["06:00", "09:00", "12:00", "20:00"].map((start, at) => ({
      start,
      end: at === 3 ? "24:00" : `${start.slice(0, 2)}:30`
    }))
    const hours = { monday: four, saturday: [], holidays: ["2026-12-24"], useLeadTimezone: true }
    const closed = { tuesday: [], wednesday: [], thursday: [], friday: [], sunday: [] }
    assert.deepStrictEqual(hoursOf(hoursValues(hours, "UTC")), { ...closed, ...hours })
    const names = hoursFields(hours, "UTC").map(({ name }) => name)
    for (const name of Object.keys(hoursValues(hours, "UTC"))) assert.include(names, name)
  })

  it("are Monday to Friday where none are stored", () => {
    const hours = hoursOf(hoursValues({}, "UTC"))
    assert.isObject(hours)
    const { friday, saturday } = hours as Exclude<typeof hours, string>
    assert.deepStrictEqual([friday, saturday], [[{ start: "09:00", end: "18:00" }], []])
  })

  it("need both times of a window", () => {
    const values = { ...hoursValues({}, "UTC"), "saturday start 0": "10:00" }
    assert.strictEqual(hoursOf(values), "Saturday has one time without the other. Enter both, or neither.")
  })
})

describe("limits", () => {
  const window: UsageWindow = {
    account_id: "acc_1",
    action: "message",
    window: "day",
    used: 3,
    limit: 18,
    own_limit: 20,
    remaining: 15,
    resets_gradually_until: null,
    forecast: []
  }

  it("show what was set, not what is allowed today, and go back to the subscription's when emptied", () => {
    const fields = limitFields([window])
    assert.deepStrictEqual(limitValues([window]), { message_day: "20" })
    assert.strictEqual(fields[0]?.hint, "3 used, 18 allowed now")
    const change = (values: Record<string, string>) => limitsChange("acc_1", inputOf(fields, values))
    assert.deepStrictEqual(change({ message_day: "" }), { account_id: "acc_1", limits: { message_day: null } })
    assert.deepStrictEqual(change({ ramp: "off" }), { account_id: "acc_1", limits: {}, ramp: false })
  })
})

describe("rates", () => {
  it("name their cases, and are not shown without any", () => {
    assert.deepStrictEqual([rate(12, 80), rate(0, 3), rate(0, 0)], ["12 of 80, 15 %", "0 of 3, 0 %", ""])
  })

  it("have their interval where they are compared, and a dash without cases", () => {
    assert.strictEqual(rateBetween({ rate: 0.12, low: 0.0479, high: 0.236 }, 9, 75), "12 % (5 – 24 %), 9 of 75")
    assert.strictEqual(rateBetween(null, 0, 0), "–")
  })
})
