/**
 * The envelope: what running a command returns, on every surface.
 *
 * If `ok`, it has `data`, otherwise `error`. `status` is the HTTP status. `meta` always has its four fields.
 */
import type { Failure } from "../failure/Failure.ts"
import type { FailureCode, HostCode } from "../failure/failureTable.ts"
import { canonicalJson, sha256Hex } from "../schema/Hash.ts"
import type { CommandId } from "../schema/IdsAndTime.ts"

/** Facts about a run. `command_hash` is empty if the input is not a JSON object. */
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

/** The envelope of a run that failed. */
export interface FailureEnvelope<Code extends FailureCode | HostCode = FailureCode> {
  readonly ok: false
  readonly status: number
  readonly error: { readonly code: Code; readonly message: string }
  readonly meta: EnvelopeMeta
}

/** What every surface builds its response from. */
export type Envelope<A, Code extends FailureCode = FailureCode> = SuccessEnvelope<A> | FailureEnvelope<Code>

/** SHA-256 of organization, command and input, without execution options; lower-case hexadecimal. */
export const commandHash = (organization: string, commandId: CommandId, input: unknown): string =>
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

/** Whether a value is a JSON object. */
export const isJsonObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The hash of an input before it is validated; empty if it is not a JSON object. */
export const inputHash = (organization: string, commandId: CommandId, input: unknown): string => {
  if (!isJsonObject(input)) return ""
  try {
    return commandHash(organization, commandId, input)
  } catch {
    // The decoder refuses input that is nested too deeply to hash.
    return ""
  }
}

// Entity tags: the fingerprint of an object as it was read, so that a write can require that it has not changed.
//
// Source: RFC 9110, sections 8.8.3 and 13.1.

/** The strong tag of an object in its full profile, with quotes. */
export const etagOf = (value: unknown): string => `"${sha256Hex(canonicalJson(value)).slice(0, 32)}"`

/** Whether an If-Match header matches the object: `*` matches any; a weak tag matches none. */
export const namesEtag = (header: string, value: unknown): boolean => {
  const tags = header.split(",").map((tag) => tag.trim())
  return tags.includes("*") || tags.includes(etagOf(value))
}

/** An object that must be unchanged since the caller read it, checked in the transaction of the change. */
export interface Precondition {
  /** The command that reads the object, and its input, decoded. */
  readonly command: string
  readonly input: unknown
  /** Whether it is unchanged, from the result of the command's `perform` or its ETag. */
  readonly holds: (result: unknown, etag: string) => boolean
}

/** The precondition of a run that waits for approval: `etag` is that of the object when the run was requested. */
export interface StoredPrecondition extends Omit<Precondition, "holds"> {
  readonly etag: string
}
