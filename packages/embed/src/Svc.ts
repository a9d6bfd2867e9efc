/**
 * The service inside a host program: one call, plain promises, no Effect type needed.
 *
 * Source: contract 5.
 */
import type { ActorIdentity } from "@svc/core/Actor"
import {
  type CommandDescriptor,
  type CommandDescriptorWithSchemas,
  describe,
  describeWithSchemas,
  publicCommands
} from "@svc/core/Catalog"
import type { AnyCommand, InputEncodedOf, OutputOf } from "@svc/core/Command"
import type { Commands } from "@svc/core/commands"
import type { Dispatch } from "@svc/core/Dispatch"
import { type Envelope, failureEnvelope, inputHash } from "@svc/core/Envelope"
import { parseOptions, type ResponseProfile } from "@svc/core/ExecutionOptions"
import { type Failure, fail } from "@svc/core/Failure"
import type { ResourceEntry } from "@svc/core/Resource"
import type { ReadResource, ResourceReader } from "@svc/core/ResourceReader"
import { createOrganization } from "@svc/core/workspace/Provisioning"
import type { FetchHandler, Hosts, NodeHandler } from "@svc/http/Hosts"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import { type CommandTree, commandTree } from "./CommandTree.ts"
import type { Services } from "./Composition.ts"
import { type HostActor, identityOf } from "./HostActor.ts"
import { SvcError } from "./SvcError.ts"

/** Options of one call. */
export interface CallOptions {
  readonly responseProfile?: ResponseProfile
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
  /** Who acts; the workspace's own actor when left out. */
  readonly actor?: HostActor
}

type Find<C extends AnyCommand, Id> = Extract<C, { readonly id: Id }>

/** Running commands by id. */
export interface CommandsApi<C extends AnyCommand> {
  /** Runs a command and resolves to its envelope, of success or refusal. */
  readonly run: <Id extends C["id"]>(
    id: Id,
    input: InputEncodedOf<Find<C, Id>>,
    options?: CallOptions
  ) => Promise<Envelope<OutputOf<Find<C, Id>>>>
  readonly list: () => ReadonlyArray<CommandDescriptor>
  /** Throws a {@link Failure} for an unknown id. */
  readonly schema: (id: string) => CommandDescriptorWithSchemas
}

/** Reading resources. */
export interface ResourcesApi {
  readonly list: () => ReadonlyArray<ResourceEntry>
  /** Rejects with {@link SvcError} when there is no such resource. */
  readonly read: (
    uri: string,
    options?: Pick<CallOptions, "actor" | "responseProfile">
  ) => Promise<ReadResource["resource"]>
}

/** The same commands as Effects, for hosts that use Effect. */
export interface EffectApi<C extends AnyCommand> {
  /** Runs a command and succeeds with its output. Carries its own services, so nothing is left to provide. */
  readonly run: <Id extends C["id"]>(
    id: Id,
    input: InputEncodedOf<Find<C, Id>>,
    options?: CallOptions
  ) => Effect.Effect<OutputOf<Find<C, Id>>, Failure>
  /** The running services. */
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Failure>
}

/** A running service. `C` are its commands; each is also a method, as `svc.leads.upsert`. */
export type Svc<C extends AnyCommand = Commands> = Omit<
  CommandTree<C, CallOptions>,
  "commands" | "resources" | "effect" | "fetch" | "node" | "as" | "close" | "organization"
> & {
  readonly commands: CommandsApi<C>
  readonly resources: ResourcesApi
  readonly effect: EffectApi<C>
  /** The HTTP surface as a fetch handler. */
  readonly fetch: FetchHandler
  /** The HTTP surface as a Node handler, for `node:http`, Express and Fastify, also behind a body parser. */
  readonly node: NodeHandler
  /** The same service with another actor. Closing it closes the one service. */
  readonly as: (actor: HostActor) => Svc<C>
  /** The organization that calls without an `actor` act in. */
  readonly organization: { readonly id: string }
  /** Makes another organization, and a key for HTTP that is shown only here. */
  readonly createOrganization: (name: string) => Promise<{ readonly organizationId: string; readonly apiKey: string }>
  /** Ends the service: what runs is finished first. */
  readonly close: () => Promise<void>
}

/** What a facade is made of. */
export interface Parts {
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, Failure>
  readonly dispatch: Dispatch["Service"]
  readonly reader: ResourceReader["Service"]
  readonly hosts: Hosts["Service"]
  readonly organizationId: string
  readonly actor: HostActor
}

type Run = (id: string, input: unknown, options?: CallOptions) => Promise<Envelope<unknown>>

const runner =
  ({ dispatch, runtime }: Parts, identity: (actor: HostActor | undefined) => ActorIdentity): Run =>
  async (id, input, options = {}) => {
    const actor = identity(options.actor)
    const parsed = parseOptions({
      response_profile: options.responseProfile,
      dry_run: options.dryRun,
      idempotency_key: options.idempotencyKey
    })
    if (Result.isFailure(parsed)) {
      return failureEnvelope(parsed.failure, inputHash(actor.organizationId, id, input))
    }
    // An internal command backs a REST endpoint or a resource, and is no command to a caller.
    const command = dispatch.catalog.find(id)?.visibility === "internal" ? "" : id
    const answer = await runtime.runPromise(dispatch.run({ command, input, actor, options: parsed.success }))
    return answer.envelope
  }

const commandsOf = ({ dispatch }: Parts, run: Run) => {
  const listed = publicCommands(dispatch.catalog)
  return {
    run,
    list: () => listed.map(describe),
    schema: (id: string) => {
      const command = listed.find((candidate) => candidate.id === id)
      if (command === undefined) throw dispatch.unknownCommand(id)
      return describeWithSchemas(command)
    }
  }
}

const resourcesOf = (
  { reader, runtime }: Parts,
  identity: (actor: HostActor | undefined) => ActorIdentity
): ResourcesApi => ({
  list: () => reader.entries,
  read: async (uri, { actor, responseProfile = "full" } = {}) => {
    const { envelope } = await runtime.runPromise(reader.read({ uri, actor: identity(actor), responseProfile }))
    if (!envelope.ok) throw new SvcError(envelope)
    return envelope.data.resource
  }
})

/** The facade over running services. */
export const makeSvc = <C extends AnyCommand>(parts: Parts): Svc<C> => {
  const { dispatch, hosts, organizationId, runtime } = parts
  const identity = (actor: HostActor | undefined): ActorIdentity =>
    identityOf({ ...parts.actor, ...actor }, organizationId)
  const run = runner(parts, identity)
  const output = async (id: string, input: unknown, options?: CallOptions): Promise<unknown> => {
    const answer = await run(id, input, options)
    if (answer.ok) return answer.data
    throw new SvcError(answer)
  }
  const ids = publicCommands(dispatch.catalog).map(({ id }) => id)
  const svc = {
    ...commandTree(ids, output),
    commands: commandsOf(parts, run),
    resources: resourcesOf(parts, identity),
    effect: {
      runtime,
      run: (id: string, input: unknown, options?: CallOptions) =>
        Effect.flatMap(
          Effect.promise(() => run(id, input, options)),
          (answer): Effect.Effect<unknown, Failure> =>
            answer.ok
              ? Effect.succeed(answer.data)
              : Effect.fail(fail(answer.error.code, answer.error.message, { warnings: answer.meta.warnings }))
        )
    },
    fetch: hosts.fetch,
    node: hosts.node,
    organization: { id: organizationId },
    as: (actor: HostActor) => makeSvc<C>({ ...parts, actor: { ...parts.actor, ...actor } }),
    createOrganization: (name: string) =>
      runtime.runPromise(
        Effect.map(createOrganization(name), ({ organization, text }) => ({
          organizationId: organization.id,
          apiKey: text
        }))
      ),
    close: () => runtime.dispose()
  }
  // The object is built from the catalogue's ids at run time; its precise type is computed from the same ids.
  return svc as unknown as Svc<C>
}
