/**
 * Runs one command from inside another, with its own transaction, events and audit row: how an approved request is run.
 *
 * Dispatch provides it to every run. A delegated run needs no further approval and takes effect once per `key`, however
 * often it is tried.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Envelope } from "./Envelope.ts"
import type { StoredPrecondition } from "./Precondition.ts"

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
}>("@svc/core/Delegation", {
  defaultValue: () => ({
    run: () => Effect.die("commands can be delegated inside Dispatch only"),
    forbidden: () => []
  })
})
