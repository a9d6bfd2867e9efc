/** What is known of a call while it is checked and run. */
import type { Call } from "../Call.ts"
import { inputHash } from "../Envelope.ts"
import { defaultOptions } from "../ExecutionOptions.ts"
import type { HookCall } from "../RunHooks.ts"

/** The call as hooks see it, and its hash once its input is decoded. */
export interface Known {
  call: HookCall
  hash: string | undefined
}

/** What is known before anything was checked. `within` is the run that makes the call. */
export const knownOf = (
  { actor, command, input, options = defaultOptions, requestId, route }: Call,
  within: HookCall["within"]
): Known => ({
  hash: undefined,
  call: {
    command,
    input,
    actor,
    dryRun: options.dryRun,
    ...(within === undefined ? {} : { within }),
    ...(within === undefined && route !== undefined ? { route } : {}),
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
    ...(requestId === undefined ? {} : { requestId })
  }
})

/** The hash of the decoded input, or of the given one. */
export const hashOf = ({ call: { actor, command, input }, hash }: Known): string =>
  hash ?? inputHash(actor.organizationId, command, input)
