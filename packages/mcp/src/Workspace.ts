/**
 * What tools, resources and prompts are answered from: the service, by somebody with a key.
 *
 * In a server it is Dispatch and the resource reader of the same process; over stdio it may be a server elsewhere. Either
 * way a command is run by Dispatch and nothing else. Source: architecture, decision 1.
 */
import type { ActorIdentity } from "@svc/core/Actor"
import type { AnyCommand } from "@svc/core/Command"
import type { Answer, Dispatch } from "@svc/core/Dispatch"
import type { EnvelopeMeta } from "@svc/core/Envelope"
import { parseOptions, type RawOptions } from "@svc/core/ExecutionOptions"
import type { Failure } from "@svc/core/Failure"
import type { ResourceReader } from "@svc/core/ResourceReader"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** What the service said. `meta` is absent where the refusal came before the command. */
export type Told =
  | { readonly ok: true; readonly status: number; readonly data: unknown; readonly meta?: EnvelopeMeta | undefined }
  | {
      readonly ok: false
      readonly status: number
      readonly error: { readonly code: string; readonly message: string }
      readonly meta?: EnvelopeMeta | undefined
      readonly retryAfterSeconds?: number | undefined
    }

/** A command to run. */
export interface RunCall {
  readonly command: string
  readonly input: unknown
  readonly options: RawOptions
}

/** A resource to read. */
export interface ReadCall {
  readonly uri: string
  readonly profile: string | undefined
}

/** The service for one caller. It never fails: a refusal is told. */
export interface Workspace {
  readonly run: (call: RunCall) => Effect.Effect<Told>
  readonly read: (call: ReadCall) => Effect.Effect<Told>
}

/** What is told of a failure that came before the service. */
export const toldOf = ({ code, entry, message, retryAfterSeconds }: Failure): Told => ({
  ok: false,
  status: entry.status,
  error: { code, message },
  retryAfterSeconds
})

const told = ({ envelope, retryAfterSeconds }: Answer): Told =>
  envelope.ok ? envelope : { ...envelope, retryAfterSeconds }

/** Who calls, and what it takes before a command that reaches outside. */
export interface Caller {
  readonly actor: ActorIdentity
  readonly requestId: string
  readonly takeOutward: (command: AnyCommand) => Effect.Effect<void, Failure>
}

/** The service of this process. */
export const workspaceOf = (
  dispatch: Dispatch["Service"],
  reader: ResourceReader["Service"],
  { actor, requestId, takeOutward }: Caller
): Workspace => ({
  run: ({ command: id, input, options }) => {
    const parsed = parseOptions(options)
    if (Result.isFailure(parsed)) return Effect.succeed(toldOf(parsed.failure))
    const found = dispatch.catalog.find(id)
    // An internal command backs a REST endpoint or a resource, and is no command to a caller.
    const command = found?.visibility === "public" ? found : undefined
    return Effect.andThen(
      command === undefined ? Effect.void : takeOutward(command),
      dispatch.run({
        command: command?.id ?? (found === undefined ? id : ""),
        input,
        actor,
        options: parsed.success,
        requestId
      })
    ).pipe(
      Effect.map(told),
      Effect.catch((failure) => Effect.succeed(toldOf(failure)))
    )
  },
  read: ({ profile, uri }) => {
    const parsed = parseOptions({ response_profile: profile })
    if (Result.isFailure(parsed)) return Effect.succeed(toldOf(parsed.failure))
    return Effect.map(reader.read({ uri, actor, requestId, responseProfile: parsed.success.responseProfile }), told)
  }
})
