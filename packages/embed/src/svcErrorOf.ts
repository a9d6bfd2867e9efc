import { SvcError } from "@svc/client"
import { Failure, failureEnvelope, Internal } from "@svc/core"

/** What a host gets of anything that went wrong outside a command. */
export const svcErrorOf = (cause: unknown): SvcError => {
  if (cause instanceof SvcError) return cause
  const failure =
    cause instanceof Failure ? cause : new Internal({ message: "Unexpected error; its cause has details." })
  const error = new SvcError(failureEnvelope(failure, ""))
  if (cause !== failure) error.cause = cause
  return error
}
