/** Host code around every run. */
import { ApprovalPolicy, type HookCall, type HookOutcome } from "@svc/core"
import { RunHooks } from "@svc/core/internal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { messageOfThrown, thrownFailure } from "./hostFailure.ts"

/**
 * Functions called around every run of a command: on every surface, for held runs when a person approves them, and for
 * runs that continue after their caller went away. They may return a promise or an Effect.
 */
export interface Hooks {
  /**
   * Called with the validated input just before a run. Whatever it throws, rejects or fails with refuses the run, with
   * its message: a `refusal` with a code of yours, an {@link SvcError} or a failure of `@svc/core` with its own, anything else
   * with APPROVAL_POLICY. An error that it returns refuses, too.
   */
  readonly before?: (call: HookCall) => unknown
  /** Called once with the outcome of every call, also of a refused one. What it throws is logged and ignored. */
  readonly after?: (call: HookCall, outcome: HookOutcome) => unknown
}

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

const awaited = (run: () => unknown): Effect.Effect<unknown, unknown> =>
  Effect.suspend(() => {
    const result = run()
    if (isEffect(result)) return result
    return Effect.tryPromise({ try: async () => result, catch: (error) => error })
  })

const orFail = (returned: unknown) => (returned instanceof Error ? Effect.fail(returned) : Effect.void)

/** The hooks of a host for Dispatch. */
export const layer = ({ after, before }: Hooks): Layer.Layer<never> =>
  Layer.succeed(RunHooks, {
    before: (call) =>
      before === undefined
        ? Effect.void
        : awaited(() => before(call)).pipe(
            Effect.flatMap(orFail),
            Effect.catchCause((cause) => {
              const error = Cause.squash(cause)
              const message = messageOfThrown(error) || `A hook of the host refused ${call.command}.`
              return Effect.fail(thrownFailure(error) ?? new ApprovalPolicy({ message }))
            })
          ),
    after: (call, outcome) =>
      after === undefined
        ? Effect.void
        : Effect.catchCause(Effect.asVoid(awaited(() => after(call, outcome))), (cause) =>
            Effect.logError("The hook after failed", { command: call.command }, cause)
          )
  })
