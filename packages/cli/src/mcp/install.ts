/** `svc mcp install`: adds this service to an MCP client, or removes it. */
import { realpath } from "node:fs/promises"
import { type Failure, InvalidInput } from "@svc/core"
import { parseToolset } from "@svc/mcp"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { isInteractive, note, out, outJson } from "../Output.ts"
import { findProfile } from "../profiles.ts"
import { agentKeyFile, type KeyChoice } from "./agentKey.ts"
import { type Client, type ClientFile, clientFile } from "./clients.ts"
import { readConfig, writeConfig } from "./configFile.ts"
import { commandEntry, type Entry, urlEntry } from "./entry.ts"
import { merged, withoutEntry } from "./mergeConfig.ts"

/** Options of the command. */
interface InstallOptions {
  readonly client: Client
  readonly print: boolean
  readonly remove: boolean
  readonly toolset: string
  readonly json: boolean
  readonly key: KeyChoice
  /** URL that the client is to connect to; undefined to have it start this installation. */
  readonly url: string | undefined
  readonly keyVariable: string | undefined
}

/** Changes the file if the edit changes its text, and says so. */
const change = Effect.fnUntraced(function* (
  { path }: ClientFile,
  edit: (text: string) => Result.Result<string, Failure>,
  json: boolean,
  more: Readonly<Record<string, unknown>>
) {
  const before = yield* readConfig(path)
  const after = yield* Effect.fromResult(edit(before ?? ""))
  const changed = after !== (before ?? "")
  const backup = changed ? yield* writeConfig(path, before, after) : undefined
  if (json) return yield* outJson({ path, changed, ...(backup === undefined ? {} : { backup }), ...more }, true)
  yield* out(`${changed ? "Written" : "Already up to date"}: ${path}`)
  if (backup !== undefined) yield* note(`The file as it was: ${backup}`)
})

const noKeySource =
  "The entry contains no API key source. Start the service, log in with svc login, and run this again with\n" +
  "--create-key: it gives the AI agent a key of its own, which can read and draft."

/** The entry that starts this installation, with the key that the person chose. */
const commandFor = Effect.fnUntraced(function* ({ client, json, key, print, toolset }: InstallOptions) {
  const folder = process.cwd()
  const profile = (yield* findProfile(process.env))?.name
  // A symbolic link may point elsewhere after an update.
  const script = yield* Effect.promise(() => realpath(process.argv[1] ?? "."))
  const keyFile = print
    ? undefined
    : yield* agentKeyFile({ client, folder, choice: key, isInteractive: isInteractive(json) })
  const environment = keyFile === undefined ? process.env : { ...process.env, SVC_API_KEY_FILE: keyFile }
  const entry = commandEntry({ client, environment, folder, script, toolset, profile })
  return { entry, hasKey: entry.env["SVC_API_KEY_FILE"] !== undefined || profile !== undefined }
})

const entryFor = Effect.fnUntraced(function* (options: InstallOptions) {
  const { client, key, keyVariable, toolset, url } = options
  if (url === undefined) {
    if (keyVariable !== undefined) return yield* new InvalidInput({ message: "--key-variable requires --url" })
    return yield* commandFor(options)
  }
  if (key !== undefined) {
    return yield* new InvalidInput({
      message:
        "With --url the client signs in. Leave out --create-key and --use-current-key, or use --key-variable for a key."
    })
  }
  const entry: Entry = yield* Effect.fromResult(urlEntry({ client, keyVariable, toolset, url }))
  return { entry, hasKey: true }
})

/**
 * Installs. Fails with INVALID_INPUT if the file cannot be edited, UNAVAILABLE if it cannot be written.
 */
export const install = (options: InstallOptions) =>
  Effect.gen(function* () {
    const { client, json, print, remove, toolset } = options
    yield* Effect.fromResult(parseToolset(toolset))
    const file = clientFile(client, process.env, process.cwd())
    if (remove) {
      yield* change(file, (text) => withoutEntry(text, file), json, {})
      if (!json) yield* note("The client's API key stays valid. Run svc keys revoke to revoke it.")
      return
    }
    const { entry, hasKey } = yield* entryFor(options)
    if (!print) {
      yield* change(file, (text) => merged(text, file, entry), json, { entry })
      if (!json && !hasKey) yield* note(noKeySource)
      return
    }
    if (json) return yield* outJson({ path: file.path, entry }, true)
    const alone = yield* Effect.fromResult(merged("", file, entry))
    yield* note(`For ${file.path}:`)
    yield* out(alone.trimEnd())
  }).pipe(Effect.scoped)
