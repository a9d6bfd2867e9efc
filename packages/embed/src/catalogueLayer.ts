/** The catalogue of a service: the product's commands and resources, and those of its host. */

import * as Core from "@svc/core"
import { type Commands, commands } from "@svc/core/commands"
import { failureClasses } from "@svc/core/failures"
import * as Internal from "@svc/core/internal"
import { isOptions } from "@svc/core/names"
import type { LinkedInGateway } from "@svc/core/outreach"
import { makeResources } from "@svc/core/resources"
import { Workspaces } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ownChecks, ownProblem } from "./checkOwn.ts"
import {
  type AnyDefinition,
  type AnyResourceDefinition,
  badDefinition,
  type CommandDefinition,
  defineResource,
  jsonSchemasOf
} from "./define/defineCommand.ts"
import { isGateway } from "./define/defineGateway.ts"
import { functionGateway, isGatewayDefinition } from "./functionGateway.ts"
import * as Hooks from "./Hooks.ts"
import { AllResources, handled } from "./handler.ts"
import { orThrow } from "./hostFailure.ts"

/** Refuses every run in an organization that does not exist, with NOT_FOUND. */
const knownOrganizationsLayer: Layer.Layer<Core.Dispatch, never, Core.Dispatch | Workspaces> = Layer.effect(
  Core.Dispatch,
  Effect.gen(function* () {
    const dispatch = yield* Core.Dispatch
    const { findOrganization } = yield* Workspaces
    // Organizations are never deleted.
    const known = new Set<Core.OrganizationId>()
    const check = Effect.fnUntraced(function* (id: Core.OrganizationId) {
      if ((yield* findOrganization(id)) === undefined) {
        const message = `Organization ${Core.quote(id)} not found. Create it with svc.organizations.ensure, or correct the actor's organizationId.`
        return yield* new Core.NotFound({ kind: "organization", id, message })
      }
      // One of an open transaction may yet be undone.
      if (!(yield* Core.JoinsTransaction)) known.add(id)
    })
    const checkedRun = Effect.fnUntraced(function* (call: Core.Call) {
      const { actor, command, input } = call
      const checked = yield* Effect.result(check(actor.organizationId))
      if (checked._tag === "Success") return yield* dispatch.run(call)
      return Internal.failureResult(checked.failure, Internal.inputHash(actor.organizationId, command, input))
    })
    return Core.Dispatch.of({
      ...dispatch,
      run: (call) =>
        Effect.suspend(() => (known.has(call.actor.organizationId) ? dispatch.run(call) : checkedRun(call)))
    })
  })
)

/** A command of a host. It may use every service that the product's commands use. */
export type HostCommand = Core.Command.Command<
  string,
  Core.Command.AnySchema,
  Core.Command.AnySchema,
  Core.Command.Provided | Core.Command.RequirementsOf<Commands>
>

/** A resource of a host. */
export type HostResource = Omit<Core.AnyResource, "command"> & { readonly command: HostCommand }

const anyObject = { type: "object" } as const

const publishedOf = (id: string, json: Parameters<typeof Internal.published>[0]) => {
  try {
    return Internal.published(json)
  } catch {
    throw badDefinition(`${id}: a JSON Schema that refers to itself can't be published. Pass one that does not.`)
  }
}

/** Checks what a handler returned against its schema. */
const checked = async (id: string, schema: Core.StandardSchema | undefined, output: unknown): Promise<unknown> => {
  if (schema === undefined) return output
  const { issues } = await schema["~standard"].validate(output)
  if (issues === undefined) return output
  const where = issues[0]?.path?.map((step) => String(typeof step === "object" ? step.key : step)).join(".")
  throw new TypeError(`${id} returned what its output schema refuses: ${where ?? ""} ${issues[0]?.message}`)
}

/** A command of a host, or its definition. */
export type OwnCommand = HostCommand | AnyDefinition

/** A resource of a host, or its definition. */
export type OwnResource = HostResource | AnyResourceDefinition

/** The type of command that the service has for a definition. */
export type CommandOf<C> = C extends HostCommand
  ? C
  : C extends CommandDefinition<infer Id, infer In, infer _, infer Out>
    ? Core.Command.Command<Id, Schema.Codec<In, In>, Schema.Codec<Out, Out>, never>
    : never

const isDefinition = (command: OwnCommand): command is AnyDefinition => !("perform" in command)

/** What of a definition only the service knows to be wrong; undefined if nothing. */
const problemOf = ({ failures = [], scope }: AnyDefinition): string | undefined => {
  if (!Core.scopes.includes(scope))
    return `scope must be a scope of keys.${Core.didYouMean(String(scope), Core.scopes) || " One is leads:read."}`
  const unknown = failures.find((code) => !Object.hasOwn(failureClasses, code))
  return unknown && `failures: ${unknown} is no code. svc://errors has all of them.`
}

const commandOf = (given: OwnCommand): HostCommand => {
  if (!isDefinition(given)) return given
  const json = jsonSchemasOf(given)
  const problem = problemOf(given)
  if (problem !== undefined) throw badDefinition(`${given.id}: ${problem}`)
  const { id, outward = false, summary } = given
  const { failures = [], input, inputJsonSchema: _, output, outputJsonSchema: __, run, ...rest } = given
  const takes: Core.AnySchema =
    input === undefined ? Schema.Struct({}) : Internal.standardInput(input, publishedOf(id, json.input ?? anyObject))
  const work = (value: unknown) => handled(id, async (context) => checked(id, output, await run(value, context)))
  return Core.Command.complete({
    title: summary,
    description: summary,
    whenToUse: `To ${summary.charAt(0).toLowerCase()}${summary.slice(1)}.`,
    category: "custom",
    ...rest,
    // Without an example there is none to show.
    examples: (given.examples ?? []) as unknown as Core.AnyCommand["examples"],
    input: takes,
    output: Internal.publishAs<Core.AnySchema>(Schema.Unknown.annotate({}), publishedOf(id, json.output ?? anyObject)),
    failures: failures.map((code) => failureClasses[code]),
    run: outward
      ? (value) =>
          Effect.flatMap(work(value), (result) =>
            Effect.flatMap(Core.Execution, ({ finish }) => finish(Effect.succeed(result)))
          )
      : work
  })
}

const resourceOf = (given: OwnResource): HostResource => {
  if ("command" in given) return given
  const { read, ...definition } = defineResource(given)
  const { name, summary, uri } = definition
  const names = [...String(uri).matchAll(/\{([^}]*)\}/g)].map(([, found = ""]) => found)
  return Core.Resource.make({
    title: summary,
    description: summary,
    category: "custom",
    relatedCommands: [],
    ...definition,
    example: Object.fromEntries(names.map((found) => [found, found])),
    // What a handler fails with is known when it runs.
    failures: [Core.NotFound] as ReadonlyArray<Core.FailureClass>,
    payload: Internal.publishAs<Core.AnySchema>(Schema.Unknown.annotate({}), anyObject),
    read: (params: Readonly<Record<string, string>>) => handled(`resource.${name}`, (context) => read(params, context))
  })
}

/** What a host adds, for the catalogue. Throws SvcError INVALID_INPUT for what cannot be used. */
export const ownParts = (commands: ReadonlyArray<OwnCommand> = [], resources: ReadonlyArray<OwnResource> = []) => {
  const entries = resources.map((resource) => ("entry" in resource ? resource.entry : resource))
  orThrow(ownProblem({ commands, resources: entries }))
  return { commands: commands.map(commandOf), resources: resources.map(resourceOf) }
}

type Needs =
  | Core.Command.RequirementsOf<Commands | ReturnType<typeof makeResources>[number]["command"]>
  | Core.Ids
  | Core.Journal
  | Core.Transaction
  | Workspaces

/** Dispatch and resources over every command. */
export const catalogueLayer = (
  extra: ReadonlyArray<HostCommand>,
  own: ReadonlyArray<HostResource>,
  hooks: Hooks.Hooks | undefined,
  isHost: boolean
): Layer.Layer<Core.Dispatch | Core.ResourceReader, never, Needs> => {
  const listed: ReadonlyArray<Commands | HostCommand> = [...commands, ...extra]
  const resources = [...makeResources(listed), ...own]
  const catalog = Core.makeCatalog([...listed, ...resources.map(({ command }) => command)])
  const known = Layer.merge(
    Layer.succeed(AllResources, resources),
    hooks === undefined ? Layer.empty : Hooks.layer(hooks)
  )
  const plain = Layer.provide(Internal.dispatchLayer(catalog), known)
  const dispatch = isHost ? Layer.provide(knownOrganizationsLayer, plain) : plain
  return Internal.resourceReaderLayer(resources).pipe(Layer.provideMerge(dispatch))
}

/** The parts of a composition. */
export interface HostParts {
  readonly commands?: ReadonlyArray<HostCommand>
  readonly resources?: ReadonlyArray<HostResource>
  readonly hooks?: Hooks.Hooks
  readonly gateway?: Layer.Layer<LinkedInGateway>
  readonly gatewayName?: string
}

const plain = (name: "commands" | "resources", made: "perform" | "entry", list: ReadonlyArray<object> = []): void => {
  const index = list.findIndex((one) => made in one)
  if (index === -1) return
  const use = name === "commands" ? "defineCommand" : "defineResource"
  throw badDefinition(`${name}[${index}]: made with Effect, which only createSvc takes. Use ${use} here.`)
}

const isModule = isOptions<Record<"commands" | "resources" | "hooks" | "gateway", unknown>>({
  ...ownChecks,
  gateway: (gateway, path) =>
    isGatewayDefinition(gateway)
      ? isGateway(gateway, path)
      : `${path}: not one of defineGateway. Choose one by name with SVC_LINKEDIN_GATEWAY.`
})

/** The parts of what a module exports. Throws SvcError INVALID_INPUT for what cannot be used. */
export const hostParts = (exported: Readonly<Record<string, unknown>>): HostParts => {
  const { commands, gateway, hooks, resources } = exported
  orThrow(isModule(exported, "exports", true))
  plain("commands", "perform", commands as ReadonlyArray<object> | undefined)
  plain("resources", "entry", resources as ReadonlyArray<object> | undefined)
  return {
    ...ownParts(
      commands as ReadonlyArray<AnyDefinition> | undefined,
      resources as ReadonlyArray<AnyResourceDefinition> | undefined
    ),
    ...(hooks === undefined ? {} : { hooks: hooks as Hooks.Hooks }),
    ...(isGatewayDefinition(gateway) ? { gateway: functionGateway(gateway), gatewayName: gateway.name } : {})
  }
}
