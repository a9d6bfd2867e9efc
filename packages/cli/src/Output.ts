/** Output of a run: data on stdout, everything else on stderr. With `--json`, stdout is exactly one JSON value. */
import { type Failure, failureTable, InvalidInput, Relayed, Unavailable } from "@svc/core"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Ends the run with an exit code, after everything has been printed. */
export class CliExit extends Data.TaggedError("CliExit")<{ readonly exitCode: number }> {}

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    // A closed pipe is not an error.
    stream.write(text, () => resume(Effect.void))
  })

/** Prints a line of data. */
export const out = (text: string): Effect.Effect<void> => write(process.stdout, `${text}\n`)

/** Prints sentences; in a terminal they are wrapped between words. */
const writeProse = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> => {
  if (!stream.isTTY || !stream.columns) return write(stream, `${text}\n`)
  // Loaded on use, by people.
  const usage = Effect.promise(() => import("./usageText.ts"))
  return Effect.flatMap(usage, ({ wrapHelp }) => write(stream, `${wrapHelp(text, stream.columns)}\n`))
}

/** Prints sentences on stdout. */
export const outProse = (text: string): Effect.Effect<void> => writeProse(process.stdout, text)

/** Prints sentences on stderr. */
export const note = (text: string): Effect.Effect<void> => writeProse(process.stderr, text)

/** Whether somebody can answer a question: a terminal on both sides, and no script. */
export const isInteractive = (asJson: boolean): boolean =>
  process.stdin.isTTY && process.stderr.isTTY && !asJson && (process.env["CI"] ?? "") === ""

/** Prints a JSON value: on one line for programs, indented for people. */
export const outJson = (value: unknown, compact: boolean): Effect.Effect<void> =>
  out(compact ? JSON.stringify(value) : JSON.stringify(value, undefined, 2))

/** Fails with INVALID_INPUT. */
export const invalid = (message: string) => Effect.fail(new InvalidInput({ message }))

/** What jq, compiled to WebAssembly, makes of a value, one result per line; texts without quotes. Fails with INVALID_INPUT. */
export const runJq = Effect.fnUntraced(function* (value: unknown, filter: string) {
  const { exitCode, stderr, stdout } = yield* Effect.tryPromise({
    // Loaded on use: it is a megabyte.
    try: async () => (await (await import("jq-wasm")).loadJq()).raw(JSON.stringify(value), filter, ["-r", "-c"]),
    catch: () => new Unavailable({ message: "--jq needs the package jq-wasm. Install it next to svc, or use --json." })
  })
  if (exitCode === 0) return stdout
  const [problem] = stderr.replaceAll(/jq: (error: )?|error \(at [^)]*\): /g, "").split("\n")
  return yield* invalid(`--jq: ${problem?.slice(0, 200)}`)
})

/** Prints what a filter of jq makes of a value. */
export const outJq = (value: unknown, filter: string) => Effect.flatMap(runJq(value, filter), out)

const byStatus: Readonly<Record<number, number>> = { 401: 3, 403: 3, 404: 4, 409: 5, 412: 5, 429: 7, 502: 9, 503: 6 }

/** A response of the service that is an error, maybe with a code that only a newer version knows. */
export class Refused extends Relayed {
  readonly #status: number
  /** What `--json` prints. */
  readonly body: unknown

  constructor({ body, status }: { readonly body: unknown; readonly status: number }) {
    const message = `The service returned ${status} without a message.`
    const known = Object(body).error === undefined ? { error: { message, code: "UNAVAILABLE" } } : Object(body)
    super(known.error.code, { message: String(known.error.message) })
    this.#status = status
    this.body = known
  }

  override get entry(): Failure["entry"] {
    if (Object.hasOwn(failureTable, this.code)) return super.entry
    const exitCode = byStatus[this.#status] ?? (this.#status >= 400 && this.#status < 500 ? 2 : 1)
    return { ...failureTable.INTERNAL, status: this.#status, exitCode }
  }
}

/** Prints a failure. */
export const printFailure = (failure: Failure, json: boolean): Effect.Effect<void> => {
  const { code, message } = failure
  if (!json) return note(`svc: ${message} [${code}]`)
  return outJson(failure instanceof Refused ? failure.body : { error: { message, code } }, true)
}

/** Prints a failure and ends the run with its exit code. */
export const refuse = (failure: Failure, json: boolean): Effect.Effect<never, CliExit> =>
  Effect.andThen(printFailure(failure, json), Effect.fail(new CliExit({ exitCode: failure.entry.exitCode })))
