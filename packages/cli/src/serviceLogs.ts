/** What a service writes to stderr, which is read as a log: with JSON logs every line is one, from the start to the end. */

import { writeSync } from "node:fs"
import module from "node:module"
import { type Failure, Internal } from "@svc/core"
import { isFailure } from "@svc/core/internal"
import { logLine, logsJson } from "@svc/embed/composition"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CliExit, printFailure } from "./Output.ts"

/** Writes a line at once, whatever the log level is. */
const write = (level: "WARN" | "ERROR", message: string, fields: Readonly<Record<string, unknown>>): void => {
  writeSync(2, `${logLine({ timestamp: new Date().toISOString(), level, message }, fields)}\n`)
}

/** Replaces what Node writes about the process: its warnings, and errors that nothing caught. */
const watchProcess = (): void => {
  process.removeAllListeners("warning")
  process.on("warning", ({ message, name }) => write("WARN", message, { name }))
  process.on("uncaughtException", (error) => {
    write("ERROR", "Unexpected error. The process ends.", { cause: error.stack ?? error.message })
    process.exit(1)
  })
}

/** Writes why a service cannot start: a line of the log, or a text for people. */
export const writeRefusal = ({ code, message }: Failure): void => {
  if (logsJson(process.env)) write("ERROR", message, { code })
  else writeSync(2, `svc: ${message} [${code}]\n`)
}

const refuseStart = (failure: Failure, json: boolean): Effect.Effect<never, CliExit> =>
  Effect.suspend(() => {
    if (logsJson(process.env) || !json) writeRefusal(failure)
    const printed = json ? printFailure(failure, true) : Effect.void
    return Effect.andThen(printed, Effect.fail(new CliExit({ exitCode: failure.entry.exitCode })))
  })

/** The services of the command line. */
export type ServiceKind = "dev" | "serve" | "worker"

/** A developer reads the banner instead. */
const logOf = (kind: ServiceKind) => (kind === "dev" ? Effect.logDebug : Effect.logInfo)

/** Logs that a service has started, waits until it is stopped, and logs that. */
export const untilStopped = Effect.fnUntraced(function* (kind: ServiceKind, fields: Readonly<Record<string, unknown>>) {
  const log = logOf(kind)
  // Whoever kills it loses nothing of what was compiled.
  module.flushCompileCache?.()
  yield* Effect.addFinalizer(() => log("Stopping", { service: kind }))
  yield* log("Started", { service: kind, ...fields })
  return yield* Effect.never
})

/** Runs a service. Its failure ends the run with the exit code, as a line of the log or a text for people. */
export const asService = (kind: ServiceKind, json: boolean, run: Effect.Effect<never, Failure, Scope.Scope>) =>
  Effect.suspend(() => {
    if (logsJson(process.env)) watchProcess()
    // Loaded on use: svc mcp has this module as well.
    const warned = Effect.flatMap(
      Effect.promise(() => import("./unknownVariables.ts")),
      ({ mistypedVariables }) => Effect.forEach(mistypedVariables(process.env), (text) => Effect.logWarning(text))
    )
    const logged = Effect.onInterrupt(Effect.andThen(warned, Effect.scoped(run)), () =>
      logOf(kind)("Stopped", { service: kind })
    )
    return Effect.catchCause(logged, (cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const error = Cause.squash(cause)
      if (isFailure(error)) return refuseStart(error, json)
      return Effect.andThen(
        Effect.logError("The service failed unexpectedly", cause),
        refuseStart(new Internal({ message: "Unexpected error. Report it with the log." }), json)
      )
    })
  })
