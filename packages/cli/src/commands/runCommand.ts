/** Runs a command on the service. */
import { type Failure, InvalidInput, parseOptions } from "@svc/core"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { commandRequest } from "../commandRequest.ts"
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
export const runCommand = (
  target: Target,
  id: string,
  input: string,
  options: RunOptions
): Effect.Effect<Reply, Failure> => {
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
