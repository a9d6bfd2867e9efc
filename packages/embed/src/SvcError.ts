/** The error that a host program catches. */
import type { FailureEnvelope } from "@svc/core/Envelope"
import type { FailureCode } from "@svc/core/Failure"

/**
 * A command that was refused. `code` is stable, `status` is the HTTP status of the same refusal, `envelope` is the whole
 * answer with its warnings. Source: contract 5.
 */
export class SvcError extends Error {
  override readonly name = "SvcError"
  readonly code: FailureCode
  readonly status: number
  readonly envelope: FailureEnvelope

  constructor(envelope: FailureEnvelope) {
    super(envelope.error.message)
    this.code = envelope.error.code
    this.status = envelope.status
    this.envelope = envelope
  }
}
