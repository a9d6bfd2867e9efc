/** What the service offers a program, embedded or remote. */
import type * as Core from "@svc/core"
import type { Commands } from "@svc/core/commands"
import type { CommandTree } from "./CommandTree.ts"
import type { SvcError } from "./SvcError.ts"

/** Options of one call. */
export interface CallOptions {
  readonly responseProfile?: Core.ResponseProfile
  /** Previews the output without saving. */
  readonly dryRun?: boolean
  /** 1 to 255 printable ASCII characters. Retries with the same key take effect once. */
  readonly idempotencyKey?: string
  /** Cancels the call, which then rejects with the signal's reason. What was already saved stays saved. */
  readonly signal?: AbortSignal
}

type Find<C extends Core.AnyCommand, Id> = Extract<C, { readonly id: Id }>

/** What a command can fail with: the failures that it declares, and those of every command. */
export type FailureOf<C extends Core.AnyCommand, Id> = Core.Command.FailureOf<Find<C, Id>>

/** Running commands by id. `O` are the options of a call. */
export interface CommandsApi<C extends Core.AnyCommand, O = CallOptions> {
  /** Runs a command and resolves to its envelope, also on failure. */
  readonly run: <Id extends C["id"]>(
    id: Id,
    input: Core.InputEncodedOf<Find<C, Id>>,
    options?: O
  ) => Promise<Core.Envelope<Core.OutputOf<Find<C, Id>>, FailureOf<C, Id>["code"]>>
  /** Whether a caught error is a failure of this command. Narrows its `code` to those of the command. */
  readonly failed: <Id extends C["id"]>(id: Id, error: unknown) => error is SvcError<FailureOf<C, Id>["code"]>
  readonly list: () => Promise<ReadonlyArray<Core.CommandDescriptor>>
  /** Rejects with {@link SvcError} for an unknown id. */
  readonly schema: (id: string) => Promise<Core.CommandDescriptorWithSchemas>
}

/** Reading resources. */
export interface ResourcesApi<O = CallOptions> {
  readonly list: () => Promise<ReadonlyArray<Core.ResourceEntry>>
  /** Rejects with {@link SvcError} if the resource does not exist. */
  readonly read: (uri: string, options?: Omit<O, "dryRun" | "idempotencyKey">) => Promise<Core.ReadResource["resource"]>
}

/**
 * The service, embedded or remote. Each command is also a method, as `svc.leads.upsert`; `Extra` are the host's own
 * commands.
 */
export type Client<Extra extends Core.AnyCommand = never, O = CallOptions> = CommandTree<Extra, O> & {
  readonly commands: CommandsApi<Commands | Extra, O>
  readonly resources: ResourcesApi<O>
}
