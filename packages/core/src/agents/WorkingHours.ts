/**
 * When an agent may send: windows of wall-clock time on weekdays, in the agent's time zone.
 *
 * Without any weekday the week is Monday to Friday 09:00-18:00; once a weekday is named, days not named are closed.
 * Where clocks skip time a window shrinks; where they repeat time only the first pass counts. Source: G6.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { dayMillis, firstInstantAt, repeatEnd, wallTime } from "./ZonedTime.ts"

const clockTime = (pattern: string, expectation: string, description: string) => {
  const test = new RegExp(pattern)
  return Schema.String.check(
    Schema.makeFilter((text: string) => (test.test(text) ? undefined : `Expected ${expectation}`), {
      toJsonSchema: () => ({ pattern }),
      description
    })
  )
}

/** One window of a day. */
export const WorkingWindow = Schema.Struct({
  start: clockTime(
    "^([01][0-9]|2[0-3]):[0-5][0-9]$",
    "a time HH:mm from 00:00 to 23:59",
    "First minute, HH:mm, for example 09:00."
  ),
  end: clockTime(
    "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$",
    "a time HH:mm from 00:00 to 24:00",
    "End of the window, HH:mm, not included; 24:00 is midnight."
  )
}).check(
  Schema.makeFilter(
    ({ start, end }) =>
      start < end ? undefined : "Expected a start before the end; split a window over midnight into two days",
    { toJsonSchema: () => [{}, true] }
  )
)
export type WorkingWindow = typeof WorkingWindow.Type

const maxWindows = 4
const maxHolidays = 366

const windowsRefusal = (windows: ReadonlyArray<WorkingWindow>): string | undefined => {
  if (windows.length > maxWindows) return `Expected at most ${maxWindows} windows a day, got ${windows.length}`
  const ordered = sorted(windows)
  const overlap = ordered.some((window, i) => i > 0 && window.start < (ordered[i - 1]?.end ?? ""))
  return overlap ? "Expected windows that do not overlap" : undefined
}

const sorted = (windows: ReadonlyArray<WorkingWindow>): ReadonlyArray<WorkingWindow> =>
  windows.toSorted((a, b) => (a.start < b.start ? -1 : 1))

const dayField = (day: string) =>
  Schema.optionalKey(
    Schema.Array(WorkingWindow)
      .check(
        Schema.makeFilter(
          windowsRefusal,
          {
            toJsonSchema: () => [{ maxItems: maxWindows }, true],
            description: `Windows on ${day}, at most ${maxWindows}, not overlapping; an empty array means closed.`
          },
          true
        )
      )
      .pipe(
        Schema.decodeTo(
          Schema.Array(WorkingWindow),
          SchemaTransformation.transform({ decode: sorted, encode: (windows) => windows })
        )
      )
  )

const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number)
  return dateText(Date.UTC(year, month - 1, day)) === text
}

const dateText = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

const Holiday = Schema.String.check(
  Schema.makeFilter((text: string) => (isDate(text) ? undefined : "Expected a date YYYY-MM-DD that exists"), {
    toJsonSchema: () => ({ format: "date" })
  })
)

/**
 * An agent's working hours, as sent and as stored; stored windows are sorted by time. Unknown keys are refused by the
 * decoder of commands, as everywhere.
 */
export const WorkingHours = Schema.Struct({
  monday: dayField("Monday"),
  tuesday: dayField("Tuesday"),
  wednesday: dayField("Wednesday"),
  thursday: dayField("Thursday"),
  friday: dayField("Friday"),
  saturday: dayField("Saturday"),
  sunday: dayField("Sunday"),
  holidays: Schema.optionalKey(
    Schema.Array(Holiday).check(
      Schema.makeFilter(
        (dates: ReadonlyArray<string>) =>
          dates.length <= maxHolidays ? undefined : `Expected at most ${maxHolidays} dates, got ${dates.length}`,
        {
          toJsonSchema: () => ({ maxItems: maxHolidays }),
          description: "Dates YYYY-MM-DD without working hours, in the agent's time zone."
        }
      )
    )
  ),
  useLeadTimezone: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "When true and the lead's time zone is known, the hours must hold in both time zones."
    })
  )
}).annotate({
  description: "Windows of sending per weekday, in the agent's time zone. {} means Monday to Friday 09:00-18:00."
})
export type WorkingHours = typeof WorkingHours.Type

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const
const officeDay: ReadonlyArray<WorkingWindow> = [{ start: "09:00", end: "18:00" }]

/** The windows of a weekday, 0 for Sunday to 6 for Saturday, sorted; the default week when no weekday is named. */
export const windowsOn = (hours: WorkingHours, weekday: number): ReadonlyArray<WorkingWindow> => {
  if (weekdays.every((day) => hours[day] === undefined)) return weekday >= 1 && weekday <= 5 ? officeDay : []
  const day = weekdays[weekday]
  return (day === undefined ? undefined : hours[day]) ?? []
}

/** How far {@link nextOpening} looks ahead, in days. */
export const horizonDays = 370

/** Where the hours must hold: the agent's time zone and, when the hours say so and it is known, the lead's. */
const zonesOf = (hours: WorkingHours, zone: string, leadZone: string | undefined): ReadonlyArray<string> =>
  hours.useLeadTimezone === true && leadZone !== undefined ? [zone, leadZone] : [zone]

/**
 * Whether sending is allowed at `instant` (milliseconds since 1970). `zone` and `leadZone` are IANA names; a zone that the
 * runtime does not know counts as UTC.
 */
export const isOpen = (hours: WorkingHours, zone: string, instant: number, leadZone?: string): boolean =>
  zonesOf(hours, zone, leadZone).every((each) => isOpenIn(hours, each, instant))

/**
 * The first instant from `instant` on at which {@link isOpen} holds, `instant` itself when it does; `undefined` when there is
 * none within 370 days.
 */
export const nextOpening = (
  hours: WorkingHours,
  zone: string,
  instant: number,
  leadZone?: string
): number | undefined => {
  const zones = zonesOf(hours, zone, leadZone)
  const limit = instant + horizonDays * dayMillis
  let at: number | undefined = instant
  while (at !== undefined && at <= limit) {
    const now: number = at
    const closed = zones.find((each) => !isOpenIn(hours, each, now))
    if (closed === undefined) return now
    at = nextOpeningIn(hours, closed, now, limit)
  }
  return undefined
}

const isOpenIn = (hours: WorkingHours, zone: string, instant: number): boolean => {
  const wall = wallTime(zone, instant)
  const inside = windowsOfDate(hours, wall).some(({ start, end }) => start <= wall && wall < end)
  return inside && repeatEnd(zone, instant) === undefined
}

const nextOpeningIn = (hours: WorkingHours, zone: string, instant: number, limit: number): number | undefined => {
  // A window that began before the repeated time goes on after it, and no start of a window marks that point.
  const resumed = repeatEnd(zone, instant)
  if (resumed !== undefined && isOpenIn(hours, zone, resumed)) return resumed
  const today = Math.floor(wallTime(zone, instant) / dayMillis) * dayMillis
  for (let day = 0; day <= horizonDays + 1; day++) {
    for (const { start } of windowsOfDate(hours, today + day * dayMillis)) {
      const opening = firstInstantAt(zone, start)
      if (opening > limit) return undefined
      if (opening >= instant && isOpenIn(hours, zone, opening)) return opening
    }
  }
  return undefined
}

/** The windows of the date that a wall time lies on, as wall times. */
const windowsOfDate = (hours: WorkingHours, wall: number): ReadonlyArray<{ start: number; end: number }> => {
  const midnight = Math.floor(wall / dayMillis) * dayMillis
  const weekday = (((midnight / dayMillis + 4) % 7) + 7) % 7
  const windows = windowsOn(hours, weekday)
  if (windows.length === 0 || hours.holidays?.includes(dateText(midnight)) === true) return []
  return windows.map(({ start, end }) => ({ start: midnight + millisOf(start), end: midnight + millisOf(end) }))
}

const millisOf = (clock: string): number => (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * 60_000
