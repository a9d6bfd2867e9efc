/** A command as a tool. Source: contract 1.1, 1.7 and 7 "MCP". */
import { describeWithSchemas } from "@svc/core/Catalog"
import type { AnyCommand } from "@svc/core/Command"
import { fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import { isObject, type Params } from "./JsonRpc.ts"
import { type ToolHints, toolHintsOf } from "./toolHints.ts"
import { toolNameOf } from "./toolName.ts"
import { toolResult } from "./toolResult.ts"
import { toolInputSchema, toolOutputSchema } from "./toolSchema.ts"
import { type RunCall, type Told, toldOf, type Workspace } from "./Workspace.ts"

/** A tool as clients read it. */
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

/** Longest description of a tool, unless it warns, in characters. */
const longest = 110

const descriptionOf = (command: AnyCommand): string => {
  const { riskNotes, summary, whenToUse } = command
  const both = `${summary} ${whenToUse}`
  const warning = toolHintsOf(command).destructiveHint ? riskNotes.slice(0, 1) : []
  return [both.length <= longest ? both : summary, ...warning].join(" ")
}

/** Categories whose outputs hold only what the organization itself wrote. */
const ownText = new Set<string>(["offers", "agents"])

/** An answer longer than this, in characters, is given in the compact profile, unless full was asked for. */
const longestAnswer = 60_000

/** The options of a call, apart from its input. The idempotency key goes under `_meta`. */
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

/** Runs a command for a tool: an answer too long for a conversation is shortened, and says so. */
export const runFor = (
  workspace: Workspace,
  call: RunCall,
  risk: AnyCommand["risk"] | undefined
): Effect.Effect<Told> =>
  Effect.flatMap(workspace.run(call), (told) => {
    const isLong = told.ok && risk === "read" && JSON.stringify(told.data).length > longestAnswer
    if (!isLong || call.options.response_profile !== undefined) return Effect.succeed(told)
    const shorter = workspace.run({ ...call, options: { ...call.options, response_profile: "compact" } })
    return Effect.map(shorter, (short): Told => {
      if (!short.ok || short.meta === undefined) return short
      const warning =
        "long_answer: shortened to the compact profile. Ask for a smaller page, or send response_profile: full."
      return { ...short, meta: { ...short.meta, warnings: [...short.meta.warnings, warning] } }
    })
  })

/** Whether a command's output may hold what strangers wrote. */
export const isUntrusted = ({ category }: Pick<AnyCommand, "category">): boolean => !ownText.has(category)

/** The tool of a command. */
export const toolOf = (command: AnyCommand): Tool => {
  const { input_schema, output_schema } = describeWithSchemas(command)
  return {
    definition: {
      name: toolNameOf(command.id),
      description: descriptionOf(command),
      inputSchema: toolInputSchema(input_schema),
      outputSchema: toolOutputSchema(output_schema),
      annotations: toolHintsOf(command)
    },
    call: (args, workspace, meta) =>
      Effect.map(runFor(workspace, { command: command.id, ...splitOptions(args, meta) }, command.risk), (told) =>
        toolResult(told, isUntrusted(command))
      )
  }
}

/** The refusal of arguments that are no object. */
export const noArguments: Told = toldOf(fail("INVALID_JSON", "arguments must be one JSON object. Send {} at least."))

/** The arguments of a call; undefined when they are no object. */
export const argumentsOf = (value: unknown): Params | undefined =>
  value === undefined ? {} : isObject(value) ? value : undefined
