/** The catalogue: the commands by id, and their public descriptions. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { UnknownCommand } from "../failure/failures.ts"
import type { CommandId } from "../schema/IdsAndTime.ts"
import { jsonSchemaOf } from "../schema/JsonSchema.ts"
import { didYouMean } from "../schema/nearestName.ts"
import { snakeFields } from "../schema/snakeCase.ts"
import type { AnyCommand, Example } from "./Command.ts"

/** Commands by id, in the order of their declaration. A duplicate id is a defect. */
export interface Catalog<C extends AnyCommand> {
  readonly commands: ReadonlyArray<C>
  readonly find: (id: string) => C | undefined
}

/** Makes a catalogue. */
export const make = <C extends AnyCommand>(commands: ReadonlyArray<C>): Catalog<C> => {
  const byId = new Map<string, C>()
  for (const command of commands) {
    if (byId.has(command.id)) throw new Error(`duplicate command id ${command.id}`)
    byId.set(command.id, command)
  }
  return { commands, find: (id) => byId.get(id) }
}

/** The command with an id that this program wrote: an unknown one is a defect. */
export const existing = (catalog: Catalog<AnyCommand>, id: CommandId): Effect.Effect<AnyCommand> =>
  Effect.suspend(() => {
    const command = catalog.find(id)
    return command === undefined ? Effect.die(new Error(`no command ${id}`)) : Effect.succeed(command)
  })

/** The commands that callers can see. */
export const publicCommands = <C extends AnyCommand>(catalog: Catalog<C>): ReadonlyArray<C> =>
  catalog.commands.filter((command) => command.visibility === "public")

/** The id that a caller sent, or an empty one if it names an internal command: callers cannot run those. */
export const publicId = (catalog: Catalog<AnyCommand>, id: string): string =>
  catalog.find(id)?.visibility === "internal" ? "" : id

/** The failure for an unknown command id, which suggests the nearest public one. */
export const unknownCommand = (catalog: Catalog<AnyCommand>, id: string): UnknownCommand => {
  const ids = publicCommands(catalog).map((command) => command.id)
  return new UnknownCommand({
    message: `Command not found.${didYouMean(id, ids)} List the commands with GET /api/v1/commands.`
  })
}

/** The output of a command that waits for approval; kept for compatibility. */
export const ApprovalOutput = Schema.Struct({
  account_id: Schema.String,
  approval_required: Schema.Literal(true)
})

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const examplesOf = (id: string, example: Example) => [
  { title: example.title, language: "json", code: JSON.stringify(example.input, undefined, 2) },
  {
    title: `${example.title}, on the command line`,
    language: "bash",
    code: `svc commands run ${id} --input-json ${quoteForShell(JSON.stringify(example.input))} --json`
  }
]

/** The descriptor without schemas. */
export const describe = (command: AnyCommand) => ({
  command_id: command.id,
  ...snakeFields(command, ["title", "description", "summary", "visibility", "risk", "category"]),
  default_permission: "allow",
  ...snakeFields(command, ["whenToUse", "riskNotes", "outputNotes", "relatedCommands", "relatedResources"]),
  examples: command.examples.flatMap((example) => examplesOf(command.id, example))
})

/** A command as the catalogue endpoint lists it. */
export interface CommandDescriptor extends Readonly<ReturnType<typeof describe>> {}

/** The descriptor with its three schemas. */
export const describeWithSchemas = (command: AnyCommand) => ({
  ...describe(command),
  input_schema: jsonSchemaOf(command.input),
  output_schema: jsonSchemaOf(command.output),
  approval_output_schema: jsonSchemaOf(ApprovalOutput)
})

/** A command as its schema endpoint shows it. */
export interface CommandDescriptorWithSchemas extends Readonly<ReturnType<typeof describeWithSchemas>> {}
