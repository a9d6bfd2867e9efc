/**
 * The three options of every command, which are not part of its input: response profile, dry run, idempotency key. Every
 * surface reads them with {@link parseOptions}.
 */
import * as Result from "effect/Result"

import { InvalidInput } from "../failure/failures.ts"

/** `compact` omits or shortens long optional parts; ids, states and required fields never change. */
export type ResponseProfile = "full" | "compact"

/** How to run a command. */
export interface ExecutionOptions {
  readonly responseProfile: ResponseProfile
  /** Previews the output without saving: the run is rolled back. */
  readonly dryRun: boolean
  /** 1 to 255 printable ASCII characters. Retries with the same key take effect once. */
  readonly idempotencyKey: string | undefined
}

/** The options of a caller that sends none. */
export const defaultOptions: ExecutionOptions = { responseProfile: "full", dryRun: false, idempotencyKey: undefined }

/** Options as a surface receives them. */
export interface RawOptions {
  readonly response_profile?: string | undefined
  readonly dry_run?: string | boolean | undefined
  readonly idempotency_key?: string | undefined
}

const printableAscii = /^[\x20-\x7e]+$/

/** Checks options given as text. Fails with INVALID_INPUT naming the allowed values. */
export const parseOptions = (raw: RawOptions): Result.Result<ExecutionOptions, InvalidInput> => {
  const profile = raw.response_profile ?? "full"
  if (profile !== "full" && profile !== "compact") {
    return Result.fail(new InvalidInput({ message: "response_profile must be full or compact." }))
  }
  const dryRun = String(raw.dry_run ?? "false")
  if (dryRun !== "true" && dryRun !== "false") {
    return Result.fail(new InvalidInput({ message: "dry_run must be true or false." }))
  }
  const key = raw.idempotency_key
  if (key !== undefined && (key.length < 1 || key.length > 255 || !printableAscii.test(key))) {
    return Result.fail(new InvalidInput({ message: "Idempotency-Key must be 1 to 255 printable ASCII characters." }))
  }
  return Result.succeed({ responseProfile: profile, dryRun: dryRun === "true", idempotencyKey: key })
}
