/** The catalogue of a service: the product's commands and resources, and those of its host. */
import {
  type Command,
  type Dispatch,
  dispatchLayer,
  type Ids,
  type Journal,
  makeCatalog,
  type ResourceReader,
  resourceReaderLayer,
  type Transaction
} from "@svc/core"
import { type Commands, commands } from "@svc/core/commands"
import { makeResources } from "@svc/core/resources"
import type { Workspaces } from "@svc/core/workspace"
import * as Layer from "effect/Layer"
import * as Hooks from "./Hooks.ts"
import { AllResources } from "./handler.ts"
import type { HostCommand, HostResource } from "./hostCommands.ts"
import * as KnownOrganizations from "./knownOrganizations.ts"

type Needs =
  | Command.RequirementsOf<Commands | ReturnType<typeof makeResources>[number]["command"]>
  | Ids
  | Journal
  | Transaction
  | Workspaces

/** Dispatch and resources over every command. */
export const catalogueLayer = (
  extra: ReadonlyArray<HostCommand>,
  own: ReadonlyArray<HostResource>,
  hooks: Hooks.Hooks | undefined,
  isHost: boolean
): Layer.Layer<Dispatch | ResourceReader, never, Needs> => {
  const listed: ReadonlyArray<Commands | HostCommand> = [...commands, ...extra]
  const resources = [...makeResources(listed), ...own]
  const catalog = makeCatalog([...listed, ...resources.map(({ command }) => command)])
  const known = Layer.merge(
    Layer.succeed(AllResources, resources),
    hooks === undefined ? Layer.empty : Hooks.layer(hooks)
  )
  const plain = Layer.provide(dispatchLayer(catalog), known)
  const dispatch = isHost ? Layer.provide(KnownOrganizations.layer, plain) : plain
  return resourceReaderLayer(resources).pipe(Layer.provideMerge(dispatch))
}
