/** What host code throws, as a failure of the service. */

import { SvcError } from "@svc/client"
import { Failure, type FailureCode, failureTable, HostRefusal, Internal, InvalidInput } from "@svc/core"
import { failureOf } from "@svc/core/failures"
import { failureEnvelope } from "@svc/core/internal"
import { isRefusal } from "./define/refusal.ts"

const isCode = (code: unknown): code is FailureCode => typeof code === "string" && Object.hasOwn(failureTable, code)

/**
 * The failure that a host threw: a failure itself, or an SvcError, also one of another copy of the package; undefined for
 * anything else.
 */
export const thrownFailure = (error: unknown): Failure | undefined => {
  if (error instanceof Failure) return error
  if (!(error instanceof Error) || error.name !== "SvcError") return undefined
  const { code, message, status } = Object(error)
  if (isRefusal(code, status)) return new HostRefusal(code, status, { message })
  return isCode(code) ? failureOf(code, { message }) : undefined
}

/** The text of anything thrown; empty if it has none. */
export const messageOfThrown = (error: unknown) => (error instanceof Error ? error.message : String(error ?? ""))

/** What a host gets of anything that went wrong outside a command. */
export const svcErrorOf = (cause: unknown): SvcError => {
  if (cause instanceof SvcError) return cause
  const failure =
    cause instanceof Failure ? cause : new Internal({ message: "Unexpected error; its cause has details." })
  const error = new SvcError(failureEnvelope(failure, ""))
  if (cause !== failure) error.cause = cause
  return error
}

/** Throws {@link SvcError} INVALID_INPUT if there is a problem. */
export const orThrow = (problem: string | undefined): void => {
  if (problem !== undefined) throw svcErrorOf(new InvalidInput({ message: problem }))
}
