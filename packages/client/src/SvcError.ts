import type { FailureCode, FailureEnvelope, HostCode } from "@svc/core"

/**
 * A failed command. `code` is stable, `status` is its HTTP status, `envelope` the whole result with warnings.
 * `svc.commands.failed("lead.upsert", error)` narrows `code` to those of that command. A host program's own begin with `HOST_`.
 */
export class SvcError<Code extends FailureCode | HostCode = FailureCode | HostCode> extends Error {
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
