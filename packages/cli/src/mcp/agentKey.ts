/** The key that an MCP client gets: never a person's without saying so. */
import { createHash } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Failure, InvalidInput, Unavailable } from "@svc/core"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { makeKey } from "../ApiKey.ts"
import { findTarget } from "../findTarget.ts"
import { CliExit, note } from "../Output.ts"
import { profilesFile } from "../profiles.ts"
import { dataOf, type Target } from "../Target.ts"
import type { Client } from "./clients.ts"

/** What the person chose on the command line; undefined to ask, where somebody can answer. */
export type KeyChoice = "create" | "keep" | undefined

interface KeyRequest {
  readonly client: Client
  readonly folder: string
  readonly choice: KeyChoice
  readonly isInteractive: boolean
}

/** Beside the profiles; one for each client and folder. */
const fileOf = ({ client, folder }: KeyRequest): string => {
  const place = createHash("sha256").update(folder).digest("hex").slice(0, 8)
  return join(dirname(profilesFile(process.env)), `mcp-${client}-${place}.key`)
}

const identityOf = (target: Target) => Effect.map(target.send({ method: "GET", path: "/api/v1/me" }), dataOf)

/** Whether the file holds a working key of an AI agent already. */
const isAgentsFile = (target: Target, path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.flatMap((text) => makeKey(text, path)),
    Effect.flatMap(({ key }) =>
      target.send({
        method: "GET",
        path: "/api/v1/me",
        headers: { authorization: `Bearer ${Redacted.value(key)}` }
      })
    ),
    Effect.match({ onFailure: () => false, onSuccess: (reply) => dataOf(reply)["actor_kind"] === "AI_AGENT" })
  )

/** Creates a key that reads and drafts, and saves it in a file of mode 0600; returns the file's path. */
const createKey = (target: Target, request: KeyRequest): Effect.Effect<string, Failure> =>
  Effect.gen(function* () {
    const path = fileOf(request)
    if (yield* isAgentsFile(target, path)) return path
    const reply = yield* target.send({
      method: "POST",
      path: "/api/v1/commands/key.create",
      json: JSON.stringify({ name: `MCP: ${request.client}`, actor_kind: "AI_AGENT" })
    })
    const text = dataOf(reply)["api_key"]
    if (typeof text !== "string") {
      const why: unknown = Object(Object(reply.body).error).message
      return yield* new InvalidInput({ message: `Can't create a key for the AI agent. ${String(why)}` })
    }
    yield* Effect.tryPromise({
      try: async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeFile(path, `${text}\n`, { mode: 0o600 })
      },
      catch: () => new Unavailable({ message: `Can't write ${path}. Check its permissions.` })
    })
    yield* note(`Created a key for the AI agent, which can read and draft, in ${path}`)
    return path
  })

const wantsKey = Prompt.run(
  Prompt.Confirm({
    message: "This is a person's key. Create a key for the AI agent, which can read and draft but not send?",
    initial: true
  })
).pipe(Effect.mapError(() => new CliExit({ exitCode: 130 })))

/**
 * The file with the key that the client is to use; undefined for the one that the environment or profile names. Fails with
 * INVALID_INPUT if that is a person's, and nobody said what to do.
 */
export const agentKeyFile = Effect.fnUntraced(function* (request: KeyRequest) {
  const { choice, isInteractive } = request
  if (choice === "keep") return undefined
  const target = yield* findTarget(
    process.env,
    undefined,
    choice === "create" ? undefined : () => Effect.succeed(() => Promise.reject(new Error("not opened for a check")))
  )
  if (choice === "create") return yield* createKey(target, request)
  if (target.key === undefined) return undefined
  const me = yield* Effect.orElseSucceed(identityOf(target), () => ({ actor_kind: undefined }))
  if (me.actor_kind === "AI_AGENT") return undefined
  if (me.actor_kind === undefined) {
    yield* note("Can't check whose key this is. If it is a person's, run svc mcp install again with --create-key.")
    return undefined
  }
  if (!isInteractive) {
    return yield* new InvalidInput({
      message:
        `The key from ${target.key.source} is a person's. Use --create-key to give the client a key that reads and drafts, ` +
        "or --use-current-key to give it this one."
    })
  }
  return (yield* wantsKey) ? yield* createKey(target, request) : undefined
})
