/** `svc mcp install`: prints the configuration of this service for an MCP client, and where it goes. */

import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readFile, realpath } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Unavailable } from "@svc/core"
import { parseToolset } from "@svc/mcp"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { stringify } from "smol-toml"
import { findTarget } from "../findTarget.ts"
import { quoteForShell } from "../generated/flagsOf.ts"
import { CliExit, invalid, isInteractive, type Json, note, out, outJson } from "../Output.ts"
import { findProfile, makeKey, profilesFile, savePrivately } from "../profiles.ts"
import { dataOf, get, openNothing, sendCommand, type Target } from "../Target.ts"
import { addCommand, type Client, clientFile, commandEntry, type UrlOptions, urlEntry } from "./clients.ts"

/** What the person chose on the command line; undefined to ask, where somebody can answer. */
type KeyChoice = "create" | "keep" | undefined

/** Beside the profiles; one for each client and folder. */
const fileOf = (client: Client): string => {
  const place = createHash("sha256").update(process.cwd()).digest("hex").slice(0, 8)
  return join(dirname(profilesFile(process.env)), `mcp-${client}-${place}.key`)
}

/** Whether the file holds a working key of an AI agent already. */
const isAgentsFile = (target: Target, path: string) =>
  Effect.gen(function* () {
    const { key } = yield* makeKey(yield* Effect.tryPromise(() => readFile(path, "utf8")), path)
    const headers = { authorization: `Bearer ${Redacted.value(key)}` }
    const reply = yield* target.send({ method: "GET", path: "/api/v1/me", headers })
    return dataOf(reply)["actor_kind"] === "AI_AGENT"
  }).pipe(Effect.orElseSucceed(() => false))

/** Creates a key that reads and drafts, and saves it in a file of mode 0600; returns the file's path. */
const createKey = Effect.fnUntraced(function* (target: Target, client: Client) {
  const path = fileOf(client)
  if (yield* isAgentsFile(target, path)) return path
  const key = { name: `MCP: ${client}`, actor_kind: "AI_AGENT" }
  const reply = yield* sendCommand(target, "key.create", key)
  const text = dataOf(reply)["api_key"]
  if (typeof text !== "string") {
    const why: unknown = Object(Object(reply.body).error).message
    return yield* invalid(`Can't create a key for the AI agent. ${String(why)}`)
  }
  yield* savePrivately(path, text)
  yield* note(`Created a key for the AI agent, which can read and draft, in ${path}`)
  return path
})

/**
 * The file with the key that the client is to use; undefined for the one that the environment or profile names. Fails with
 * INVALID_INPUT if that is a person's, and nobody said what to do.
 */
const agentKeyFile = Effect.fnUntraced(function* ({ client, json, key: choice }: InstallOptions) {
  if (choice === "keep") return undefined
  const target = yield* findTarget(process.env, undefined, choice === "create" ? undefined : openNothing)
  if (choice === "create") return yield* createKey(target, client)
  if (target.key === undefined) return undefined
  const me = yield* Effect.orElseSucceed(Effect.map(get(target, "/api/v1/me"), dataOf), () => ({
    actor_kind: undefined
  }))
  if (me.actor_kind === "AI_AGENT") return undefined
  if (me.actor_kind === undefined) {
    yield* note("Can't check whose key this is. If it is a person's, run svc mcp install again with --create-key.")
    return undefined
  }
  if (!isInteractive(json)) {
    return yield* invalid(
      `The key from ${target.key.source} is a person's. Use --create-key to give the client a key that reads and drafts, ` +
        "or --use-current-key to give it this one."
    )
  }
  const message = "This is a person's key. Create a key for the AI agent, which can read and draft but not send?"
  return (yield* Prompt.run(Prompt.Confirm({ message, initial: true }))) ? yield* createKey(target, client) : undefined
})

/** Options of the command. */
interface InstallOptions extends Omit<UrlOptions, "url"> {
  /** Whether to print without offering to run anything or creating a key. */
  readonly print: boolean
  readonly json: boolean
  readonly key: KeyChoice
  /** URL that the client is to connect to; undefined to have it start this installation. */
  readonly url: string | undefined
}

const noKeySource =
  "The entry contains no API key source. Start the service, log in with svc login, and run this again with\n" +
  "--create-key: it gives the AI agent a key of its own, which can read and draft."

/** The entry that starts this installation, with the key that the person chose. */
const commandFor = Effect.fnUntraced(function* (options: InstallOptions) {
  const { client, print, toolset } = options
  const folder = process.cwd()
  const profile = (yield* findProfile(process.env))?.name
  // A symbolic link may point elsewhere after an update.
  const script = yield* Effect.promise(() => realpath(process.argv[1] ?? "."))
  const keyFile = print ? undefined : yield* agentKeyFile(options)
  const environment = keyFile === undefined ? process.env : { ...process.env, SVC_API_KEY_FILE: keyFile }
  const entry = commandEntry({ client, environment, folder, script, toolset, profile })
  return { entry, hasKey: entry.env["SVC_API_KEY_FILE"] !== undefined || profile !== undefined }
})

const entryFor = Effect.fnUntraced(function* (options: InstallOptions) {
  const { client, key, keyVariable, toolset, url } = options
  if (url === undefined) {
    if (keyVariable !== undefined) return yield* invalid("--key-variable requires --url")
    return yield* commandFor(options)
  }
  if (key !== undefined) {
    return yield* invalid(
      "With --url the client signs in. Leave out --create-key and --use-current-key, or use --key-variable for a key."
    )
  }
  const entry: Json = yield* Effect.fromResult(urlEntry({ client, keyVariable, toolset, url }))
  return { entry, hasKey: true }
})

const runInTerminal = Effect.fnUntraced(function* ([program = "", ...args]: ReadonlyArray<string>) {
  const [code] = yield* Effect.tryPromise({
    try: () => once(spawn(program, args, { stdio: "inherit" }), "exit"),
    catch: () => new Unavailable({ message: `Can't start ${program}. Is it installed?` })
  })
  if (code !== 0) return yield* new CliExit({ exitCode: code ?? 130 })
})

/**
 * Prints the entry as a file of the client has it, and that file's path. Where the client has a command of its own for adding
 * servers, prints that too, and offers to run it in a terminal. Edits no file of the client.
 *
 * Fails with INVALID_INPUT if the client cannot take such an entry, or needs a choice of keys.
 */
export const install = Effect.fnUntraced(function* (options: InstallOptions) {
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
  yield* note(`Or run:\n  ${command.map(quoteForShell).join(" ")}`)
  if (print || !isInteractive(json)) return
  const message = `Run this ${command[0]} command now?`
  if (yield* Prompt.run(Prompt.Confirm({ message, initial: true }))) yield* runInTerminal(command)
}, Effect.scoped)
