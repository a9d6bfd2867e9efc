/**
 * Running one command from inside another, with its own transaction, events and audit row: how an approved request is run.
 *
 * Dispatch gives it to every run. A delegated run asks nobody again, and has one effect for each `key`, however often it
 * is tried. Source: gap decision G26.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Envelope } from "./Envelope.ts"

/** Runs a command as the running actor. */
export const Delegation = Context.Reference<
  (command: string, input: unknown, key: string) => Effect.Effect<Envelope<unknown>>
>("@svc/core/Delegation", {
  defaultValue: () => () => Effect.die("commands can be delegated inside Dispatch only")
})
