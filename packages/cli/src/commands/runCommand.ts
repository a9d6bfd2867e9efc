/** Asking the service to run a command. Source: contract 1.5, 2. */
import { type Failure, fail } from "@svc/core/Failure"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Reply, Target } from "../Target.ts"
import { toggle } from "./flags.ts"

/** `--response-profile`. */
export const profile = Flag.Literals("response-profile", ["full", "compact"]).pipe(
  Flag.withDescription("compact leaves out long optional fields"),
  Flag.optional
)

/** `--dry-run`. */
export const dryRun = toggle("dry-run", "Answer what would result and change nothing")

/** `--idempotency-key`. */
export const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withDescription("Repeating the run with the same key has one effect"),
  Flag.optional
)

/** How to run it. */
export interface RunOptions {
  readonly profile: Option.Option<string>
  readonly dryRun: boolean
  readonly idempotencyKey: Option.Option<string>
}

/** Runs the command with an input that is JSON text. Fails with INVALID_INPUT for a key that no header can hold. */
export const runCommand = (
  target: Target,
  id: string,
  input: string,
  options: RunOptions
): Effect.Effect<Reply, Failure> => {
  const query = new URLSearchParams({
    ...(Option.isSome(options.profile) ? { response_profile: options.profile.value } : {}),
    ...(options.dryRun ? { dry_run: "true" } : {})
  })
  const headers = Option.isSome(options.idempotencyKey) ? { "idempotency-key": options.idempotencyKey.value } : {}
  if (Object.values(headers).some((value) => !/^[\x20-\x7e]{1,255}$/.test(value))) {
    return Effect.fail(fail("INVALID_INPUT", "--idempotency-key must be 1 to 255 printable ASCII characters."))
  }
  const path = `/api/v1/commands/${encodeURIComponent(id)}${query.size === 0 ? "" : `?${query}`}`
  return target.ask({ method: "POST", path, json: input, headers })
}
