/**
 * Runs one command from inside another. Dispatch provides it to every run.
 *
 * A delegated run is how an approved request is run: with its own transaction, events and audit row. It needs no further
 * approval and takes effect once per `key`, however often it is tried. A called run belongs to the one that calls it: it
 * joins its transaction, if it has one, and its failure undoes both.
 */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../failure/Failure.ts"
import { WrongState } from "../failure/failures.ts"
import type { CommandId } from "../schema/IdsAndTime.ts"
import type { Catalog } from "./Catalog.ts"
import type { AnyCommand, AnySchema } from "./Command.ts"
import type { Envelope, Precondition, StoredPrecondition } from "./Envelope.ts"
import type { ActorIdentity, ExecutionOptions } from "./Execution.ts"

/** A call of a command. `route` is the route of its idempotency key, by default that of the command endpoint. */
export interface Call {
  readonly command: string
  readonly input: unknown
  readonly actor: ActorIdentity
  readonly options?: ExecutionOptions
  readonly route?: string
  readonly requestId?: string
  /** How the surface represents the command, if not by the command's own schemas. */
  readonly representation?: Representation
  /** Whether the caller writes the result with `writeJson`. */
  readonly writesJson?: boolean
  readonly precondition?: Precondition | undefined
}

/** The result of a call. `replayed` is true if it is the stored result of an earlier run with the same key. */
export interface CommandResult<A = unknown> {
  readonly envelope: Envelope<A>
  readonly replayed: boolean
  readonly retryAfterSeconds: number | undefined
  /** The failure with its fields; absent from a replayed result, of which only the envelope was stored. */
  readonly failure?: Failure
}

/** Calls commands as the actor of the running one. */
export interface Calling {
  readonly catalog: Catalog<AnyCommand>
  /** Whether the running one has a transaction, which what it calls joins. */
  readonly hasTransaction: boolean
  readonly run: (
    command: string,
    input: unknown,
    options: Omit<ExecutionOptions, "dryRun">
  ) => Effect.Effect<CommandResult>
}

/** What a command can do with other commands. */
export const Delegation = Context.Reference<{
  /** Runs a command as the actor of the running one. */
  readonly run: (
    command: string,
    input: unknown,
    precondition: StoredPrecondition | null,
    key: string
  ) => Effect.Effect<Envelope<unknown>>
  /** The ids of the commands whose scope the running actor does not hold. */
  readonly forbidden: () => ReadonlyArray<string>
  /** Whether the running actor may run a command without asking anybody. */
  readonly allows: (command: string) => Effect.Effect<boolean>
  /** Undefined outside Dispatch. */
  readonly calling: Calling | undefined
}>("@svc/core/Delegation", {
  defaultValue: () => ({
    run: () => Effect.die("commands can be delegated inside Dispatch only"),
    forbidden: () => [],
    allows: () => Effect.succeed(false),
    calling: undefined
  })
})

/** A run that may call others. */
export interface OuterRun {
  readonly id: CommandId
  readonly risk: AnyCommand["risk"]
  readonly isDelegated: boolean
  /** Whether it runs in a transaction, which the runs that it calls join. */
  readonly hasTransaction: boolean
  /** Why it can no longer succeed: something that it called has failed halfway. */
  cause: Cause.Cause<Failure> | undefined
}

/** The facts of a run for those that it calls. */
export const outerRun = (
  { id, outward, risk }: AnyCommand,
  dryRun: boolean,
  isDelegated: boolean,
  caller: OuterRun | undefined
): OuterRun => ({
  id,
  risk,
  isDelegated,
  hasTransaction: caller?.hasTransaction === true || (outward ? dryRun : risk !== "read"),
  cause: undefined
})

/** Why a run must not call a command, or undefined if it may. */
export const callRefusal = (outer: OuterRun, { id, outward, risk }: AnyCommand, dryRun: boolean) => {
  if (outer.risk === "read" && risk !== "read") {
    return new WrongState({ message: `${outer.id} only reads, so it can't run ${id}. Declare it with risk: "mutate".` })
  }
  if (outward && outer.hasTransaction && !dryRun) {
    const reason = `${id} calls a provider, so it can't run in the transaction of ${outer.id}.`
    return new WrongState({ message: `${reason} Declare ${outer.id} with outward: true.` })
  }
  return undefined
}

/** The result of a run, unless something that it called has failed halfway: then that failure. */
export const unlessBroken = <A>({ cause }: OuterRun, result: A): Effect.Effect<A, Failure> =>
  cause === undefined ? Effect.succeed(result) : Effect.failCause(cause)

/**
 * Another representation of a command, such as camelCase REST: other field names and another shape of the output, with the command's own
 * id, scopes, policies, idempotency and audit.
 */
export interface Representation {
  /** The input of the surface. */
  readonly input: AnySchema
  /** The output of the surface. */
  readonly output: AnySchema
  /** The command's input, decoded, from the surface's, decoded. */
  readonly toInput: (taken: Readonly<Record<string, unknown>>) => unknown
  /** Further input fields for what is sent apart from the input, such as a file; read if the run is stored for approval. */
  readonly extraInput?: Effect.Effect<Readonly<Record<string, unknown>>, Failure>
  /** The output of the surface, from a result of the command's `perform`. `show` shows it as the command does. */
  readonly present: (result: unknown, show?: AnyCommand["show"]) => unknown
  /** The surface's name of what a message of the command mentions: a field, or a field with its value. */
  readonly fieldName: (text: string) => string
  /** Shortens what `present` returns. */
  readonly compact: AnyCommand["compact"]
}

/** The field names that messages of the running command use; by default the command's own. */
export const FieldNames = Context.Reference<(text: string) => string>("@svc/core/FieldNames", {
  defaultValue: () => (text: string) => text
})

/** The input that is stored with a request for approval, in the command's own schema. */
export const storedInput = (
  command: AnyCommand,
  input: unknown,
  { representation, input: sent }: { readonly representation?: Representation; readonly input: unknown }
): Effect.Effect<unknown> =>
  representation === undefined ? Effect.succeed(sent) : Effect.orDie(Schema.encodeUnknownEffect(command.input)(input))
