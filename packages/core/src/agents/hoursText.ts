/** Working hours as people write them: `mon-fri 9:00-12:30 13:30-17:00, sat 10-12`. */
import * as Result from "effect/Result"
import type { WorkingHours, WorkingWindow } from "./WorkingHours.ts"

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/** An example, for help and messages. */
export const hoursExample = "mon-fri 9:00-12:30 13:30-17:00, sat 10:00-12:00"

const dayOf = (word: string): number => (word.length < 2 ? -1 : days.findIndex((day) => day.startsWith(word)))

/** The days of `fri` or `mon-fri`, also over the end of the week; undefined if it names none. */
const daysOf = (token: string): ReadonlyArray<(typeof days)[number]> | undefined => {
  const [first = "", last = first, ...others] = token.split("-")
  const [from, to] = [dayOf(first), dayOf(last)]
  if (from < 0 || to < 0 || others.length > 0) return undefined
  return days.map((_, ahead) => days[(from + ahead) % 7] ?? "monday").slice(0, ((to - from + 7) % 7) + 1)
}

const clockOf = (text: string): string | undefined => {
  const [, hour, minute = "00"] = /^([01]?\d|2[0-4])(?::([0-5]\d))?$/.exec(text) ?? []
  return hour === undefined ? undefined : `${hour.padStart(2, "0")}:${minute}`
}

const windowOf = (token: string): WorkingWindow | undefined => {
  const [start, end, ...others] = token.split("-").map(clockOf)
  if (start === undefined || end === undefined || others.length > 0) return undefined
  return start < end ? { start, end } : undefined
}

/** The working hours in a text, with the days that it does not name closed; otherwise the word that cannot be read. */
export const hoursOf = (text: string): Result.Result<WorkingHours, string> => {
  const hours: Partial<Record<(typeof days)[number], ReadonlyArray<WorkingWindow>>> = {}
  let named: ReadonlyArray<(typeof days)[number]> = []
  let isOpen = true
  const tokens = text
    .toLowerCase()
    .replaceAll(/\s*[-–]\s*/g, "-")
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
  for (const token of tokens) {
    const more = daysOf(token)
    const window = windowOf(token)
    if (more !== undefined) named = isOpen ? more : [...named, ...more]
    else if (named.length === 0 || (window === undefined && token !== "closed")) return Result.fail(token)
    for (const day of more === undefined ? named : []) hours[day] = [...(hours[day] ?? []), ...(window ? [window] : [])]
    isOpen = more === undefined
  }
  return isOpen && named.length > 0 ? Result.succeed(hours) : Result.fail(tokens.at(-1) ?? "")
}

/** The text of working hours; undefined where it cannot tell all of them, as with holidays. */
export const hoursText = (hours: WorkingHours): string | undefined => {
  const { holidays, useLeadTimezone, ...week } = hours
  if (holidays !== undefined || useLeadTimezone !== undefined || Object.keys(week).length === 0) return undefined
  const parts: Array<{ readonly days: Array<string>; readonly times: string }> = []
  for (const day of days) {
    const times = week[day]?.map(({ end, start }) => `${start}-${end}`).join(" ")
    const last = parts.at(-1)
    const isNext = last?.days.at(-1) === days[days.indexOf(day) - 1]?.slice(0, 3)
    if (times === undefined) continue
    if (isNext && last?.times === times) last.days.push(day.slice(0, 3))
    else parts.push({ days: [day.slice(0, 3)], times })
  }
  return parts
    .map(({ days: [first, ...rest], times }) => `${[first, ...rest.slice(-1)].join("-")} ${times || "closed"}`)
    .join(", ")
}
