/** Host code around every run of a command, whatever began it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { Unavailable } from "../failure/failures.ts"
import type { CommandId } from "../schema/RecordIds.ts"
import type { ActorIdentity } from "./Actor.ts"
import type { CommandResult } from "./Call.ts"
import { failureResult } from "./dispatch/present.ts"
import type { Envelope } from "./Envelope.ts"

/** A run, as hooks see it. */
export interface HookCall {
  /** The command's id, the same on every surface. Reading a resource runs `resource.<name>`. */
  readonly command: CommandId
  /** The REST route that led to the command, such as `POST /api/v1/offers`; absent for every other way. */
  readonly route?: string
  /** The validated input in the command's own field names. Of a call that was refused before, the input as it was sent. */
  readonly input: unknown
  readonly actor: ActorIdentity
  readonly dryRun: boolean
  readonly idempotencyKey?: string
  /** Id of the HTTP request, as in the log; absent in process. */
  readonly requestId?: string
  /** The command that began this run: `approval.resolve` for a held one, or a command of the host that calls the service. */
  readonly within?: CommandId
}

/** What became of a run: its envelope, with `ok` and `data` or `error`. */
export type HookOutcome = Envelope<unknown> & {
  readonly durationMillis: number
  /** Whether it is the stored result of an earlier run with the same idempotency key. */
  readonly replayed: boolean
}

/** What is called around runs. */
export interface RunHooks {
  /** Called when the actor may run the command and its input is valid; a failure refuses the run. */
  readonly before: (call: HookCall) => Effect.Effect<void, Failure>
  /** Called once for every call of a known command, refused ones included. */
  readonly after: (call: HookCall, outcome: HookOutcome) => Effect.Effect<void>
}

/** The hooks of the host; by default none. */
export const RunHooks = Context.Reference<RunHooks | undefined>("@svc/core/RunHooks", {
  defaultValue: () => undefined
})

/** The outcome of a call that its caller cancelled before it had one. */
const cancelled = (): CommandResult => failureResult(new Unavailable({ message: "The caller cancelled the call." }), "")

/** How the end of a call is told to `after`, once, also if it is cancelled. */
interface Ending {
  readonly of: (run: Effect.Effect<CommandResult>) => Effect.Effect<CommandResult>
  readonly onCancel: <A, E>(step: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** The ending of a call that begins now. `call` is read at the end. */
export const endingOf = (hooks: RunHooks | undefined, call: () => HookCall): Ending => {
  if (hooks === undefined) return { of: (run) => run, onCancel: (step) => step }
  const began = performance.now()
  let isOver = false
  const tell = ({ envelope, replayed }: CommandResult) =>
    Effect.suspend(() => {
      if (isOver) return Effect.void
      isOver = true
      return hooks.after(call(), { ...envelope, durationMillis: performance.now() - began, replayed })
    })
  const onCancel: Ending["onCancel"] = (step) => Effect.onInterrupt(step, () => tell(cancelled()))
  return { onCancel, of: (run) => onCancel(Effect.tap(run, (result) => Effect.uninterruptible(tell(result)))) }
}
