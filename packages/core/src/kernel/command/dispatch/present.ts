/** Turns the outcome of a run into its result. */
import type { Failure } from "../../failure/Failure.ts"
import { Internal } from "../../failure/failures.ts"
import { hasStored } from "../../schema/Json.ts"
import type { AnyCommand } from "../Command.ts"
import type { Call, CommandResult } from "../Delegation.ts"
import { type Envelope, failureEnvelope, withWarnings } from "../Envelope.ts"
import { fitList } from "../fitList.ts"

/** The result with an envelope. */
export const commandResult = (
  envelope: Envelope<unknown>,
  replayed = false,
  retryAfterSeconds?: number
): CommandResult => ({
  envelope,
  replayed,
  retryAfterSeconds
})

/** The result of a failure. */
export const failureResult = (failure: Failure, hash: string): CommandResult => ({
  ...commandResult(failureEnvelope(failure, hash), false, failure.retryAfterSeconds),
  failure
})

/** The result of a defect: only the request id. */
export const defectResult = (requestId: string, hash: string): CommandResult =>
  failureResult(
    new Internal({
      message: `Unexpected error in request ${requestId}. Report it with this id.`
    }),
    hash
  )

/** What turns a result of `perform` into the output of the call. `isSeen`: by hooks, which see values. */
export const presenterOf = (
  command: AnyCommand,
  { options, representation, writesJson }: Call,
  isSeen: boolean
): ((result: unknown) => unknown) => {
  const isCopied = writesJson === true && !isSeen && options?.responseProfile !== "compact"
  const show = (result: unknown) => (isCopied && hasStored(result) ? result : command.show(result))
  return (result) => (representation === undefined ? show(result) : representation.present(result, show))
}

/** The result in the requested profile; a replayed one warns that secrets were shown only once. */
export const present = (command: AnyCommand, call: Call, input: unknown, result: CommandResult): CommandResult => {
  const { envelope, replayed } = result
  if (!envelope.ok || envelope.meta.approval_required) return result
  if (replayed && command.shownOnce.length > 0) {
    const hint = `${command.shownOnce.join(", ")}: only returned by the first request with this idempotency key`
    return { ...result, envelope: withWarnings(envelope, [hint]) }
  }
  if (call.options?.responseProfile !== "compact") return result
  const { output, warnings } = (call.representation ?? command).compact(envelope.data)
  const fitted = Object.hasOwn(Object(input), "limit") ? fitList(output) : { output, warnings: [] }
  const hinted = withWarnings(envelope, [...warnings, ...fitted.warnings])
  return commandResult({ ...hinted, data: fitted.output }, replayed)
}
