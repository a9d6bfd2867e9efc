/** Finds the service of a client command, runs commands on it, and prints what it returns. */

import { readFile } from "node:fs/promises"
import { type Failure, InvalidInput, InvalidJson, parseOptions } from "@svc/core"
import { parseJson } from "@svc/http"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { targetInCliTerms } from "../cliTerms.ts"
import { findTarget } from "../findTarget.ts"
import { invalid, note, outJson, Refused } from "../Output.ts"
import { callCommand, commandRequest, type Reply, type Target } from "../Target.ts"

/** The flags of every client command. */
export interface Common {
  readonly baseUrl: string | undefined
  readonly json: boolean
}

/**
 * Finds the service and runs an effect, or the steps of a generator, with it. Messages of the service are put in terms of the
 * command line, unless its bodies are to be printed `verbatim`.
 */
export const withTarget = <Step extends Effect.Effect<unknown, unknown, unknown>>(
  { baseUrl, verbatim = false }: Pick<Common, "baseUrl"> & { readonly verbatim?: boolean },
  use: (target: Target) => Iterable<Step, void, unknown>
) =>
  Effect.gen(function* () {
    const target = yield* findTarget(process.env, baseUrl)
    yield* use(verbatim ? target : targetInCliTerms(target))
  }).pipe(Effect.scoped)

/** Execution options. */
export interface RunOptions {
  readonly profile?: "full" | "compact" | undefined
  readonly dryRun?: boolean
  readonly idempotencyKey?: string | undefined
}

/** Runs a command with JSON text as input. Fails with INVALID_INPUT for an idempotency key that no header can hold. */
export const runCommand = (target: Target, id: string, input: string, options: RunOptions = {}) => {
  const { dryRun, idempotencyKey, profile } = options
  const raw = {
    response_profile: profile,
    dry_run: dryRun === true ? "true" : undefined,
    idempotency_key: idempotencyKey
  }
  return Result.isFailure(parseOptions(raw))
    ? invalid("--idempotency-key must be 1 to 255 printable ASCII characters.")
    : target.send(commandRequest(id, input, raw))
}

interface Body {
  readonly ok?: unknown
  readonly data?: unknown
  readonly meta?: { readonly warnings?: unknown; readonly approval_required?: unknown }
}

const bodyOf = (reply: Reply): Body => (typeof reply.body === "object" && reply.body !== null ? reply.body : {})

/** Fields that identify a lead, by what a text looks like. */
export const identifierOf = (text: string): "lead_id" | "email" | "linkedin_url" | "sales_nav_id" => {
  if (/linkedin\.com\/sales\//i.test(text)) return "sales_nav_id"
  if (/linkedin\.com\//i.test(text)) return "linkedin_url"
  return /^[^\s/]+@[^\s/]+$/.test(text) ? "email" : "lead_id"
}

/** The id of the lead that an id, an email address or a LinkedIn URL names. */
export const leadIdOf = (target: Target, lead: string) =>
  Effect.map(callCommand(target, "lead.get", { [identifierOf(lead)]: lead }), ({ lead_id }) => String(lead_id))

/** Whether a policy holds the call for a person's approval. */
export const needsApproval = (reply: Reply) => reply.status === 202 || bodyOf(reply).meta?.approval_required === true

/** Prints warnings, and a pending approval, on stderr. */
export const noteWarnings = (reply: Reply): Effect.Effect<void> => {
  const { meta } = bodyOf(reply)
  const warnings = Array.isArray(meta?.warnings)
    ? meta.warnings.map((warning) =>
        warning === "dry_run" ? "svc: Dry run: nothing was saved." : `warning: ${warning}`
      )
    : []
  const asked = needsApproval(reply)
    ? ["svc: Held for a person's approval. List what is held with svc approval list."]
    : []
  return Effect.forEach([...warnings, ...asked], note, { discard: true })
}

/** Prints data: a person on a terminal reads it as text, everything else gets JSON. */
export const outData = (data: unknown, json: boolean): Effect.Effect<void, Failure> => {
  if (json || !process.stdout.isTTY) return outJson(data, json)
  // Loaded on use: few runs are read by a person.
  const shown = Effect.promise(() => import("../generated/show.ts"))
  return Effect.flatMap(shown, ({ showOnTerminal }) => showOnTerminal(data))
}

/** Prints a reply: with `--json` its whole body, otherwise its data, with warnings on stderr. Fails with its error. */
export const printReply = (reply: Reply, json: boolean): Effect.Effect<void, Failure> => {
  const { data, ok } = bodyOf(reply)
  if (reply.status >= 400 || ok === false || data === undefined) return Effect.fail(new Refused(reply))
  if (json) return outJson(reply.body, true)
  return Effect.andThen(noteWarnings(reply), outData(data, false))
}

const read = Effect.fnUntraced(function* (value: string) {
  if (value !== "-" && !value.startsWith("@")) return value
  const bytes = yield* Effect.tryPromise({
    try: async () =>
      value === "-" ? (await import("node:stream/consumers")).buffer(process.stdin) : readFile(value.slice(1)),
    catch: () =>
      new InvalidInput({ message: "--input-json: can't read the file after @. Check its path and permissions." })
  })
  return yield* Effect.try({
    // Invalid UTF-8 is rejected, never replaced.
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new InvalidJson({ message: "--input-json: not UTF-8. Save the file as UTF-8." })
  })
})

/** The value as JSON text, unchanged. Fails with INVALID_JSON or INVALID_INPUT. */
export const readInputJson = Effect.fnUntraced(function* (value: string) {
  const json = yield* read(value)
  const parsed = parseJson(json)
  if (Result.isSuccess(parsed)) return json
  const { failure } = parsed
  const message = failure.message.replace(/^The body is (.*) Send .*$/, "$1 Use a JSON object, @FILE or - for stdin.")
  return yield* failure.withMessage(`--input-json: ${message}`)
})
