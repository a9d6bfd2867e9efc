/** REST endpoints in process: the command behind each, in the spelling of REST. */

import * as Effect from "effect/Effect"
import { commands } from "#core/commands.ts"
import * as Catalog from "#core/kernel/command/Catalog.ts"
import type { AnyCommand, Example } from "#core/kernel/command/Command.ts"
import type { Call } from "#core/kernel/command/Delegation.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { uploadCommand, uploadForm, uploadPath } from "#http/commandRoutes.ts"
import { type BoundCommand, bind, preconditionOf, type RestBinding, readerOf } from "#http/RestBinding.ts"
import { restBindings } from "#http/restBindings.ts"
import { isNode } from "./schemaArbitrary.ts"

const catalog = Catalog.make<AnyCommand>(commands)

/** The endpoints, each bound to its command. */
export const bound = restBindings.map((binding) => bind(catalog, binding))

const nameOf = (method: string, path: string): string => `${method} ${path.replace("/api/v1", "")}`

/** Names of the sample, for paths that an example of the command does not name. */
const sampleNames = {
  leadId: "ld_SAMPLE00000000000000000001",
  missionHandle: "spring-outreach",
  webhookId: "whk_SAMPLE00000000000000000001"
}

const pathNames = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "")

/** An example of the command as REST spells it, without what REST does not take. */
const exampleOf = ({ binding, command, form }: BoundCommand): Example => {
  const [{ input, title }] = command.examples
  const known = new Set(Object.keys(Object(jsonSchemaOf(form.input)["properties"])))
  const spelled = Object.entries(input).map(([name, value]) => [form.fieldName(name), value] as const)
  const named = Object.entries(sampleNames).filter(([name]) => pathNames(binding.path).includes(name))
  return { title, input: Object.fromEntries([...named, ...spelled].filter(([name]) => known.has(name))) }
}

/** The endpoints as if they were commands, named by method and path: their inputs and outputs are those of REST. */
export const restShapes: ReadonlyArray<AnyCommand> = bound.map((one) => ({
  ...one.command,
  id: nameOf(one.binding.method, one.binding.path),
  input: one.form.input,
  output: one.form.output,
  examples: [exampleOf(one)]
}))

/** The shape of a binding. */
export const shapeOf = ({ method, path }: RestBinding): AnyCommand => {
  const shape = restShapes.find(({ id }) => id === nameOf(method, path))
  if (shape === undefined) throw new Error(`no endpoint ${method} ${path}`)
  return shape
}

/** The binding of an endpoint; undefined for a command. */
export const bindingOf = (id: string): RestBinding | undefined =>
  bound.find(({ binding }) => nameOf(binding.method, binding.path) === id)?.binding

/** A run of a command, or of an endpoint such as `GET /offers/{offerId}`; `ifMatch` of the input is the header. */
export const callOf = (
  command: string,
  input: unknown
): Pick<Call, "command" | "input" | "representation" | "precondition"> => {
  if (!command.includes(" ")) return { command, input }
  const upload = catalog.find(uploadCommand)
  if (upload !== undefined && command === nameOf("POST", uploadPath)) {
    return { command: uploadCommand, input, representation: uploadForm(upload) }
  }
  const found = bound.find(({ binding }) => nameOf(binding.method, binding.path) === command)
  if (found === undefined) throw new Error(`no endpoint ${command}`)
  if (!isNode(input)) return { command: found.command.id, input, representation: found.form }
  const { ifMatch, ...taken }: Readonly<Record<string, unknown>> = input
  const params = Object.fromEntries(pathNames(found.binding.path).map((name) => [name, taken[name]]))
  const reader = readerOf(found.binding.path, bound)
  return {
    command: found.command.id,
    input: taken,
    representation: found.form,
    precondition: Effect.runSync(
      preconditionOf(typeof ifMatch === "string" ? ifMatch : undefined, params, found.binding, reader)
    )
  }
}
