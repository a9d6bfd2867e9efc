/**
 * The service behind tools, resources and prompts, for one caller.
 *
 * In a server it is Dispatch and the resource reader of the same process; over stdio it may be a remote server.
 */

import * as Core from "@svc/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Notify } from "./progress.ts"
import type { Mode } from "./requestMeta.ts"

/** The result of a call. `meta` is absent if the call failed before it reached the command. */
export type CallResult =
  | {
      readonly ok: true
      readonly status: number
      readonly data: unknown
      readonly meta?: Core.EnvelopeMeta | undefined
    }
  | {
      readonly ok: false
      readonly status: number
      readonly error: { readonly code: string; readonly message: string }
      readonly meta?: Core.EnvelopeMeta | undefined
      readonly retryAfterSeconds?: number | undefined
    }

/** A command to run. */
export interface RunCall {
  readonly command: string
  readonly input: unknown
  readonly options: Core.RawOptions
}

/** The service for one caller. Failures are results. */
export interface Workspace {
  readonly run: (call: RunCall) => Effect.Effect<CallResult>
  readonly read: (call: { readonly uri: string; readonly profile: string | undefined }) => Effect.Effect<CallResult>
  /** URL of the review page; undefined if the service does not know its own. */
  readonly reviewPage: Effect.Effect<string | undefined>
  /** The same service, called with a client program. */
  readonly from: (client: Core.ClientInfo) => Workspace
}

/**
 * The caller's workspace, where notifications and requests before the reply go, and how a client that said so at
 * `initialize` can ask its user.
 */
export interface Context {
  readonly workspace: Workspace
  readonly notify?: Notify
  readonly modes?: ReadonlyArray<Mode>
}

/** The same caller, through a client program if it is known. */
export const through = (context: Context, client: Core.ClientInfo | undefined): Context =>
  client === undefined ? context : { ...context, workspace: context.workspace.from(client) }

/** The result for a failure. */
export const failureResult = ({ code, entry, message, retryAfterSeconds }: Core.Failure): CallResult => ({
  ok: false,
  status: entry.status,
  error: { code, message },
  retryAfterSeconds
})

const resultOf = ({ envelope, retryAfterSeconds }: Core.CommandResult): CallResult =>
  envelope.ok ? envelope : { ...envelope, retryAfterSeconds }

/** The caller. `takeOutward` counts a command that reaches outside against the rate limit. */
interface Caller {
  readonly actor: Core.ActorIdentity
  readonly requestId: string
  /** URL of the review page; undefined if there is none, or if it is not known. */
  readonly reviewPage: Effect.Effect<string | undefined>
  readonly takeOutward: (command: Core.AnyCommand) => Effect.Effect<void, Core.Failure>
}

/** The service in this process. */
export const workspaceOf = (
  dispatch: Core.Dispatch["Service"],
  reader: Core.ResourceReader["Service"],
  caller: Caller
): Workspace => {
  const { actor, requestId, reviewPage, takeOutward } = caller
  return {
    reviewPage,
    from: (client) => workspaceOf(dispatch, reader, { ...caller, actor: { ...actor, client } }),
    run: ({ command: id, input, options }) => {
      const parsed = Core.parseOptions(options)
      if (Result.isFailure(parsed)) return Effect.succeed(failureResult(parsed.failure))
      const command = Core.publicId(dispatch.catalog, id)
      const found = dispatch.catalog.find(command)
      return Effect.andThen(
        found === undefined ? Effect.void : takeOutward(found),
        dispatch.run({ command, input, actor, options: parsed.success, requestId })
      ).pipe(
        Effect.map(resultOf),
        Effect.catch((failure) => Effect.succeed(failureResult(failure)))
      )
    },
    read: ({ profile, uri }) => {
      const parsed = Core.parseOptions({ response_profile: profile })
      if (Result.isFailure(parsed)) return Effect.succeed(failureResult(parsed.failure))
      return Effect.map(
        reader.read({ uri, actor, requestId, responseProfile: parsed.success.responseProfile }),
        resultOf
      )
    }
  }
}
