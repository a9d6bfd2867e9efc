/**
 * Working hours as somebody reads them off a wall clock: one minute after another, by the runtime's own calendar, and with
 * nothing of the product.
 */

/** Windows by weekday, 0 for Sunday; minutes of the day, the end not included. */
export interface OracleHours {
  readonly zone: string
  readonly windows: Readonly<Record<number, ReadonlyArray<readonly [start: number, end: number]>>>
  readonly holidays: ReadonlyArray<string>
}

const minute = 60_000
const repeats = [30 * minute, 60 * minute]

const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()

/** How far a zone's wall clock is before UTC, in milliseconds. Offsets change on quarters of an hour. */
const offsetOf = (zone: string, instant: number): number => {
  const quarter = Math.floor(instant / (15 * minute))
  const key = `${zone}/${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23"
    })
  formats.set(zone, format)
  const at = quarter * 15 * minute
  const of = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const wall = Date.UTC(of["year"] ?? 0, (of["month"] ?? 1) - 1, of["day"], of["hour"], of["minute"])
  offsets.set(key, wall - at)
  return wall - at
}

const isOpenIn = (hours: OracleHours, zone: string, instant: number): boolean => {
  const offset = offsetOf(zone, instant)
  // The clock showed this half an hour or an hour ago already.
  if (repeats.some((back) => offsetOf(zone, instant - back) === offset + back)) return false
  const wall = new Date(instant + offset)
  if (hours.holidays.includes(wall.toISOString().slice(0, 10))) return false
  const minutes = wall.getUTCHours() * 60 + wall.getUTCMinutes()
  return (hours.windows[wall.getUTCDay()] ?? []).some(([start, end]) => start <= minutes && minutes < end)
}

/** Whether it is open at an instant, in the lead's zone too where one is given. */
export const isOpenAt = (hours: OracleHours, leadZone: string | undefined, instant: number): boolean =>
  isOpenIn(hours, hours.zone, instant) && (leadZone === undefined || isOpenIn(hours, leadZone, instant))

/** The first open instant from an instant on, and `longest` milliseconds later at the latest. */
export const opensAt = (hours: OracleHours, leadZone: string | undefined, instant: number, longest: number): number => {
  if (isOpenAt(hours, leadZone, instant)) return instant
  const first = Math.ceil(instant / minute) * minute
  for (let at = first; at <= instant + longest; at += minute) if (isOpenAt(hours, leadZone, at)) return at
  return instant + longest
}
