/** The functions of `--template`. */
import * as Predicate from "effect/Predicate"
import { cellOf, paint, renderTable, type Surface } from "../table.ts"
import { relativeTime } from "../view/values.ts"
import { TemplateError } from "./parseTemplate.ts"

type TemplateFunction = (...args: ReadonlyArray<unknown>) => unknown

/** A value as it is printed. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)

/** Whether a condition holds: not for nothing, zero, and what is empty. */
export const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Predicate.isObject(value) ? Object.keys(value).length > 0 : Boolean(value)

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const at = (value: unknown, key: unknown): unknown =>
  Array.isArray(value) ? value[Number(key)] : Predicate.isObject(value) ? Reflect.get(value, textOf(key)) : undefined

const compare = (one: unknown, other: unknown): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : textOf(one) < textOf(other)
      ? -1
      : Number(textOf(one) !== textOf(other))

const colors: Readonly<Record<string, number>> = {
  black: 30,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  white: 37,
  gray: 90,
  bold: 1
}

const colored = (name: unknown, text: unknown, color: boolean): string => {
  const code = Object.hasOwn(colors, textOf(name)) ? colors[textOf(name)] : undefined
  if (code === undefined) throw new TemplateError(`unknown color ${JSON.stringify(textOf(name))}`)
  return paint(code, textOf(text), { color })
}

const two = (value: number): string => String(value).padStart(2, "0")

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

/** A time in the layout of the reference time Mon Jan 2 15:04:05 2006, in UTC. */
const formatted = (layout: unknown, value: unknown): string => {
  const time = new Date(textOf(value))
  if (Number.isNaN(time.getTime())) return ""
  const parts: Readonly<Record<string, string>> = {
    "2006": String(time.getUTCFullYear()),
    Jan: months[time.getUTCMonth()] ?? "",
    Mon: days[time.getUTCDay()] ?? "",
    "01": two(time.getUTCMonth() + 1),
    "02": two(time.getUTCDate()),
    "15": two(time.getUTCHours()),
    "04": two(time.getUTCMinutes()),
    "05": two(time.getUTCSeconds()),
    "2": String(time.getUTCDate()),
    MST: "UTC"
  }
  return textOf(layout).replaceAll(/2006|Jan|Mon|MST|01|02|15|04|05|2/g, (part) => parts[part] ?? part)
}

const printed = (format: unknown, args: ReadonlyArray<unknown>): string => {
  const rest = [...args]
  return textOf(format).replaceAll(/%%|%(-?\d+)?[svdqt]/g, (verb, width: string | undefined) => {
    if (verb === "%%") return "%"
    const value = rest.shift()
    const text = verb.endsWith("q") ? JSON.stringify(textOf(value)) : textOf(value)
    const size = Number(width ?? 0)
    return size < 0 ? text.padEnd(-size) : text.padStart(size)
  })
}

const truncated = (length: unknown, value: unknown): string => {
  const text = [...textOf(value)]
  const most = Math.max(1, Number(length))
  return text.length <= most ? text.join("") : `${text.slice(0, most - 1).join("")}…`
}

/** The functions, with the rows of the table that `tablerow` collects and `tablerender` prints. */
export const functionsFor = (surface: Surface): Readonly<Record<string, TemplateFunction>> => {
  let rows: Array<ReadonlyArray<unknown>> = []
  const color = surface.color === true && surface.width !== undefined
  const now = surface.now ?? Date.now()
  const all: Readonly<Record<string, TemplateFunction>> = {
    and: (...args) => args.find((value) => !isTrue(value)) ?? args.at(-1),
    or: (...args) => args.find(isTrue) ?? args.at(-1),
    not: (value) => !isTrue(value),
    eq: (one, ...others) => others.some((other) => compare(one, other) === 0),
    ne: (one, other) => compare(one, other) !== 0,
    lt: (one, other) => compare(one, other) < 0,
    le: (one, other) => compare(one, other) <= 0,
    gt: (one, other) => compare(one, other) > 0,
    ge: (one, other) => compare(one, other) >= 0,
    len: (value) => (typeof value === "string" ? value.length : Object.keys(Object(value)).length),
    index: (value, ...keys) => keys.reduce(at, value),
    print: (...args) => args.map(textOf).join(""),
    println: (...args) => `${args.map(textOf).join(" ")}\n`,
    printf: (format, ...args) => printed(format, args),
    color: (name, text) => colored(name, text, true),
    autocolor: (name, text) => colored(name, text, color),
    join: (by, list) => listOf(list).map(textOf).join(textOf(by)),
    pluck: (name, list) => listOf(list).map((item) => at(item, name)),
    json: (value) => JSON.stringify(value ?? null),
    timeago: (value) => relativeTime(value, now) ?? "",
    timefmt: formatted,
    truncate: truncated,
    upper: (value) => textOf(value).toUpperCase(),
    lower: (value) => textOf(value).toLowerCase(),
    contains: (part, text) => textOf(text).includes(textOf(part)),
    tablerow: (...cells) => {
      rows.push(cells.map(cellOf))
      return ""
    },
    tablerender: () => {
      const [first = []] = rows
      const text = renderTable(
        first.map((_, index) => `${index}`),
        rows,
        { width: surface.width, color: false }
      )
      rows = []
      // The columns have no names.
      return `${surface.width === undefined ? text : text.slice(text.indexOf("\n") + 1)}\n`
    }
  }
  return all
}
