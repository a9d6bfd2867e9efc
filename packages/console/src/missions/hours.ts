/** Working hours as a form shows them: two times for each window of a day. Pure. */
import { type Field, linesOf, type Values } from "../form/values.ts"
import type { ResultOf } from "../service/shapes.ts"
import { capital } from "../text/capital.ts"

type Hours = ResultOf<"agent.get">["agent"]["workingHours"]

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/** Without any day, the week of the service. */
const windowsOf = (hours: Hours, day: (typeof days)[number]) =>
  days.some((one) => hours[one] !== undefined)
    ? (hours[day] ?? [])
    : day.startsWith("s")
      ? []
      : [{ start: "09:00", end: "18:00" }]

/** Two windows a day, or four where a day has more than two. */
const slotsOf = (hours: Hours): ReadonlyArray<number> =>
  days.some((day) => windowsOf(hours, day).length > 2) ? [0, 1, 2, 3] : [0, 1]

const zones = (zone: string): ReadonlyArray<string> => [
  ...new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")])
]

/** The fields of an agent with these hours. */
export const hoursFields = (hours: Hours, zone: string): ReadonlyArray<Field> => [
  { name: "timezone", label: "Time zone", kind: "choice", options: zones(zone).map((one) => [one, one]) },
  ...days.flatMap((day) =>
    slotsOf(hours).flatMap(
      (slot): ReadonlyArray<Field> => [
        { name: `${day} start ${slot}`, label: `${capital(day)}${slot === 0 ? "" : ", then"} from`, kind: "time" },
        { name: `${day} end ${slot}`, label: `${capital(day)}${slot === 0 ? "" : ", then"} to`, kind: "time" }
      ]
    )
  ),
  { name: "holidays", label: "Days off", kind: "list", rows: 3, hint: "One date in each line, such as 2026-12-24." },
  { name: "useLeadTimezone", label: "Also keep these hours in the lead's time zone, where it is known", kind: "check" }
]

/** What the form shows. Midnight at the end of a day is 00:00 in a field. */
export const hoursValues = (hours: Hours, timezone: string): Values => ({
  timezone,
  holidays: (hours.holidays ?? []).join("\n"),
  useLeadTimezone: hours.useLeadTimezone === true,
  ...Object.fromEntries(
    days.flatMap((day) =>
      windowsOf(hours, day).flatMap(({ end, start }, slot) => [
        [`${day} start ${slot}`, start],
        [`${day} end ${slot}`, end === "24:00" ? "00:00" : end]
      ])
    )
  )
})

/** The hours that a form asks for, or what is missing in it. A day without times is closed. */
export const hoursOf = (values: Values): Hours | string => {
  const text = (name: string): string => String(values[name] ?? "")
  const found: Array<readonly [string, ReadonlyArray<{ start: string; end: string }>]> = []
  for (const day of days) {
    const windows = [0, 1, 2, 3]
      .map((slot) => ({ start: text(`${day} start ${slot}`), end: text(`${day} end ${slot}`) }))
      .filter(({ end, start }) => start !== "" || end !== "")
    if (windows.some(({ end, start }) => start === "" || end === "")) {
      return `${capital(day)} has one time without the other. Enter both, or neither.`
    }
    found.push([day, windows.map(({ end, start }) => ({ start, end: end === "00:00" ? "24:00" : end }))])
  }
  return {
    ...Object.fromEntries(found),
    holidays: linesOf(values["holidays"]),
    useLeadTimezone: values["useLeadTimezone"] === true
  }
}

/** `Mon, Tue 09:00–18:00; Fri 09:00–12:00`. */
export const hoursInWords = (hours: Hours): string => {
  const open = days.map((day) => {
    return [
      capital(day).slice(0, 3),
      windowsOf(hours, day)
        .map(({ end, start }) => `${start}–${end}`)
        .join(", ")
    ] as const
  })
  return [...new Set(open.map(([, times]) => times))]
    .filter((times) => times !== "")
    .map((times) => `${open.flatMap(([day, its]) => (its === times ? [day] : [])).join(", ")} ${times}`)
    .join("; ")
}
