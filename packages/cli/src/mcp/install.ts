/** `svc mcp install`: prints the configuration of this service for an MCP client, and where it goes. */
import { spawn } from "node:child_process"
import { realpath } from "node:fs/promises"
import { type Failure, InvalidInput, Unavailable } from "@svc/core"
import { parseToolset } from "@svc/mcp"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import { stringify } from "smol-toml"
import { CliExit, isInteractive, note, out, outJson } from "../Output.ts"
import { findProfile } from "../profiles.ts"
import { agentKeyFile, type KeyChoice } from "./agentKey.ts"
import { addCommand, type Client, clientFile } from "./clients.ts"
import { commandEntry, type Entry, urlEntry } from "./entry.ts"

/** Options of the command. */
interface InstallOptions {
  readonly client: Client
  /** Whether to print without offering to run anything or creating a key. */
  readonly print: boolean
  readonly toolset: string
  readonly json: boolean
  readonly key: KeyChoice
  /** URL that the client is to connect to; undefined to have it start this installation. */
  readonly url: string | undefined
  readonly keyVariable: string | undefined
}

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

/** A command line that a POSIX shell reads as these words. */
const shellLine = (words: ReadonlyArray<string>): string =>
  words.map((word) => (/^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ")

const runInTerminal = ([program = "", ...args]: ReadonlyArray<string>) =>
  Effect.callback<void, Failure | CliExit>((resume) => {
    const child = spawn(program, args, { stdio: "inherit" })
    child.once("error", () =>
      resume(Effect.fail(new Unavailable({ message: `Can't start ${program}. Is it installed?` })))
    )
    child.once("exit", (code) => resume(code === 0 ? Effect.void : Effect.fail(new CliExit({ exitCode: code ?? 130 }))))
  })

const wantsCommand = (program: string) =>
  Prompt.run(Prompt.Confirm({ message: `Run this ${program} command now?`, initial: true })).pipe(
    Effect.mapError(() => new CliExit({ exitCode: 130 }))
  )

/**
 * Prints the entry as a file of the client has it, and that file's path. Where the client has a command of its own for adding
 * servers, prints that too, and offers to run it in a terminal. Edits no file of the client.
 *
 * Fails with INVALID_INPUT if the client cannot take such an entry, or needs a choice of keys.
 */
export const install = (options: InstallOptions) =>
  Effect.gen(function* () {
    const { client, json, print, toolset } = options
    yield* Effect.fromResult(parseToolset(toolset))
    const { format, path, section } = clientFile(client, process.env, process.cwd())
    const { entry, hasKey } = yield* entryFor(options)
    const command = addCommand(client, entry)
    if (json) return yield* outJson({ path, entry, ...(command === undefined ? {} : { command }) }, true)
    const content = { [section]: { svc: entry } }
    yield* note(`Add this to ${path}:`)
    yield* out(format === "toml" ? stringify(content).trimEnd() : JSON.stringify(content, undefined, 2))
    if (!hasKey) yield* note(noKeySource)
    if (command === undefined) return
    yield* note(`Or run:\n  ${shellLine(command)}`)
    if (print || !isInteractive(json)) return
    if (yield* wantsCommand(command[0] ?? "")) yield* runInTerminal(command)
  }).pipe(Effect.scoped)
