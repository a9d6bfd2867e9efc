import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { hoursExample, hoursOf, hoursText } from "#core/agents/hoursText.ts"
import { isOpen, nextOpening, WorkingHours, type WorkingWindow } from "#core/agents/WorkingHours.ts"
import { decoder } from "#core/kernel/schema/Decode.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { effort } from "../../support/effort.ts"

const at = (text: string): number => Date.parse(text)
const iso = (instant: number | undefined): string =>
  instant === undefined ? "never" : new Date(instant).toISOString().replace(":00.000Z", "Z")
const decode = (value: unknown): unknown =>
  Result.match(decoder(Schema.Struct({ workingHours: WorkingHours }))({ workingHours: value }), {
    onSuccess: (success) => success.workingHours,
    onFailure: ({ message }) => message
  })
const window = (start: string, end: string): WorkingWindow => ({ start, end })

describe("WorkingHours", () => {
  it("takes every kind of window, and sorts the windows", () => {
    const sent = {
      monday: [window("14:00", "24:00"), window("09:00", "12:00"), window("12:00", "14:00"), window("00:00", "00:01")],
      sunday: [],
      holidays: ["2026-12-25", "2028-02-29"],
      useLeadTimezone: true
    }
    const stored = { ...sent, monday: sent.monday.toSorted((a, b) => a.start.localeCompare(b.start)) }
    assert.deepEqual(decode(sent), stored)
    assert.deepEqual(decode(stored), stored)
    assert.deepEqual(decode({}), {})
  })

  it.each([
    [{ monday: [window("9:00", "12:00")] }, "workingHours.monday[0].start must be a time HH:mm from 00:00 to 23:59"],
    [{ monday: [window("24:00", "24:00")] }, "workingHours.monday[0].start must be a time HH:mm from 00:00 to 23:59"],
    [{ monday: [window("09:00", "24:01")] }, "workingHours.monday[0].end must be a time HH:mm from 00:00 to 24:00"],
    [
      { friday: [window("22:00", "06:00")] },
      "workingHours.friday[0] must be a start before the end; split a window across midnight into two days"
    ],
    [{ friday: [window("09:00", "09:00")] }, "workingHours.friday[0] must be a start before the end"],
    [
      { friday: [window("09:00", "12:00"), window("11:59", "13:00")] },
      "workingHours.friday must be windows that do not overlap"
    ],
    [
      { friday: Array.from({ length: 5 }, (_, i) => window(`0${i}:00`, `0${i}:30`)) },
      "workingHours.friday must have at most 4 items, got 5"
    ],
    [{ holidays: ["2026-02-29"] }, "workingHours.holidays[0] must be an existing date, YYYY-MM-DD"],
    [{ mondays: [] }, "workingHours.mondays is not a known field. Did you mean monday?"],
    [{ monday: [{ ...window("09:00", "12:00"), until: 1 }] }, "workingHours.monday[0].until is not a known field"],
    [{ monday: "09:00-18:00" }, "workingHours.monday must be array"],
    [[], "workingHours must be "]
  ])("refuses %j", (value, message) => {
    assert.include(decode(value), message)
  })

  it("limits the number of holidays", () => {
    const holidays = Array.from({ length: 367 }, () => "2026-01-01")
    assert.strictEqual(decode({ holidays }), "workingHours.holidays must have at most 366 items, got 367.")
  })

  it("publishes a described schema", () => {
    const published = JSON.parse(JSON.stringify(jsonSchemaOf(WorkingHours)))
    assert.deepEqual(Object.keys(published.properties), [
      "monday",
      "tuesday",
      "wednesday",
      "thursday",
      "friday",
      "saturday",
      "sunday",
      "holidays",
      "useLeadTimezone"
    ])
    assert.isFalse(published.additionalProperties)
    assert.include(published.description, "{} means Monday to Friday 09:00-18:00")
    for (const property of Object.values<{ description?: string }>(published.properties))
      assert.isString(property.description)
    const { monday } = published.properties
    assert.deepEqual(
      [monday.type, monday.maxItems, monday.items.required, monday.items.additionalProperties],
      ["array", 4, ["start", "end"], false]
    )
    assert.notInclude(JSON.stringify(published), "anyOf")
    assert.notInclude(JSON.stringify(published), "allOf")
  })
})

describe("isOpen and nextOpening", () => {
  it("means office hours when no weekday is named", () => {
    assert.isTrue(isOpen({}, "Europe/Berlin", at("2026-06-01T07:00:00Z")))
    assert.isFalse(isOpen({}, "Europe/Berlin", at("2026-06-01T06:59:59.999Z")))
    assert.isTrue(isOpen({}, "Europe/Berlin", at("2026-06-01T15:59:59.999Z")))
    assert.isFalse(isOpen({}, "Europe/Berlin", at("2026-06-01T16:00:00Z")))
    assert.strictEqual(iso(nextOpening({}, "Europe/Berlin", at("2026-06-05T16:00:00Z"))), "2026-06-08T07:00Z")
    assert.strictEqual(
      iso(nextOpening({ holidays: ["2026-06-08"] }, "Europe/Berlin", at("2026-06-05T16:00:00Z"))),
      "2026-06-09T07:00Z"
    )
    assert.strictEqual(nextOpening({}, "UTC", at("2026-06-01T10:11:12.345Z")), at("2026-06-01T10:11:12.345Z"))
  })

  it("is never open in an empty week, nor beyond 370 days", () => {
    assert.isUndefined(nextOpening({ monday: [] }, "UTC", at("2026-06-01T10:00:00Z")))
    const mondays = (count: number) =>
      Array.from({ length: count }, (_, week) => iso(at("2026-06-08T00:00:00Z") + week * 604_800_000).slice(0, 10))
    const yearly = (count: number) => ({ monday: [window("09:00", "10:00")], holidays: mondays(count) })
    const start = at("2026-06-01T10:00:00Z")
    assert.strictEqual(iso(nextOpening(yearly(51), "UTC", start)), "2027-05-31T09:00Z")
    assert.strictEqual(iso(nextOpening(yearly(52), "UTC", start)), "never")
  })

  it("shrinks windows in skipped time and counts repeated time once", () => {
    const night = { sunday: [window("02:30", "04:00")] }
    assert.strictEqual(iso(nextOpening(night, "Europe/Berlin", at("2026-03-28T12:00:00Z"))), "2026-03-29T01:00Z")
    assert.strictEqual(
      iso(nextOpening({ sunday: [window("02:00", "03:00")] }, "Europe/Berlin", at("2026-03-28T12:00:00Z"))),
      "2026-04-05T00:00Z"
    )
    // On 25 October 2026 clocks go from 03:00 back to 02:00 at 01:00 UTC.
    assert.isTrue(isOpen(night, "Europe/Berlin", at("2026-10-25T00:30:00Z")))
    assert.isFalse(isOpen(night, "Europe/Berlin", at("2026-10-25T01:30:00Z")))
    assert.strictEqual(iso(nextOpening(night, "Europe/Berlin", at("2026-10-25T01:00:00Z"))), "2026-10-25T02:00Z")
  })

  it("skips a date that a zone never had", () => {
    const friday = { friday: [window("00:00", "24:00")] }
    assert.strictEqual(iso(nextOpening(friday, "Pacific/Apia", at("2011-12-29T10:00:00Z"))), "2012-01-05T10:00Z")
  })

  it("holds in both time zones when it follows the lead's", () => {
    const hours = { useLeadTimezone: true }
    const start = at("2026-06-01T00:00:00Z")
    assert.strictEqual(iso(nextOpening(hours, "Europe/Berlin", start, "America/New_York")), "2026-06-01T13:00Z")
    assert.strictEqual(iso(nextOpening(hours, "Europe/Berlin", start)), "2026-06-01T07:00Z")
    assert.strictEqual(iso(nextOpening({}, "Europe/Berlin", start, "America/New_York")), "2026-06-01T07:00Z")
    assert.isUndefined(nextOpening(hours, "Asia/Tokyo", start, "America/New_York"))
    assert.isFalse(isOpen(hours, "Europe/Berlin", at("2026-06-01T08:00:00Z"), "America/New_York"))
  })

  it("takes an unknown zone for UTC", () => {
    assert.isTrue(isOpen({}, "Mars/Olympus", at("2026-06-01T09:00:00Z")))
  })
})

/** Every minute of a span as wall clock text, read through another library; `first` is false when clocks repeat it. */
const minutesOf = (zone: string, from: number, minutes: number) => {
  const named = Option.getOrThrow(DateTime.zoneMakeNamed(zone))
  const seen = new Set<string>()
  return Array.from({ length: minutes }, (_, i) => {
    const instant = from + i * 60_000
    const parts = DateTime.toParts(DateTime.makeZonedUnsafe(instant, { timeZone: named }))
    const two = (value: number) => String(value).padStart(2, "0")
    const date = `${parts.year}-${two(parts.month)}-${two(parts.day)}`
    const clock = `${two(parts.hour)}:${two(parts.minute)}`
    const first = !seen.has(date + clock)
    seen.add(date + clock)
    return { instant, date, clock, weekday: parts.weekDay, first }
  })
}

describe.each([
  ["Europe/Berlin", ["2025-03-30", "2025-10-26", "2026-03-29", "2026-10-25"]],
  ["America/New_York", ["2025-03-09", "2025-11-02", "2026-03-08", "2026-11-01"]],
  ["Australia/Lord_Howe", ["2025-04-06", "2025-10-05", "2026-04-05", "2026-10-04"]],
  ["America/Havana", ["2026-03-08", "2026-11-01"]],
  ["Asia/Beirut", ["2025-03-30", "2025-10-26"]],
  ["Asia/Kolkata", ["2026-03-29"]],
  ["UTC", ["2025-10-26"]]
] as const)("against a minute-by-minute oracle in %s", (zone, days) => {
  const clock = fc.integer({ min: 0, max: 24 * 12 }).map((n) => n * 5)
  const night = fc.integer({ min: 0, max: 16 }).map((n) => n * 15)
  const text = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`
  const windows = fc.uniqueArray(fc.oneof(night, clock), { minLength: 2, maxLength: 8 }).map((minutes) => {
    const ordered = minutes.toSorted((a, b) => a - b)
    return Array.from({ length: Math.floor(ordered.length / 2) }, (_, i) =>
      window(text(ordered[2 * i] ?? 0), text(ordered[2 * i + 1] ?? 0))
    )
  })
  const names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const
  const day = (name: string) => fc.record({ [name]: windows }, { requiredKeys: [] })

  it.each(days)("on and around %s", (date) => {
    const minutes = minutesOf(zone, at(`${date}T00:00:00Z`) - 86_400_000, 3 * 1_440)
    const week = fc
      .tuple(...names.map(day), fc.subarray([date]))
      .map(([...parts]) => ({ ...Object.assign({}, ...parts.slice(0, 7)), holidays: parts[7] }))
    fc.assert(
      fc.property(week, (value) => {
        const hours = Schema.decodeUnknownSync(WorkingHours)(value)
        const named = names.some((name) => hours[name] !== undefined)
        const open = minutes.map(({ clock, date, first, weekday }) => {
          const list = named ? hours[names[weekday] ?? "sunday"] : weekday % 6 === 0 ? [] : [window("09:00", "18:00")]
          const inside = (list ?? []).some(({ start, end }) => start <= clock && clock < end)
          return inside && first && hours.holidays?.includes(date) !== true
        })
        let next: number | undefined
        for (let i = minutes.length - 1; i >= 0; i--) {
          const instant = minutes[i]?.instant ?? 0
          if (open[i]) next = instant
          assert.strictEqual(isOpen(hours, zone, instant), open[i], `${iso(instant)} ${JSON.stringify(hours)}`)
          const sampled = i % 13 === 0 || open[i] !== open[i - 1] || open[i] !== open[i + 1]
          if (sampled && next !== undefined) {
            assert.strictEqual(
              iso(nextOpening(hours, zone, instant)),
              iso(next),
              `${iso(instant)} ${JSON.stringify(hours)}`
            )
          }
          if (sampled && next === undefined) {
            const later = nextOpening(hours, zone, instant)
            assert.isTrue(later === undefined || later > (minutes.at(-1)?.instant ?? 0))
          }
        }
      }),
      { numRuns: effort(4) }
    )
  })
})

describe("working hours as text", () => {
  it.each([
    ["Mon-Fri 9-17", { monday: 5, friday: 5 }, "mon-fri 09:00-17:00"],
    [
      "sat-mon 10:00 - 12:00 13:30–24:00",
      { monday: 3, sunday: 3 },
      "mon 10:00-12:00 13:30-24:00, sat-sun 10:00-12:00 13:30-24:00"
    ],
    ["mon, wed; friday 8:05-9", { monday: 3, wednesday: 3 }, "mon 08:05-09:00, wed 08:05-09:00, fri 08:05-09:00"],
    ["mon-tue 9-12, sun closed", { sunday: 3 }, "mon-tue 09:00-12:00, sun closed"]
  ] as const)("reads %s", (text, days, shown) => {
    const hours = Result.getOrThrow(hoursOf(text))
    assert.strictEqual(hoursText(hours), shown)
    for (const [day, count] of Object.entries(days)) {
      assert.isTrue(day in hours, day)
      assert.lengthOf(Object.keys(hours), count)
    }
    assert.deepStrictEqual(decode(hours), hours)
  })

  it.each([
    ["", ""],
    ["9-17", "9-17"],
    ["mun-fri 9-17", "mun-fri"],
    ["mon-fri 17-9", "17-9"],
    ["mon 9-25", "9-25"],
    ["mon 9-12 tue", "tue"],
    ["mon-wed-fri 9-12", "mon-wed-fri"],
    ["m 9-12", "m"]
  ])("names what it cannot read of %j", (text, word) => {
    assert.deepStrictEqual(Result.merge(hoursOf(text)), word)
  })

  it("is written as it is read, unless it has more than windows", () => {
    const clock = fc.integer({ min: 0, max: 1439 })
    const text = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`
    const windows = fc
      .tuple(clock, clock)
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => [window(text(Math.min(a, b)), text(Math.max(a, b)))])
    const day = fc.option(fc.oneof(windows, fc.constant([])), { nil: undefined })
    const names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    fc.assert(
      fc.property(fc.tuple(day, day, day, day, day, day, day), (days) => {
        const hours = Object.fromEntries(
          names.flatMap((name, index) => (days[index] === undefined ? [] : [[name, days[index]]]))
        )
        const written = hoursText(hours)
        if (Object.keys(hours).length === 0) assert.isUndefined(written)
        else assert.deepStrictEqual(Result.merge(hoursOf(written ?? "")), hours)
        assert.isUndefined(hoursText({ ...hours, holidays: ["2026-12-24"] }))
      }),
      { numRuns: effort(200) }
    )
    assert.isTrue(Result.isSuccess(hoursOf(hoursExample)))
  })
})
