/** A call of a command, and its result. */

import type { Failure } from "../failure/Failure.ts"
import type { ActorIdentity } from "./Actor.ts"
import type { Envelope } from "./Envelope.ts"
import type { Precondition } from "./Etag.ts"
import type { ExecutionOptions } from "./Execution.ts"
import type { Representation } from "./Representation.ts"

/** A call of a command. `route` is the route of its idempotency key, by default that of the command endpoint. */
export interface Call {
  readonly command: string
  readonly input: unknown
  readonly actor: ActorIdentity
  readonly options?: ExecutionOptions
  readonly route?: string
  readonly requestId?: string
  /** How the surface represents the command, if not by the command's own schemas. */
  readonly representation?: Representation
  /** Whether the caller writes the result with `writeJson`. */
  readonly writesJson?: boolean
  readonly precondition?: Precondition | undefined
}

/** The result of a call. `replayed` is true if it is the stored result of an earlier run with the same key. */
export interface CommandResult<A = unknown> {
  readonly envelope: Envelope<A>
  readonly replayed: boolean
  readonly retryAfterSeconds: number | undefined
  /** The failure with its fields; absent from a replayed result, of which only the envelope was stored. */
  readonly failure?: Failure
}
