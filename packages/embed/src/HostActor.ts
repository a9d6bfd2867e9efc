/** The actor of a call by a host program. Full rights are only the default actor's. */

import { type CallOptions, commandTree, type ResourcesApi, SvcError } from "@svc/client"
import * as Core from "@svc/core"
import { describe } from "@svc/core/internal"
import { type Check, isOneOf, isOptions, isText, must } from "@svc/core/names"
import { svcErrorOf } from "./hostFailure.ts"

/** An actor. The host is trusted: it authenticates its own users. */
export interface HostActor {
  /** The organization to act in; default the workspace's own. */
  readonly organizationId?: Core.OrganizationId
  /** The host's id of the person or program, for the audit log. */
  readonly userId?: Core.UserId
  readonly kind?: Core.ActorKind
  readonly mode?: Core.ActorMode
  /** Default those of the service that it is derived from. From `auth` and with `fetch`: `defaultScopes`, else none. */
  readonly scopes?: ReadonlyArray<Core.Scope>
}

/** Whether a list of scopes can be used. */
export const isScopes: Check = (given, path) => {
  if (!Array.isArray(given)) return `${path} must be a list of scopes, e.g. ["leads:read"].`
  const unknown = given.find((scope) => !Core.scopes.includes(scope))
  if (unknown === undefined) return undefined
  const hint = Core.didYouMean(String(unknown), Core.scopes) || ` Scopes are ${Core.scopes.join(", ")}.`
  return `${path}: ${JSON.stringify(unknown)} is not a scope.${hint}`
}

/** Whether an actor can be used. */
export const isActor = isOptions<HostActor>({
  organizationId: must("the id of an organization", (value) => typeof value === "string"),
  userId: isText,
  kind: isOneOf(["USER", "AI_AGENT"]),
  mode: isOneOf(["full", "draft_only"]),
  scopes: isScopes
})

/** An actor with the fields of another one, where it names none itself. */
export const derivedActor = (from: HostActor, actor: HostActor | undefined): HostActor => ({
  ...from,
  ...Object.fromEntries(Object.entries(actor ?? {}).filter(([, value]) => value !== undefined))
})

/** The identity of a host's actor; `defaultScopes` are those of one that names none. */
export const identityOf = (
  actor: HostActor,
  organizationId: Core.OrganizationId,
  defaultScopes: ReadonlyArray<Core.Scope>
) => ({
  organizationId: actor.organizationId ?? organizationId,
  userId: actor.userId ?? "usr_host",
  kind: actor.kind ?? "USER",
  mode: actor.mode ?? "full",
  scopes: actor.scopes ?? defaultScopes,
  keyId: null
})

/** What runs commands and reads resources. `O` are the options of a call. */
interface Runner<O> {
  readonly catalog: Core.Catalog<Core.AnyCommand>
  readonly entries: ReadonlyArray<Core.ResourceEntry>
  readonly run: (id: string, input: unknown, options?: O) => Promise<Pick<Core.CommandResult, "envelope">>
  readonly read: (
    uri: string,
    options?: Parameters<ResourcesApi<O>["read"]>[1]
  ) => Promise<Core.CommandResult<Core.ReadResource>>
}

/** The methods of a service, and the runs and reads behind them. */
export const clientOf = <O extends object = CallOptions>({ catalog, entries, read, run }: Runner<O>) => {
  const listed = Core.publicCommands(catalog)
  const output = async (id: string, input: unknown, options?: O): Promise<unknown> => {
    const { envelope } = await run(id, input, options)
    if (envelope.ok) return envelope.data
    throw new SvcError(envelope)
  }
  return {
    output,
    methods: commandTree(
      listed.map(({ id }) => id),
      output
    ),
    commands: {
      run: async (id: string, input: unknown = {}, options?: O) => (await run(id, input, options)).envelope,
      failed: (id: string, error: unknown) => {
        const declared = [...Core.commonFailures, ...(listed.find((command) => command.id === id)?.failures ?? [])]
        return error instanceof SvcError && declared.some(({ code }) => code === error.code)
      },
      list: async (): Promise<ReadonlyArray<Core.CommandDescriptor>> => listed.map(describe),
      schema: async (id: string): Promise<Core.CommandDescriptorWithSchemas> => {
        const command = listed.find((candidate) => candidate.id === id)
        if (command === undefined) throw svcErrorOf(Core.unknownCommand(catalog, id))
        return Core.describeWithSchemas(command)
      }
    },
    resources: {
      list: async () => entries,
      read: async (uri: string, options?: Parameters<ResourcesApi<O>["read"]>[1]) => {
        const { envelope } = await read(uri, options)
        if (!envelope.ok) throw new SvcError(envelope)
        return envelope.data.resource
      }
    }
  }
}
