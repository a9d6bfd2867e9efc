/**
 * The three options that apply to any command and belong to no command's input: response profile, dry run, idempotency
 * key. Every surface reads them with {@link parseOptions}. Source: contract section 1.1, gap decisions G23 and G27.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "./Failure.ts"

/** `compact` leaves out or shortens long optional parts; ids, states and required fields never change. */
export type ResponseProfile = "full" | "compact"

/** How to run a command. */
export interface ExecutionOptions {
  readonly responseProfile: ResponseProfile
  /** Runs in a transaction that is rolled back; the output is the output that would result. */
  readonly dryRun: boolean
  /** 1 to 255 printable ASCII characters; the same key and request answer the same without a second effect. */
  readonly idempotencyKey: string | undefined
}

/** What holds when a caller says nothing. */
export const defaultOptions: ExecutionOptions = { responseProfile: "full", dryRun: false, idempotencyKey: undefined }

/** Options as a surface receives them. */
export interface RawOptions {
  readonly response_profile?: string | undefined
  readonly dry_run?: string | boolean | undefined
  readonly idempotency_key?: string | undefined
}

const printableAscii = /^[\x20-\x7e]+$/

/** Checks options given as text. Fails with INVALID_INPUT naming the allowed values. */
export const parseOptions = (raw: RawOptions): Result.Result<ExecutionOptions, Failure> => {
  const profile = raw.response_profile ?? "full"
  if (profile !== "full" && profile !== "compact") {
    return Result.fail(fail("INVALID_INPUT", "response_profile must be full or compact."))
  }
  const dryRun = String(raw.dry_run ?? "false")
  if (dryRun !== "true" && dryRun !== "false") {
    return Result.fail(fail("INVALID_INPUT", "dry_run must be true or false."))
  }
  const key = raw.idempotency_key
  if (key !== undefined && (key.length < 1 || key.length > 255 || !printableAscii.test(key))) {
    return Result.fail(fail("INVALID_INPUT", "Idempotency-Key must be 1 to 255 printable ASCII characters."))
  }
  return Result.succeed({ responseProfile: profile, dryRun: dryRun === "true", idempotencyKey: key })
}
