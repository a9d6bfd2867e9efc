/** Tools, prompts and resources beside the service's own: what the official conformance suite asks servers for. */
import type * as Effect from "effect/Effect"
import type { Message, Params, RpcError } from "./JsonRpc.ts"
import type { Notify } from "./progress.ts"

/** Answers beside the service's own. */
export interface Fixtures {
  /** What is added to a list, by the list's method: the name of the list in its result, and its items. */
  readonly lists: Readonly<Record<string, readonly [string, ReadonlyArray<Params>]>>
  /** The answer to a request; undefined for one that is the service's. */
  readonly answer: (
    method: string,
    params: Params,
    notify: Notify | undefined
  ) => Effect.Effect<Params, RpcError> | undefined
  /** Whether a request is answered with notifications before its reply. */
  readonly streams: (message: Message) => boolean
}
