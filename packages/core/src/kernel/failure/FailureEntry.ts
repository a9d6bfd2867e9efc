/** The entry of a failure code, the same on every surface. */

/** The kind of a failure, independent of any surface. */
export type FailureKind =
  | "Invalid"
  | "Unauthenticated"
  | "Denied"
  | "NotFound"
  | "Conflict"
  | "RateLimited"
  | "Unavailable"
  | "Gateway"
  | "Internal"

/** A table entry. `status` is the HTTP status, `exitCode` that of the `svc` process. */
export interface FailureEntry {
  readonly kind: FailureKind
  readonly status: number
  readonly exitCode: number
  readonly retryable: boolean
  readonly summary: string
  readonly hint: string
}

/** The exit code of `svc` for each kind. */
export const exitCodes: Record<FailureKind, number> = {
  Internal: 1,
  Invalid: 2,
  Unauthenticated: 3,
  Denied: 3,
  NotFound: 4,
  Conflict: 5,
  Unavailable: 6,
  RateLimited: 7,
  Gateway: 9
}
