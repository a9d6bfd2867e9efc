/** Adds an entry to a client's configuration or removes it, without other changes. */
import { isDeepStrictEqual } from "node:util"
import { type Failure, InvalidInput } from "@svc/core"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { ClientFile } from "./clients.ts"
import { jsonProblem, parseJson, removeJson, setJson } from "./editJson.ts"
import { parseToml, removeToml, setToml, tomlProblem } from "./editToml.ts"
import type { Entry } from "./entry.ts"

/** Name of the server in the configuration. */
const serverName = "svc"

/** Fields that say how a client reaches a server: those of another transport are removed. */
const transportFields = [
  "type",
  "command",
  "args",
  "env",
  "url",
  "httpUrl",
  "serverUrl",
  "headers",
  "bearer_token_env_var"
]

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (Predicate.isReadonlyObject(value) ? value : {})

/** The entry with what a person added to it: other fields, other variables, other headers. */
const mergedEntry = (old: Fields, entry: Entry): Fields => {
  const own = Object.fromEntries(Object.entries(old).filter(([name]) => !transportFields.includes(name)))
  const { Authorization: _, ...otherHeaders } = fieldsOf(old["headers"])
  const env = { ...fieldsOf(old["env"]), ...fieldsOf(entry["env"]) }
  const headers = { ...otherHeaders, ...fieldsOf(entry["headers"]) }
  const isCommand = entry["command"] !== undefined
  return {
    ...own,
    ...entry,
    ...(isCommand && Object.keys(env).length > 0 ? { env } : {}),
    ...(!isCommand && Object.keys(headers).length > 0 ? { headers } : {})
  }
}

interface Edit {
  readonly text: string
  readonly servers: Fields
}

/** A text, parsed. Fails with INVALID_INPUT if it cannot be, or if its section is no object. */
const read = (text: string, { format, path, section }: ClientFile): Result.Result<Fields, Failure> => {
  const isJson = format === "json"
  const problem = isJson ? jsonProblem(text) : tomlProblem(text)
  const advice = "Nothing was changed. Fix the file, or add the entry from --print manually."
  if (problem !== undefined) {
    return Result.fail(
      new InvalidInput({ message: `${path} is not valid ${format.toUpperCase()}, ${problem}. ${advice}` })
    )
  }
  const value = isJson ? parseJson(text) : parseToml(text)
  const servers = fieldsOf(value)[section] ?? {}
  if (!Predicate.isReadonlyObject(value) || !Predicate.isReadonlyObject(servers)) {
    return Result.fail(new InvalidInput({ message: `${path} must have an object ${section}. ${advice}` }))
  }
  return Result.succeed(value)
}

/** The edited text, if it has the expected servers and everything else as before. */
const checked = (before: Fields, { servers, text }: Edit, file: ClientFile): Result.Result<string, Failure> =>
  Result.flatMap(read(text, file), (after) =>
    isDeepStrictEqual(
      { ...after, [file.section]: fieldsOf(after[file.section]) },
      { ...before, [file.section]: servers }
    )
      ? Result.succeed(text)
      : Result.fail(unexpectedForm(file))
  )

const unexpectedForm = ({ path, section }: ClientFile): Failure =>
  new InvalidInput({
    message:
      `${path} spells ${section}.${serverName} in a form that can't be edited, such as a name twice or an inline table. ` +
      "Nothing was changed. Add the entry from --print manually."
  })

const byteOrderMark = "\uFEFF"

const edited = (
  text: string,
  file: ClientFile,
  edit: (body: string, servers: Fields) => Edit
): Result.Result<string, Failure> => {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ""
  const found = text.slice(mark.length)
  const body = file.format === "json" && found.trim() === "" ? "{}\n" : found
  return Result.flatMap(read(body, file), (before) => {
    const after = edit(body, fieldsOf(before[file.section]))
    if (after.text === body) return Result.succeed(text)
    return Result.mapBoth(checked(before, after, file), {
      onSuccess: (result) => mark + result,
      // What could be read before cannot be now: the edit met a form that it does not know.
      onFailure: () => unexpectedForm(file)
    })
  })
}

/** The configuration with the entry; unchanged if it is already there. Fails with INVALID_INPUT if it cannot be edited. */
export const merged = (text: string, file: ClientFile, entry: Entry): Result.Result<string, Failure> =>
  edited(text, file, (body, servers) => {
    const old = fieldsOf(servers[serverName])
    const fields = mergedEntry(old, entry)
    const path = [file.section, serverName]
    const unset = Object.fromEntries(Object.keys(old).map((name) => [name, undefined]))
    const after = file.format === "json" ? setJson(body, path, fields) : setToml(body, path, { ...unset, ...fields })
    return { text: isDeepStrictEqual(old, fields) ? body : after, servers: { ...servers, [serverName]: fields } }
  })

/** The configuration without the entry; unchanged if it is not there. Fails with INVALID_INPUT if it cannot be edited. */
export const withoutEntry = (text: string, file: ClientFile): Result.Result<string, Failure> =>
  edited(text, file, (body, servers) => {
    const { [serverName]: entry, ...others } = servers
    const path = [file.section, serverName]
    const after = file.format === "json" ? removeJson(body, path) : removeToml(body, path)
    return { text: entry === undefined ? body : after, servers: others }
  })
