/** What host code throws, as a failure of the service. */
import { Failure, type FailureCode, failureTable } from "@svc/core"
import { failureOf } from "@svc/core/failures"

const isCode = (code: unknown): code is FailureCode => typeof code === "string" && Object.hasOwn(failureTable, code)

/**
 * The failure that a host threw: a failure itself, or an SvcError, also one of another copy of the package; undefined for
 * anything else.
 */
export const thrownFailure = (error: unknown): Failure | undefined => {
  if (error instanceof Failure) return error
  if (!(error instanceof Error) || error.name !== "SvcError") return undefined
  const code: unknown = Reflect.get(error, "code")
  return isCode(code) ? failureOf(code, { message: error.message }) : undefined
}

/** The text of anything thrown; empty if it has none. */
export const messageOfThrown = (error: unknown): string =>
  error instanceof Error ? error.message : String(error ?? "")
