/** Edits tables of TOML, and leaves everything else as it is. */
import { isDeepStrictEqual } from "node:util"
import * as Predicate from "effect/Predicate"
import { parse, stringify, TomlError, type TomlTable } from "smol-toml"

const read = (text: string): TomlTable => parse(text, { integersAsBigInt: "asNeeded" })

/** What is wrong with a text, e.g. `line 3: invalid value`; undefined if nothing is. */
export const tomlProblem = (text: string): string | undefined => {
  try {
    read(text)
    return undefined
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [what = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n")
    return `line ${error.line}: ${what}`
  }
}

/** Tables as plain objects, which the parser's are not. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!Predicate.isReadonlyObject(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/** The value of a text without problems. */
export const parseToml = (text: string): unknown => plain(read(text))

/** A table's header, one of its settings, or lines without either. */
interface Statement {
  readonly text: string
  /** The table that a header opens; undefined for other statements. */
  readonly opens?: ReadonlyArray<string>
  /** The key of a setting. */
  readonly sets?: string
}

const namesIn = (table: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const [entry] = Object.entries(table)
  if (entry === undefined) return []
  const [name, value] = entry
  const inner: unknown = Array.isArray(value) ? value[0] : value
  return [name, ...(Predicate.isReadonlyObject(inner) ? namesIn(inner) : [])]
}

const statementOf = (text: string): Statement => {
  if (/^\s*\[/.test(text)) return { text, opens: namesIn(read(text)) }
  const [key] = Object.keys(read(text))
  return key === undefined ? { text } : { text, sets: key }
}

/** A statement may have several lines: it ends with the first line that makes it complete. */
const statementsOf = (text: string): ReadonlyArray<Statement> => {
  const statements: Array<Statement> = []
  let open = ""
  for (const line of text.split(/(?<=\n)/)) {
    open += line
    if (tomlProblem(open) !== undefined) continue
    statements.push(statementOf(open))
    open = ""
  }
  return statements
}

const isIn = (table: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean =>
  path.every((name, index) => table[index] === name)

const sameTable = (table: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean =>
  table.length === path.length && isIn(table, path)

/** Values of tables are written on one line. */
const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
  if (!Predicate.isReadonlyObject(value)) return stringify({ x: value }).slice("x = ".length).trimEnd()
  const pairs = Object.entries(value).map(([key, item]) => setting(key, item))
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`
}

const setting = (key: string, value: unknown): string =>
  `${/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key)} = ${inline(value)}`

const hasTable = (text: string, path: ReadonlyArray<string>): boolean =>
  statementsOf(text).some(({ opens }) => opens !== undefined && sameTable(opens, path))

/** Sets the values of a table; one that exists keeps its comments and its order. A value that is undefined is removed. */
export const setToml = (
  text: string,
  path: ReadonlyArray<string>,
  values: Readonly<Record<string, unknown>>
): string => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  if (!hasTable(text, path)) {
    const settings = Object.entries(values).filter(([, value]) => value !== undefined)
    const lines = [`[${path.join(".")}]`, ...settings.map(([key, value]) => setting(key, value)), ""]
    const before = text === "" || text.endsWith("\n") ? text : `${text}${eol}`
    return `${before}${before === "" ? "" : eol}${lines.join(eol)}`
  }
  const isTable = (key: string): boolean => hasTable(text, [...path, key])
  const left = new Map(Object.entries(values).filter(([key]) => !isTable(key)))
  let inside = false
  let end = 0
  const edited: Array<string> = []
  for (const { opens, sets, text: line } of statementsOf(text)) {
    if (opens !== undefined) inside = sameTable(opens, path)
    if (inside && sets !== undefined && left.has(sets)) {
      const value = left.get(sets)
      left.delete(sets)
      if (isDeepStrictEqual(plain(read(line)[sets]), value)) edited.push(line)
      else if (value !== undefined) edited.push(`${setting(sets, value)}${eol}`)
    } else edited.push(line)
    if (inside && (opens !== undefined || sets !== undefined)) end = edited.length
  }
  const last = edited[end - 1]
  if (last !== undefined && !last.endsWith("\n")) edited[end - 1] = `${last}${eol}`
  const added = [...left].filter(([, value]) => value !== undefined)
  edited.splice(end, 0, ...added.map(([key, value]) => `${setting(key, value)}${eol}`))
  return Object.entries(values)
    .filter(([key]) => isTable(key))
    .reduce(
      (result, [key, value]) =>
        Predicate.isReadonlyObject(value) ? setToml(result, [...path, key], value) : removeToml(result, [...path, key]),
      edited.join("")
    )
}

/** Removes a table and those inside it; comments after its last setting stay, since they are the next table's. */
export const removeToml = (text: string, path: ReadonlyArray<string>): string => {
  let inside = false
  let kept = ""
  let trailing = ""
  for (const { opens, sets, text: line } of statementsOf(text)) {
    if (opens !== undefined) inside = isIn(opens, path)
    if (inside && opens === undefined && sets === undefined) trailing += line
    else if (inside) trailing = ""
    else {
      kept += trailing + line
      trailing = ""
    }
  }
  return kept + trailing
}
