import { Failure, type FailureCode, type FailureEnvelope, failureEnvelope, Internal } from "@svc/core"

/**
 * A failed command. `code` is stable, `status` is its HTTP status, `envelope` the whole result with warnings.
 * `svc.commands.failed("lead.upsert", error)` narrows `code` to those of that command.
 */
export class SvcError<Code extends FailureCode = FailureCode> extends Error {
  /** Lets `instanceof` narrow to every code. For a generic class it would otherwise narrow to `SvcError<any>`. */
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is SvcError
  override readonly name = "SvcError"
  readonly code: Code
  readonly status: number
  readonly envelope: FailureEnvelope<Code>

  constructor(envelope: FailureEnvelope<Code>) {
    super(envelope.error.message)
    this.code = envelope.error.code
    this.status = envelope.status
    this.envelope = envelope
  }
}

/** What a host gets of anything that went wrong outside a command. */
export const svcErrorOf = (cause: unknown): SvcError => {
  if (cause instanceof SvcError) return cause
  const failure =
    cause instanceof Failure ? cause : new Internal({ message: "Unexpected error; its cause has details." })
  const error = new SvcError(failureEnvelope(failure, ""))
  if (cause !== failure) error.cause = cause
  return error
}
