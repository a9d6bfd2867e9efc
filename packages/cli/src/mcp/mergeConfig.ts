/** Putting an entry into a program's list of servers, and changing nothing else of it. */
import { type Failure, fail } from "@svc/core/Failure"
import * as Result from "effect/Result"
import type { ClientFile, Entry } from "./clients.ts"

/** The name that the server goes by. */
const serverName = "svc"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const mergedJson = (text: string, { path, section }: ClientFile, entry: Entry): Result.Result<string, Failure> => {
  const before = text.trim() === "" ? {} : parsed(text)
  const servers = isObject(before) ? (before[section] ?? {}) : undefined
  if (!isObject(before) || !isObject(servers)) {
    // A file with comments, or one that is broken, is somebody's work: it is not written over.
    return Result.fail(
      fail("INVALID_INPUT", `${path} is not plain JSON with an object ${section}. Add the entry of --print by hand.`)
    )
  }
  const old = servers[serverName]
  const merged = {
    ...(isObject(old) ? old : {}),
    ...entry,
    env: { ...(isObject(old) && isObject(old["env"]) ? old["env"] : {}), ...entry.env }
  }
  const after = { ...before, [section]: { ...servers, [serverName]: merged } }
  return Result.succeed(
    JSON.stringify(before) === JSON.stringify(after) ? text : `${JSON.stringify(after, undefined, 2)}\n`
  )
}

const tomlText = (value: string): string => JSON.stringify(value)

const tomlTable = (section: string, { args, command, env }: Entry): string => {
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${tomlText(value)}`)
  return [
    `[${section}.${serverName}]`,
    `command = ${tomlText(command)}`,
    `args = [${args.map(tomlText).join(", ")}]`,
    ...(pairs.length === 0 ? [] : [`env = { ${pairs.join(", ")} }`]),
    ""
  ].join("\n")
}

/** The text without the server's own tables. A table ends where the next one begins. */
const withoutServer = (text: string, section: string): string => {
  const own = new RegExp(`^\\s*\\[\\s*${section}\\s*\\.\\s*"?${serverName}"?\\s*(\\.[^\\]]*)?\\]`)
  let inside = false
  return text
    .split("\n")
    .filter((line) => {
      if (/^\s*\[/.test(line)) inside = own.test(line)
      return !inside
    })
    .join("\n")
}

const mergedToml = (text: string, { section }: ClientFile, entry: Entry): string => {
  const table = tomlTable(section, entry)
  if (text.includes(table)) return text
  const rest = withoutServer(text, section).trimEnd()
  return rest === "" ? table : `${rest}\n\n${table}`
}

/** The text of a list with the entry in it; the same text when it is there already. Fails with INVALID_INPUT. */
export const merged = (text: string, file: ClientFile, entry: Entry): Result.Result<string, Failure> =>
  file.format === "json" ? mergedJson(text, file, entry) : Result.succeed(mergedToml(text, file, entry))
