/** A command as a tool. */

import { type AnyCommand, describeWithSchemas, InvalidJson, type JsonSchema } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Params } from "./JsonRpc.ts"
import { type ToolHints, toolHintsOf } from "./toolHints.ts"
import { toolNameOf } from "./toolName.ts"
import { toolResult } from "./toolResult.ts"
import { toolInputSchema, toolOutputSchema } from "./toolSchema.ts"
import { type CallResult, failureResult, type RunCall, type Workspace } from "./Workspace.ts"

/** A tool as clients see it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: Params
  readonly outputSchema: Params
  readonly annotations: ToolHints
}

/** A tool. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly call: (args: Params, workspace: Workspace, meta: Params) => Effect.Effect<Params>
}

/** Maximum length of a tool description without its warning, in characters. */
const maxDescription = 110

const descriptionOf = (command: AnyCommand): string => {
  const { riskNotes, summary, whenToUse } = command
  const both = `${summary}. ${whenToUse}`
  const warning = toolHintsOf(command).destructiveHint ? riskNotes.slice(0, 1) : []
  return [both.length <= maxDescription ? both : `${summary}.`, ...warning].join(" ")
}

/** Categories whose outputs hold only text of the organization itself. */
const trustedCategories = new Set<string>(["offers", "agents"])

/** Longer results, in characters, come in the compact profile, unless a profile was requested. */
const maxResult = 60_000

/** Separates the options of a call from its input. The idempotency key is in `_meta`. */
export const splitOptions = (
  args: Params,
  meta: Params
): { readonly input: Params; readonly options: RunCall["options"] } => {
  const { dry_run, response_profile, ...input } = args
  const key = meta["svc/idempotency_key"]
  return {
    input,
    options: {
      response_profile: response_profile === undefined ? undefined : String(response_profile),
      dry_run: dry_run === undefined ? undefined : String(dry_run),
      idempotency_key: key === undefined ? undefined : String(key)
    }
  }
}

/** Runs a command for a tool. A result too long for a conversation is shortened, with a warning. */
export const runShortened = (
  workspace: Workspace,
  call: RunCall,
  risk: AnyCommand["risk"] | undefined
): Effect.Effect<CallResult> =>
  Effect.flatMap(workspace.run(call), (result) => {
    const isLong = result.ok && risk === "read" && JSON.stringify(result.data).length > maxResult
    if (!isLong || call.options.response_profile !== undefined) return Effect.succeed(result)
    const shortened = workspace.run({ ...call, options: { ...call.options, response_profile: "compact" } })
    return Effect.map(shortened, (compact): CallResult => {
      if (!compact.ok || compact.meta === undefined) return compact
      const warning =
        "long_answer: shortened to the compact profile. Ask for a smaller page, or send response_profile: full."
      return { ...compact, meta: { ...compact.meta, warnings: [...compact.meta.warnings, warning] } }
    })
  })

/** Whether a command's output may hold text by strangers. */
export const isUntrusted = ({ category }: Pick<AnyCommand, "category">): boolean => !trustedCategories.has(category)

const withoutUnlisted = (schema: JsonSchema, unlisted: ReadonlyArray<string>): JsonSchema => {
  const properties = Object.entries({ ...Object(schema["properties"]) }).filter(([name]) => !unlisted.includes(name))
  return unlisted.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties) }
}

/** The tool of a command. */
export const toolOf = (command: AnyCommand): Tool => {
  const { input_schema, output_schema } = describeWithSchemas(command)
  return {
    definition: {
      name: toolNameOf(command.id),
      description: descriptionOf(command),
      inputSchema: toolInputSchema(withoutUnlisted(input_schema, command.unlisted)),
      outputSchema: toolOutputSchema(output_schema),
      annotations: toolHintsOf(command)
    },
    call: (args, workspace, meta) =>
      Effect.map(
        runShortened(workspace, { command: command.id, ...splitOptions(args, meta) }, command.risk),
        (result) => toolResult(result, isUntrusted(command))
      )
  }
}

/** The result for arguments that are not an object. */
export const noArguments: CallResult = failureResult(
  new InvalidJson({ message: "arguments must be a JSON object, at least {}." })
)

/** The arguments of a call; undefined if they are not an object. */
export const argumentsOf = (value: unknown): Params | undefined =>
  value === undefined ? {} : Predicate.isReadonlyObject(value) ? value : undefined
