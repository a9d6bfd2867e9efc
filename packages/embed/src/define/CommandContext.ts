import type { CallOptions, Client, SvcError } from "@svc/client"
import type { ActorIdentity, FailureCode } from "@svc/core"

/** The methods of the service inside a run, as its caller. There is no dry run of its own: the run decides. */
export type CommandServices = Client<never, Omit<CallOptions, "dryRun">>

/** What a handler gets with its input. */
export interface CommandContext {
  /** Who runs the command. */
  readonly caller: ActorIdentity
  /**
   * The service as the caller, with the caller's rights. In a command that writes, its calls join the transaction of the
   * run: if one of them that writes fails, or the handler throws, nothing is saved. Usable until the handler returns.
   */
  readonly svc: CommandServices
  /** Aborted when the run is cancelled: a read when its caller goes away, anything else when the service is closed. */
  readonly signal: AbortSignal
  /** Whether nothing is saved in the end. A command with `outward` must then not act outside the service. */
  readonly dryRun: boolean
  /** Adds a line to `meta.warnings`. */
  readonly warn: (warning: string) => void
  /** A failure to throw: `throw fail("NOT_FOUND", "Contact 7 not found.")`. Anything else that is thrown is INTERNAL. */
  readonly fail: (code: FailureCode, message: string) => SvcError
}
