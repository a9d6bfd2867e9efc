/**
 * What running a command answers, on every surface: the spec's command envelope.
 *
 * `ok` tells the half: `data` on success, `error` on failure; the other is absent. `status` is the HTTP status. `meta`
 * always has its four fields. Source: spec "Command envelope", contract section 1.3, gap decision G24.
 */

import type { Failure, FailureCode } from "./Failure.ts"
import { canonicalJson, sha256Hex } from "./Hash.ts"

/** Facts about a run. `command_hash` is empty only when the body was no JSON object. */
export interface EnvelopeMeta {
  readonly approval_required: boolean
  readonly approval_request_id: string
  readonly command_hash: string
  readonly warnings: ReadonlyArray<string>
}

/** The envelope of a run that succeeded. */
export interface SuccessEnvelope<A> {
  readonly ok: true
  readonly status: number
  readonly data: A
  readonly meta: EnvelopeMeta
}

/** The envelope of a run that was refused. */
export interface FailureEnvelope {
  readonly ok: false
  readonly status: number
  readonly error: { readonly code: FailureCode; readonly message: string }
  readonly meta: EnvelopeMeta
}

/** What every surface makes its answer of. */
export type Envelope<A> = SuccessEnvelope<A> | FailureEnvelope

/** Hash of what was asked: organization, command and input, without execution options. Lower-case hexadecimal. */
export const commandHash = (organization: string, commandId: string, input: unknown): string =>
  sha256Hex(canonicalJson({ organization, command_id: commandId, input }))

/** The meta of a run that needed no approval. */
export const plainMeta = (hash: string, warnings: ReadonlyArray<string>): EnvelopeMeta => ({
  approval_required: false,
  approval_request_id: "",
  command_hash: hash,
  warnings
})

/** The envelope with more warnings. */
export const withWarnings = <A>(envelope: SuccessEnvelope<A>, warnings: ReadonlyArray<string>): SuccessEnvelope<A> => ({
  ...envelope,
  meta: { ...envelope.meta, warnings: [...envelope.meta.warnings, ...warnings] }
})

/** The envelope of a failure. */
export const failureEnvelope = (failure: Failure, hash: string): FailureEnvelope => ({
  ok: false,
  status: failure.entry.status,
  error: { code: failure.code, message: failure.message },
  meta: plainMeta(hash, failure.warnings ?? [])
})

/** The hash of an input as it came, before it is known to be any good; empty when it is no JSON object. */
export const inputHash = (organization: string, commandId: string, input: unknown): string => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return ""
  try {
    return commandHash(organization, commandId, input)
  } catch {
    // An input nested too deep to walk is refused by the decoder; it has no canonical text.
    return ""
  }
}
