/** `svc mcp install`: writes the entry of this service into an agent's program. Source: issue "svc mcp install". */
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises"
import { type Failure, fail } from "@svc/core/Failure"
import { parseToolset } from "@svc/mcp/toolsets"
import * as Effect from "effect/Effect"
import { note, out, outJson } from "../Output.ts"
import { findProfile } from "../profiles.ts"
import { type Client, type ClientFile, clientFile, entryOf, folderOf } from "./clients.ts"
import { merged } from "./mergeConfig.ts"

/** What to write, and where to. */
export interface InstallOptions {
  readonly client: Client
  readonly print: boolean
  readonly toolset: string
  readonly json: boolean
}

const readText = (path: string): Effect.Effect<string, Failure> =>
  Effect.tryPromise({
    try: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return ""
        throw error
      }),
    catch: () => fail("INVALID_INPUT", `${path} cannot be read. Check its rights.`)
  })

/** Writes beside the file and moves it there, so that a program never reads half a list. */
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
    catch: () => fail("UNAVAILABLE", `${file.path} cannot be written. Check its rights, or use --print.`)
  })

/** Installs. Fails with INVALID_INPUT for a list that cannot be merged, UNAVAILABLE when it cannot be written. */
export const install = ({ client, json, print, toolset }: InstallOptions): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    yield* Effect.fromResult(parseToolset(toolset))
    const folder = process.cwd()
    const file = clientFile(client, process.env, folder)
    const profile = (yield* findProfile(process.env))?.name
    // A link in a folder of executables may point elsewhere after the next installation.
    const script = yield* Effect.promise(() => realpath(process.argv[1] ?? "."))
    const entry = entryOf({ environment: process.env, folder, script, toolset, profile })
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
    yield* out(`${changed ? "Written" : "Already there"}: ${file.path}`)
    if (entry.env["SVC_API_KEY_FILE"] === undefined && profile === undefined) {
      yield* note(
        "The entry names no place that a key is read from. Make a key for the agent with\n" +
          "svc keys create --org ID --actor-kind AI_AGENT, then run svc login with it, or keep it in a file of mode 0600 whose\n" +
          "path is in SVC_API_KEY_FILE, and install again."
      )
    }
  })
