/** Host code around every command. Source: contract 5. */
import type { ActorIdentity } from "@svc/core/Actor"
import { type Call, Dispatch } from "@svc/core/Dispatch"
import { type Envelope, failureEnvelope, inputHash } from "@svc/core/Envelope"
import { Failure } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What a hook is told of a run. The input is as the caller wrote it. */
export interface HookCall {
  readonly command: string
  readonly input: unknown
  readonly actor: ActorIdentity
}

/**
 * Functions called around every run, on every surface. `before` refuses the run by throwing a {@link Failure}; what it
 * throws otherwise, and what `after` throws, is logged and changes nothing.
 */
export interface Hooks {
  readonly before?: (call: HookCall) => void | Promise<void>
  readonly after?: (call: HookCall, envelope: Envelope<unknown>) => void | Promise<void>
}

const calling = (run: () => void | Promise<void>): Effect.Effect<Failure | undefined> =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => error }).pipe(
    Effect.as(undefined),
    Effect.catch((error) =>
      error instanceof Failure ? Effect.succeed(error) : Effect.as(Effect.logError("a hook failed", error), undefined)
    )
  )

/** Dispatch with hooks around every run of a listed command. */
export const layer = ({ after, before }: Hooks): Layer.Layer<Dispatch, never, Dispatch> =>
  Layer.effect(
    Dispatch,
    Effect.map(Dispatch, (dispatch) => ({
      ...dispatch,
      run: Effect.fnUntraced(function* (call: Call) {
        const { actor, command, input } = call
        const told: HookCall = { command, input, actor }
        const refused = before && (yield* calling(() => before(told)))
        const answer =
          refused === undefined
            ? yield* dispatch.run(call)
            : {
                envelope: failureEnvelope(refused, inputHash(actor.organizationId, command, input)),
                replayed: false,
                retryAfterSeconds: refused.retryAfterSeconds
              }
        if (after !== undefined) yield* calling(() => after(told, answer.envelope))
        return answer
      })
    }))
  )
