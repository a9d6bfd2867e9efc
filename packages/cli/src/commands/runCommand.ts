/** Runs a command on the service. */
import { InvalidInput, parseOptions, Unavailable } from "@svc/core"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { commandRequest } from "../callCommand.ts"
import { CliExit, exitCodeOf, note, orRefuse, outJson } from "../Output.ts"
import type { Reply, Target } from "../Target.ts"
import { optionalText, toggle } from "./flags.ts"

/** `--response-profile`. */
export const profile = Flag.Literals("response-profile", ["full", "compact"]).pipe(
  Flag.withDescription("compact omits long optional fields"),
  Flag.optional
)

/** `--dry-run`. */
export const dryRun = toggle("dry-run", "Preview without saving")

/** `--idempotency-key`. */
export const idempotencyKey = optionalText("idempotency-key", "Retries with the same key take effect once")

/** Execution options. */
export interface RunOptions {
  readonly profile: Option.Option<string>
  readonly dryRun: boolean
  readonly idempotencyKey: Option.Option<string>
}

/** Runs a command with JSON text as input. Fails with INVALID_INPUT for an idempotency key that no header can hold. */
export const runCommand = (target: Target, id: string, input: string, options: RunOptions) => {
  const { dryRun: isDry, idempotencyKey: key, profile: chosen } = options
  const raw = {
    ...(Option.isSome(chosen) ? { response_profile: chosen.value } : {}),
    ...(isDry ? { dry_run: "true" } : {}),
    ...(Option.isSome(key) ? { idempotency_key: key.value } : {})
  }
  return Result.isFailure(parseOptions(raw))
    ? Effect.fail(new InvalidInput({ message: "--idempotency-key must be 1 to 255 printable ASCII characters." }))
    : target.send(commandRequest(id, input, raw))
}

interface Body {
  readonly ok?: unknown
  readonly data?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
  readonly meta?: { readonly warnings?: unknown; readonly approval_required?: unknown }
}

const bodyOf = (reply: Reply): Body => (typeof reply.body === "object" && reply.body !== null ? reply.body : {})

/** Prints the error of a reply and ends the run with its exit code. `--json` prints the whole body. */
const failWith = (reply: Reply, json: boolean): Effect.Effect<never, CliExit> => {
  const { error } = bodyOf(reply)
  const { code, message } =
    error ?? new Unavailable({ message: `The service returned ${reply.status} without a message.` })
  const printed = json
    ? outJson(error === undefined ? { error: { message, code } } : reply.body, true)
    : note(`svc: ${String(message)} [${String(code)}]`)
  return Effect.andThen(printed, Effect.fail(new CliExit({ exitCode: exitCodeOf(String(code), reply.status) })))
}

/** Whether a policy holds the call for a person's approval. */
export const needsApproval = (reply: Reply): boolean =>
  reply.status === 202 || bodyOf(reply).meta?.approval_required === true

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
export const outData = (data: unknown, json: boolean): Effect.Effect<void, CliExit> => {
  if (json || !process.stdout.isTTY) return outJson(data, json)
  // Loaded on use: few runs are read by a person.
  return Effect.flatMap(
    Effect.promise(() => Promise.all([import("../generated/show.ts"), import("../table.ts")])),
    ([{ showData }, { stdoutSurface }]) => orRefuse(false, showData(data, stdoutSurface()))
  )
}

/** Prints a reply: with `--json` its whole body, otherwise its data, with warnings on stderr. */
export const printReply = (reply: Reply, json: boolean): Effect.Effect<void, CliExit> => {
  const { data, ok } = bodyOf(reply)
  if (reply.status >= 400 || ok === false || data === undefined) return failWith(reply, json)
  if (json) return outJson(reply.body, true)
  return Effect.andThen(noteWarnings(reply), outData(data, false))
}
