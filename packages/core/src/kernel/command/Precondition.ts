/** Preconditions of a change. */

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
