import { type CallOptions, type Client, SvcError } from "@svc/client"
import type { ActorIdentity, Category, Command, FailureCode, JsonSchema, Scope, StandardSchema } from "@svc/core"
import {
  type Check,
  isAny,
  isFunction,
  isListOf,
  isOptions,
  isSwitch,
  isText,
  isWhole,
  must,
  required
} from "@svc/core/names"

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

/** The error for a definition that cannot be used. */
export const badDefinition = (message: string): SvcError =>
  new SvcError({
    ok: false,
    status: 400,
    error: { code: "INVALID_INPUT", message },
    meta: { approval_required: false, approval_request_id: "", command_hash: "", warnings: [] }
  })

/** A schema of a definition, and where it stands. */
interface Described {
  readonly id: string
  readonly side: "input" | "output"
  readonly schema: StandardSchema | undefined
  readonly given: JsonSchema | undefined
}

const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema

/**
 * The JSON Schema of an input or output: the given one, or that of the library, if it has the extension StandardJSONSchema;
 * undefined without a schema. Throws {@link SvcError} INVALID_INPUT.
 */
const schemaOf = ({ given, id, schema, side }: Described): JsonSchema | undefined => {
  const option = side === "input" ? "inputJsonSchema" : "outputJsonSchema"
  if (schema === undefined) return given
  if (!isStandard(schema)) {
    throw badDefinition(`${id}: its ${side} must be a Standard Schema, of zod, valibot, arktype or another library.`)
  }
  const { jsonSchema, vendor } = schema["~standard"]
  if (given === undefined && jsonSchema === undefined) {
    throw badDefinition(
      `${id}: ${vendor} gives no JSON Schema for its ${side} (StandardJSONSchema). Pass one as ${option}.`
    )
  }
  try {
    const found = given ?? jsonSchema?.[side]({ target: "draft-2020-12" })
    if (found?.["type"] === "object") return found
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error)
    throw badDefinition(`${id}: ${vendor} has no JSON Schema for its ${side}: ${reason}. Pass one as ${option}.`)
  }
  throw badDefinition(`${id}: the JSON Schema of its ${side} must have type "object", as every ${side} is an object.`)
}

/** The definition, as its check says. Throws {@link SvcError} INVALID_INPUT, with what the definition calls itself. */
const checkedBy = <D extends object>(what: string, name: unknown, definition: D, check: Check): D => {
  const problem = check(definition, what, true)
  if (problem === undefined) return definition
  throw badDefinition(typeof name === "string" ? `${name}: ${problem}` : problem)
}

type Parts = Command.Command<string, Command.AnySchema, Command.AnySchema, never>

/** A command of a host whose handler is a function. `In` is what callers send, `Parsed` what the schema makes of it. */
export interface CommandDefinition<Id extends string, In, Parsed, Out>
  extends Partial<
    Pick<
      Parts,
      "annotations" | "effects" | "riskNotes" | "outputNotes" | "relatedCommands" | "relatedResources" | "shownOnce"
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

const isTexts = isListOf(isText)

const isLine = must("one line of text", (value) => typeof value === "string" && value !== "")

const isRisk = must("one of read, mutate, approval", (value) => ["read", "mutate", "approval"].includes(String(value)))

type Unknown = CommandDefinition<string, unknown, unknown, unknown>

/** Whether a definition of a command has what its interface says. */
const isCommand = isOptions<Unknown>({
  id: required(isText),
  summary: required(isLine),
  title: isText,
  description: isText,
  whenToUse: isText,
  category: isText,
  risk: required(isRisk),
  scope: required(isText),
  input: isAny,
  inputJsonSchema: isAny,
  output: isAny,
  outputJsonSchema: isAny,
  failures: isTexts,
  examples: isListOf(isOptions<Command.Example>({ title: required(isText), input: required(isAny) })),
  outward: isSwitch,
  run: required(isFunction),
  annotations: isOptions<Unknown["annotations"] & object>({
    unlisted: isTexts,
    bodyLimit: isWhole(0),
    secret: isSwitch
  }),
  effects: isOptions<Unknown["effects"] & object>({ does: required(isTexts), channels: required(isTexts) }),
  riskNotes: isTexts,
  outputNotes: isTexts,
  relatedCommands: isTexts,
  relatedResources: isTexts,
  shownOnce: isTexts
})

/** Any definition. */
// biome-ignore lint/suspicious/noExplicitAny: a list of commands with different inputs has no other common type
export type AnyDefinition = CommandDefinition<string, any, any, any>

/**
 * Declares a command of a host without Effect, for `createSvc({ commands })` or `svc.config.js`. It obeys what every command
 * does: rights, policies, idempotency, audit, dry runs; unknown fields are refused.
 *
 * Throws {@link SvcError} INVALID_INPUT for an unknown or wrong part, and if the schema's library has no JSON Schema for it and none
 * is given.
 */
export const defineCommand = <const Id extends string, In = Record<never, never>, Parsed = In, Out = unknown>(
  definition: CommandDefinition<Id, In, Parsed, Out>
): CommandDefinition<Id, In, Parsed, Out> => {
  jsonSchemasOf(definition)
  return definition
}

/** The JSON Schemas of a checked definition, undefined where it describes nothing. Throws {@link SvcError} INVALID_INPUT. */
export const jsonSchemasOf = (
  definition: AnyDefinition
): { readonly input: JsonSchema | undefined; readonly output: JsonSchema | undefined } => {
  checkedBy("defineCommand", Object(definition).id, definition, isCommand)
  const { id, input, inputJsonSchema, output, outputJsonSchema } = definition
  if (input === undefined && inputJsonSchema !== undefined)
    throw badDefinition(`${id}: inputJsonSchema describes an input. Pass the schema that checks it as input.`)
  return {
    input: schemaOf({ id, side: "input", schema: input, given: inputJsonSchema }),
    output: schemaOf({ id, side: "output", schema: output, given: outputJsonSchema })
  }
}

/** The names in a URI template: `id` in `svc://crm/contacts/{id}`. */
type NamesIn<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** A resource of a host: a read-only document with a URI. */
export interface ResourceDefinition<Uri extends string> {
  /** `svc://…`; each `{name}` stands for one segment, which `read` gets as a string. */
  readonly uri: Uri
  /** Unique: lower-case words joined by `-`. */
  readonly name: string
  /** One line. */
  readonly summary: string
  /** Default the summary. */
  readonly title?: string
  /** Default the summary. */
  readonly description?: string
  /** Default `custom`. */
  readonly category?: Category
  /** The scope that keys need to read it. */
  readonly scope: Scope
  readonly relatedCommands?: ReadonlyArray<string>
  /** Returns a JSON object; `throw fail("NOT_FOUND", …)` for an object that does not exist. */
  readonly read: (params: Readonly<Record<NamesIn<Uri>, string>>, context: CommandContext) => object | Promise<object>
}

/** Any definition of a resource. */
// biome-ignore lint/suspicious/noExplicitAny: a list of resources with different names has no other common type
export type AnyResourceDefinition = ResourceDefinition<any>

const isResource = isOptions<AnyResourceDefinition>({
  uri: required(isText),
  name: required(isText),
  summary: required(isLine),
  title: isText,
  description: isText,
  category: isText,
  scope: required(isText),
  relatedCommands: isTexts,
  read: required(isFunction)
})

/**
 * Declares a resource of a host, for `createSvc({ resources })` or `svc.config.js`. Throws {@link SvcError} INVALID_INPUT for an
 * unknown or wrong part.
 */
export const defineResource = <const Uri extends string>(
  definition: ResourceDefinition<Uri>
): ResourceDefinition<Uri> => checkedBy("defineResource", Object(definition).uri, definition, isResource)
