/** Adds an entry to a client's configuration, without other changes. */
import { type Failure, InvalidInput } from "@svc/core"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { ClientFile, Entry } from "./clients.ts"

/** Name of the server in the configuration. */
const serverName = "svc"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const mergedJson = (text: string, { path, section }: ClientFile, entry: Entry): Result.Result<string, Failure> => {
  const before = text.trim() === "" ? {} : parsed(text)
  const servers = Predicate.isReadonlyObject(before) ? (before[section] ?? {}) : undefined
  if (!Predicate.isReadonlyObject(before) || !Predicate.isReadonlyObject(servers)) {
    // A file with comments or errors is not overwritten.
    return Result.fail(
      new InvalidInput({
        message: `${path} is not plain JSON with an object ${section}. Add the entry from --print manually.`
      })
    )
  }
  const old = servers[serverName]
  const merged = {
    ...(Predicate.isReadonlyObject(old) ? old : {}),
    ...entry,
    env: {
      ...(Predicate.isReadonlyObject(old) && Predicate.isReadonlyObject(old["env"]) ? old["env"] : {}),
      ...entry.env
    }
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

/** The configuration with the entry; unchanged if it is already there. Fails with INVALID_INPUT. */
export const merged = (text: string, file: ClientFile, entry: Entry): Result.Result<string, Failure> =>
  file.format === "json" ? mergedJson(text, file, entry) : Result.succeed(mergedToml(text, file, entry))
