/** Host code around every command. */
import { type ActorIdentity, type Call, Dispatch, type Envelope, Failure, failureEnvelope, inputHash } from "@svc/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A run, as hooks see it. The input is not validated yet; its fields have the command's names on every surface. */
export interface HookCall {
  readonly command: string
  readonly input: unknown
  readonly actor: ActorIdentity
}

/**
 * Functions called around every run, on every surface. `before` rejects the run by throwing a {@link Failure}. Any other
 * error of a hook is logged and ignored.
 */
export interface Hooks {
  readonly before?: (call: HookCall) => void | Promise<void>
  readonly after?: (call: HookCall, envelope: Envelope<unknown>) => void | Promise<void>
}

const callHook = (run: () => void | Promise<void>): Effect.Effect<Failure | undefined> =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => error }).pipe(
    Effect.as(undefined),
    Effect.catch((error) =>
      error instanceof Failure
        ? Effect.succeed(error)
        : Effect.as(Effect.logError("A hook failed", Cause.fail(error)), undefined)
    )
  )

/** Dispatch with hooks around every run. */
export const layer = ({ after, before }: Hooks): Layer.Layer<Dispatch, never, Dispatch> =>
  Layer.effect(
    Dispatch,
    Effect.map(Dispatch, (dispatch) => ({
      ...dispatch,
      run: Effect.fnUntraced(function* (call: Call) {
        const { actor, command, representation: form } = call
        const input = form === undefined ? call.input : form.toInput({ ...Object(call.input) })
        const hookCall: HookCall = { command, input, actor }
        const refused = before && (yield* callHook(() => before(hookCall)))
        const answer =
          refused === undefined
            ? yield* dispatch.run(call)
            : {
                envelope: failureEnvelope(refused, inputHash(actor.organizationId, command, input)),
                replayed: false,
                retryAfterSeconds: refused.retryAfterSeconds,
                failure: refused
              }
        if (after !== undefined) yield* callHook(() => after(hookCall, answer.envelope))
        return answer
      })
    }))
  )
