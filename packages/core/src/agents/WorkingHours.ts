/**
 * Working hours: when an agent may send, as windows of wall-clock time per weekday in the agent's time zone.
 *
 * Without any weekday the week is Monday to Friday 09:00-18:00; otherwise weekdays that are absent are closed. When clocks
 * go forward a window shrinks; when they go back only the first pass of the repeated time counts.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { formatted } from "../kernel/schema/TextFields.ts"
import { dayMillis, firstInstantAt, repeatEnd, wallTime } from "./ZonedTime.ts"

/** One window of a day. */
export const WorkingWindow = Schema.Struct({
  start: formatted(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 5, "a time HH:mm from 00:00 to 23:59").annotate({
    description: "Start time, HH:mm, for example 09:00."
  }),
  end: formatted(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, 5, "a time HH:mm from 00:00 to 24:00").annotate({
    description: "End time, HH:mm, exclusive; 24:00 is midnight."
  })
}).check(
  Schema.makeFilter(
    ({ start, end }) =>
      start < end ? undefined : "Expected a start before the end; split a window across midnight into two days",
    { toJsonSchema: () => [{}, true] }
  )
)
export type WorkingWindow = typeof WorkingWindow.Type

const maxWindows = 4
const maxHolidays = 366

const windowsRefusal = (windows: ReadonlyArray<WorkingWindow>): string | undefined => {
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
        Schema.isMaxLength(maxWindows),
        Schema.makeFilter(
          windowsRefusal,
          {
            toJsonSchema: () => [{}, true],
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
  Schema.makeFilter((text: string) => (isDate(text) ? undefined : "Expected an existing date, YYYY-MM-DD"), {
    toJsonSchema: () => ({ format: "date", maxLength: 10 })
  })
)

/**
 * An agent's working hours, as sent and as stored; stored windows are sorted by time.
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
      Schema.isMaxLength(maxHolidays, {
        description: "Dates without working hours, YYYY-MM-DD, in the agent's time zone."
      })
    )
  ),
  useLeadTimezone: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "When true and the lead's time zone is known, it must be within the hours in both time zones."
    })
  )
}).annotate({
  description: "Sending windows per weekday, in the agent's time zone. {} means Monday to Friday 09:00-18:00."
})
export type WorkingHours = typeof WorkingHours.Type

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const
const officeDay: ReadonlyArray<WorkingWindow> = [{ start: "09:00", end: "18:00" }]

/** The sorted windows of a weekday, 0 for Sunday to 6 for Saturday; those of the default week if there is no weekday. */
const windowsOn = (hours: WorkingHours, weekday: number): ReadonlyArray<WorkingWindow> => {
  if (weekdays.every((day) => hours[day] === undefined)) return weekday >= 1 && weekday <= 5 ? officeDay : []
  const day = weekdays[weekday]
  return (day === undefined ? undefined : hours[day]) ?? []
}

/** How far {@link nextOpening} searches, in days. */
export const horizonDays = 370

/** The time zones in which the hours must be open: the agent's and, with useLeadTimezone, the lead's if it is known. */
const zonesOf = (hours: WorkingHours, zone: string, leadZone: string | undefined): ReadonlyArray<string> =>
  hours.useLeadTimezone === true && leadZone !== undefined ? [zone, leadZone] : [zone]

/**
 * Whether sending is allowed at `instant` (milliseconds since 1970). `zone` and `leadZone` are IANA names; an unknown zone
 * counts as UTC.
 */
export const isOpen = (hours: WorkingHours, zone: string, instant: number, leadZone?: string): boolean =>
  zonesOf(hours, zone, leadZone).every((each) => isOpenIn(hours, each, instant))

/**
 * The first instant from `instant` on at which {@link isOpen} is true, possibly `instant` itself; undefined if there is none
 * within 370 days.
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

/** The dates with working hours after that of an instant: its time of day there, and their first opening, as `wallTime` has it. */
function* workingDates(hours: WorkingHours, zone: string, instant: number) {
  const today = wallTime(zone, instant)
  for (let day = 1; day <= horizonDays; day++) {
    const wall = today + day * dayMillis
    const [first] = windowsOfDate(hours, wall)
    if (first !== undefined) yield { wall, start: first.start }
  }
}

/**
 * The same time of day on the `days`-th date with working hours after that of `instant` (milliseconds since 1970); `instant`
 * itself for 0 days, and 370 days later if there are too few. An unknown or empty zone counts as UTC.
 */
export const workingDaysAfter = (hours: WorkingHours, zone: string, instant: number, days: number): number => {
  if (days === 0) return instant
  let left = days
  for (const { wall } of workingDates(hours, zone || "UTC", instant)) {
    left--
    if (left === 0) return firstInstantAt(zone || "UTC", wall)
  }
  return instant + horizonDays * dayMillis
}

/**
 * The start of the first working day after the date of `instant` (milliseconds since 1970) in a time zone; undefined if there is
 * none within 370 days. An unknown or empty zone counts as UTC.
 */
export const nextMorning = (hours: WorkingHours, zone: string, instant: number): number | undefined => {
  const [first] = workingDates(hours, zone || "UTC", instant)
  return first && firstInstantAt(zone || "UTC", first.start)
}

const isOpenIn = (hours: WorkingHours, zone: string, instant: number): boolean => {
  const wall = wallTime(zone, instant)
  const inside = windowsOfDate(hours, wall).some(({ start, end }) => start <= wall && wall < end)
  return inside && repeatEnd(zone, instant) === undefined
}

const nextOpeningIn = (hours: WorkingHours, zone: string, instant: number, limit: number): number | undefined => {
  // A window that began before the repeated time continues after it, without a start of a window at that point.
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

/** The windows on the date of a wall time, as wall times. */
const windowsOfDate = (hours: WorkingHours, wall: number): ReadonlyArray<{ start: number; end: number }> => {
  const midnight = Math.floor(wall / dayMillis) * dayMillis
  const weekday = (((midnight / dayMillis + 4) % 7) + 7) % 7
  const windows = windowsOn(hours, weekday)
  if (windows.length === 0 || hours.holidays?.includes(dateText(midnight)) === true) return []
  return windows.map(({ start, end }) => ({ start: midnight + millisOf(start), end: midnight + millisOf(end) }))
}

const millisOf = (clock: string): number => (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * 60_000
