import type { Category, Command, FailureCode, JsonSchema, Scope, StandardSchema } from "@svc/core"
import type { CommandContext } from "./CommandContext.ts"
import { badDefinition, schemaOf } from "./schemaOf.ts"

type Parts = Command.Command<string, Command.AnySchema, Command.AnySchema, never>

/** A command of a host whose handler is a function. `In` is what callers send, `Parsed` what the schema makes of it. */
export interface CommandDefinition<Id extends string, In, Parsed, Out>
  extends Partial<
    Pick<
      Parts,
      "effects" | "riskNotes" | "outputNotes" | "relatedCommands" | "relatedResources" | "shownOnce" | "bodyLimit"
    >
  > {
  /** At least two lower-case words joined by `.`; words may contain `-`. `crm.ping` becomes `svc.crm.ping` and `svc crm ping`. */
  readonly id: Id
  /** One line: an imperative verb and an object, such as "Ping the CRM". */
  readonly summary: string
  /** Default the summary. */
  readonly title?: string
  /** Default the summary. */
  readonly description?: string
  readonly whenToUse?: string
  /** Default `custom`. */
  readonly category?: Category
  /** `read` changes nothing; `mutate` changes this workspace; `approval` is for what a person may want to approve first. */
  readonly risk: Command.Risk
  /** The scope that keys need to run it. */
  readonly scope: Scope
  /** Any Standard Schema of an object. Without one the command takes no input. */
  readonly input?: StandardSchema<In, Parsed>
  /** The JSON Schema (2020-12) of the input, where the library has none. Fields that it does not name are refused. */
  readonly inputJsonSchema?: JsonSchema
  /** Any Standard Schema of an object, which checks what `run` returns. By default any JSON object is returned. */
  readonly output?: StandardSchema<Out, unknown>
  readonly outputJsonSchema?: JsonSchema
  /** The codes that it fails with, beyond those of every command. */
  readonly failures?: ReadonlyArray<FailureCode>
  readonly examples?: ReadonlyArray<Command.Example>
  /**
   * True if it acts outside the service, such as by HTTP. It then runs in no transaction, each call of `svc` is saved on
   * its own, and it is not run again when transactions collide. Default false.
   */
  readonly outward?: boolean
  /** Returns a JSON object. */
  readonly run: (input: Parsed, context: CommandContext) => Out | Promise<Out>
}

/** Any definition. */
// biome-ignore lint/suspicious/noExplicitAny: a list of commands with different inputs has no other common type
export type AnyDefinition = CommandDefinition<string, any, any, any>

/**
 * Declares a command of a host without Effect, for `createSvc({ commands })` or `svc.config.js`. It obeys what every command
 * does: rights, policies, idempotency, audit, dry runs; unknown fields are refused.
 *
 * Throws {@link SvcError} INVALID_INPUT if the schema's library has no JSON Schema for it and none is given.
 */
export const defineCommand = <const Id extends string, In = Record<never, never>, Parsed = In, Out = unknown>(
  definition: CommandDefinition<Id, In, Parsed, Out>
): CommandDefinition<Id, In, Parsed, Out> => {
  jsonSchemasOf(definition)
  return definition
}

/** The JSON Schemas of a definition, undefined where it describes nothing. Throws {@link SvcError} INVALID_INPUT. */
export const jsonSchemasOf = ({
  id,
  input,
  inputJsonSchema,
  output,
  outputJsonSchema
}: AnyDefinition): { readonly input: JsonSchema | undefined; readonly output: JsonSchema | undefined } => {
  if (input === undefined && inputJsonSchema !== undefined)
    throw badDefinition(`${id}: inputJsonSchema describes an input. Pass the schema that checks it as input.`)
  return {
    input: schemaOf({ id, side: "input", schema: input, given: inputJsonSchema }),
    output: schemaOf({ id, side: "output", schema: output, given: outputJsonSchema })
  }
}
