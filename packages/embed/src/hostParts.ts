/** What a host adds to a service of the command line, as plain values. */
import type { LinkedInGateway } from "@svc/core/outreach"
import type * as Layer from "effect/Layer"
import { type HostCommand, type HostResource, ownParts } from "./catalogueLayer.ts"
import { ownOptionProblem } from "./checkOwn.ts"
import { type AnyDefinition, badDefinition } from "./define/defineCommand.ts"
import type { AnyResourceDefinition } from "./define/defineResource.ts"
import { functionGateway, isGatewayDefinition } from "./functionGateway.ts"
import type { Hooks } from "./Hooks.ts"

/** The parts of a composition. */
export interface HostParts {
  readonly commands?: ReadonlyArray<HostCommand>
  readonly resources?: ReadonlyArray<HostResource>
  readonly hooks?: Hooks
  readonly gateway?: Layer.Layer<LinkedInGateway>
  readonly gatewayName?: string
}

const plain = (name: "commands" | "resources", made: "perform" | "entry", list: ReadonlyArray<object> = []): void => {
  const index = list.findIndex((one) => made in one)
  if (index === -1) return
  const use = name === "commands" ? "defineCommand" : "defineResource"
  throw badDefinition(`${name}[${index}]: made with Effect, which only createSvc takes. Use ${use} here.`)
}

/** The parts of what a module exports. Throws SvcError INVALID_INPUT for what cannot be used. */
export const hostParts = (exported: Readonly<Record<string, unknown>>): HostParts => {
  const { commands, gateway, hooks, resources } = exported
  if (gateway !== undefined && !isGatewayDefinition(gateway))
    throw badDefinition("gateway: not one of defineGateway. Choose one by name with SVC_LINKEDIN_GATEWAY.")
  const problem = ownOptionProblem({ commands, resources, hooks, gateway })
  if (problem !== undefined) throw badDefinition(problem)
  plain("commands", "perform", commands as ReadonlyArray<object> | undefined)
  plain("resources", "entry", resources as ReadonlyArray<object> | undefined)
  return {
    ...ownParts(
      commands as ReadonlyArray<AnyDefinition> | undefined,
      resources as ReadonlyArray<AnyResourceDefinition> | undefined
    ),
    ...(hooks === undefined ? {} : { hooks: hooks as Hooks }),
    ...(gateway === undefined ? {} : { gateway: functionGateway(gateway), gatewayName: gateway.name })
  }
}
