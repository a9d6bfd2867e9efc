/**
 * Wall-clock time in an IANA time zone, from the runtime's time zone data.
 *
 * A wall time is in milliseconds, as if the wall clock showed UTC, so its date and time of day are plain arithmetic. When
 * clocks go back, the wall times of the overlap occur twice; {@link repeatEnd} detects the second pass.
 *
 * Assumes at most one change of offset within 48 hours. An unknown zone counts as UTC.
 */

/** Milliseconds of a day. */
export const dayMillis = 86_400_000

/**
 * A zone with its offsets at midnights of UTC, and the instants of its changes, by day since 1970: asking the format takes
 * microseconds, and a forecast asks often.
 */
interface Zone {
  readonly format: Intl.DateTimeFormat
  readonly offsets: Map<number, number>
  readonly changes: Map<number, number>
}

const zones = new Map<string, Zone>()

/** Days kept for a zone. */
const maxDays = 4_000

/** The value of a key, made and kept when it is asked for first; a map of `most` is cleared. */
const kept = <K, V>(map: Map<K, V>, key: K, most: number, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  if (map.size >= most) map.clear()
  map.set(key, made)
  return made
}

/** Bounds the cache, since one name has many spellings; the IANA database has about 600 names. */
const maxZones = 1_000

const zoneOf = (name: string): Zone =>
  kept(zones, name, maxZones, () => ({ format: makeFormat(name), offsets: new Map(), changes: new Map() }))

const makeFormat = (timeZone: string): Intl.DateTimeFormat => {
  const parts = {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  } as const
  const options = { calendar: "gregory", numberingSystem: "latn", hourCycle: "h23", ...parts } as const
  try {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" })
  }
}

const measuredOffset = ({ format }: Zone, instant: number): number => {
  const part: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value)
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  return wall - Math.floor(instant / 1_000) * 1_000
}

const midnightOffset = (zone: Zone, day: number): number =>
  kept(zone.offsets, day, maxDays, () => measuredOffset(zone, day * dayMillis))

/** The first instant between two, the second included, at which the offset is another than at the first. */
const firstChange = (before: number, after: number, offset: (instant: number) => number): number => {
  const old = offset(before)
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offset(middle) === old) low = middle
    else high = middle
  }
  return high
}

/** The instant on a day, which begins with one offset and ends with another one, from which on it is the other. */
const changeOn = (zone: Zone, day: number): number =>
  kept(zone.changes, day, maxDays, () =>
    firstChange(day * dayMillis, (day + 1) * dayMillis, (instant) => measuredOffset(zone, instant))
  )

/** Milliseconds that the wall clock of a zone is ahead of UTC at `instant` (milliseconds since 1970). */
const offsetAt = (name: string, instant: number): number => {
  const zone = zoneOf(name)
  const day = Math.floor(instant / dayMillis)
  const offset = midnightOffset(zone, day)
  // With one change at most, a day that begins and ends with the same offset has it all along.
  const next = midnightOffset(zone, day + 1)
  return offset === next || instant < changeOn(zone, day) ? offset : next
}

/** The wall time at an instant. */
export const wallTime = (zone: string, instant: number): number => instant + offsetAt(zone, instant)

/** The day of an instant on the wall calendar, in days since 1970-01-01. */
export const wallDay = (zone: string, at: string): number => Math.floor(wallTime(zone, Date.parse(at)) / dayMillis)

/** The first instant at which the wall clock shows `wall` or, if clocks skip it, the instant of the skip. */
export const firstInstantAt = (zone: string, wall: number): number => {
  const before = offsetAt(zone, wall - dayMillis)
  const early = wall - before
  if (offsetAt(zone, early) === before) return early
  const late = wall - offsetAt(zone, wall + dayMillis)
  return wallTime(zone, late) === wall ? late : changeBetween(zone, late, early)
}

/**
 * If `instant` is in the second pass of repeated wall times, the instant at which that pass ends; otherwise undefined.
 */
export const repeatEnd = (zone: string, instant: number): number | undefined => {
  const before = offsetAt(zone, instant - dayMillis)
  const overlap = before - offsetAt(zone, instant)
  if (overlap <= 0 || offsetAt(zone, instant - overlap) !== before) return undefined
  return changeBetween(zone, instant - overlap, instant) + overlap
}

/** The instant at which the offset changes, given one before and one at or after the change. */
const changeBetween = (zone: string, before: number, after: number): number =>
  firstChange(before, after, (instant) => offsetAt(zone, instant))
