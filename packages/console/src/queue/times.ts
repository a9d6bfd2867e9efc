/** Times as people say them. Pure. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago: `4 min`, `3 h`, `2 d`. */
export const shortAge = (at: string, now: number): string => {
  const age = now - Date.parse(at)
  if (age < minute) return "now"
  if (age < hour) return `${Math.floor(age / minute)} min`
  return age < day ? `${Math.floor(age / hour)} h` : `${Math.floor(age / day)} d`
}

/** How long until: `45 s`, `12 min`, `3 h 20`; the day beyond that. */
export const countdown = (at: string, now: number): string => {
  const left = Date.parse(at) - now
  if (left <= 0) return "now"
  if (left < minute) return `${Math.ceil(left / 1000)} s`
  if (left < hour) return `${Math.ceil(left / minute)} min`
  if (left < 12 * hour)
    return `${Math.floor(left / hour)} h ${String(Math.floor((left % hour) / minute)).padStart(2, "0")}`
  return dayAndTime(at)
}

const format = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" })
const parts = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const
const withDate = new Intl.DateTimeFormat("en-GB", parts)
const withYear = new Intl.DateTimeFormat("en-GB", { ...parts, year: "numeric" })

/** `Mon 09:00`. */
export const dayAndTime = (at: string): string => format.format(new Date(at)).replace(",", "")

/** `Mon 23 Nov, 09:00`; `Mon 23 Nov 2026, 09:00` if it is more than half a year away. */
export const dateAndTime = (at: string): string => {
  const isFar = Math.abs(Date.parse(at) - Date.now()) > 182 * day
  return (isFar ? withYear : withDate).format(new Date(at)).replace(/^(\w+),/, "$1")
}

/** The instant at which a day of a date field begins, in the reader's time zone. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00`).toISOString()

/** Times to snooze until, counted from a moment, in the reader's time zone. */
export const snoozeTimes = (now: number): ReadonlyArray<{ readonly text: string; readonly at: string }> => {
  const morning = (days: number) => {
    const date = new Date(now)
    date.setDate(date.getDate() + days)
    date.setHours(9, 0, 0, 0)
    return date.toISOString()
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  return [
    { text: "In 3 hours", at: new Date(now + 3 * hour).toISOString() },
    { text: "Tomorrow", at: morning(1) },
    { text: "Monday", at: morning(toMonday) },
    { text: "In a week", at: morning(7) },
    { text: "In a month", at: morning(30) }
  ]
}
