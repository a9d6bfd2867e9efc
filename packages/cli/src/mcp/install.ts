/** `svc mcp install`: adds this service to an MCP client. */
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises"
import { type Failure, InvalidInput, Unavailable } from "@svc/core"
import { parseToolset } from "@svc/mcp"
import * as Effect from "effect/Effect"
import { isInteractive, note, out, outJson } from "../Output.ts"
import { findProfile } from "../profiles.ts"
import { agentKeyFile, type KeyChoice } from "./agentKey.ts"
import { type Client, type ClientFile, clientFile, entryOf, folderOf } from "./clients.ts"
import { merged } from "./mergeConfig.ts"

/** Options of the command. */
interface InstallOptions {
  readonly client: Client
  readonly print: boolean
  readonly toolset: string
  readonly json: boolean
  readonly key: KeyChoice
}

const readText = (path: string): Effect.Effect<string, Failure> =>
  Effect.tryPromise({
    try: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return ""
        throw error
      }),
    catch: () => new InvalidInput({ message: `Can't read ${path}. Check its permissions.` })
  })

/** Writes the file atomically. */
const writeText = (file: ClientFile, text: string): Effect.Effect<void, Failure> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(folderOf(file), { recursive: true })
      const draft = `${file.path}.svc-${process.pid}`
      try {
        await writeFile(draft, text, { mode: 0o600 })
        await rename(draft, file.path)
      } finally {
        await rm(draft, { force: true })
      }
    },
    catch: () => new Unavailable({ message: `Can't write ${file.path}. Check its permissions, or use --print.` })
  })

/** Installs. Fails with INVALID_INPUT if the file cannot be merged, UNAVAILABLE if it cannot be written. */
export const install = ({ client, json, key, print, toolset }: InstallOptions) =>
  Effect.gen(function* () {
    yield* Effect.fromResult(parseToolset(toolset))
    const folder = process.cwd()
    const file = clientFile(client, process.env, folder)
    const profile = (yield* findProfile(process.env))?.name
    // A symbolic link may point elsewhere after an update.
    const script = yield* Effect.promise(() => realpath(process.argv[1] ?? "."))
    const keyFile = print
      ? undefined
      : yield* agentKeyFile({ client, folder, choice: key, isInteractive: isInteractive(json) })
    const environment = keyFile === undefined ? process.env : { ...process.env, SVC_API_KEY_FILE: keyFile }
    const entry = entryOf({ environment, folder, script, toolset, profile })
    if (print) {
      if (json) return yield* outJson({ path: file.path, entry }, true)
      const alone = yield* Effect.fromResult(merged("", file, entry))
      yield* note(`For ${file.path}:`)
      return yield* out(alone.trimEnd())
    }
    const before = yield* readText(file.path)
    const after = yield* Effect.fromResult(merged(before, file, entry))
    const changed = after !== before
    if (changed) yield* writeText(file, after)
    if (json) return yield* outJson({ path: file.path, changed, entry }, true)
    yield* out(`${changed ? "Written" : "Already up to date"}: ${file.path}`)
    if (entry.env["SVC_API_KEY_FILE"] === undefined && profile === undefined) {
      yield* note(
        "The entry contains no API key source. Start the service, log in with svc login, and run this again with\n" +
          "--create-key: it gives the AI agent a key of its own, which can read and draft."
      )
    }
  }).pipe(Effect.scoped)
