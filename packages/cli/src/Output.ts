/**
 * What a run prints: data on stdout, everything else on stderr; with `--json`, stdout is exactly one JSON value.
 *
 * Source: contract 2 ("stdout is data, stderr is everything else").
 */
import { type Failure, type FailureCode, failureTable } from "@svc/core/Failure"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** Ends the run with an exit code; everything there was to say has been printed. */
export class CliExit extends Data.TaggedError("CliExit")<{ readonly exitCode: number }> {}

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    // A reader that went away (a closed pipe) is no reason to fail.
    stream.write(text, () => resume(Effect.void))
  })

/** Prints a line of data. */
export const out = (text: string): Effect.Effect<void> => write(process.stdout, `${text}\n`)

/** Prints a line for the person at the terminal. */
export const note = (text: string): Effect.Effect<void> => write(process.stderr, `${text}\n`)

/** Prints a JSON value: on one line for programs, indented for people. */
export const outJson = (value: unknown, compact: boolean): Effect.Effect<void> =>
  out(compact ? JSON.stringify(value) : JSON.stringify(value, undefined, 2))

const byStatus: Readonly<Record<number, number>> = { 401: 3, 403: 3, 404: 4, 409: 5, 412: 5, 429: 7, 502: 9, 503: 6 }

const isCode = (code: string): code is FailureCode => Object.hasOwn(failureTable, code)

/** The exit code of a refusal, by its code, or by its status when the code is a newer server's. */
export const exitCodeOf = (code: string, status: number): number =>
  isCode(code) ? failureTable[code].exitCode : (byStatus[status] ?? (status >= 400 && status < 500 ? 2 : 1))

/** Prints a failure as `--json` or as a sentence, and ends the run. */
export const refuse = (failure: Failure, json: boolean): Effect.Effect<never, CliExit> => {
  const { code, entry, message } = failure
  const printed = json ? outJson({ error: { message, code } }, true) : note(`svc: ${message} [${code}]`)
  return Effect.andThen(printed, Effect.fail(new CliExit({ exitCode: entry.exitCode })))
}
