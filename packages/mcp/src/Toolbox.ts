/**
 * The tools of a catalogue: those of a toolset, and three that reach the rest, so that a client does not have to read a
 * hundred schemas.
 */

import { type AnyCommand, type Catalog, InvalidInput, nearestName, publicCommands, UnknownField } from "@svc/core"
import * as Effect from "effect/Effect"
import { metaOf, type Params } from "./JsonRpc.ts"
import { searchCommands } from "./searchCommands.ts"
import {
  argumentsOf,
  isUntrusted,
  noArguments,
  runShortened,
  splitOptions,
  type Tool,
  type ToolDefinition,
  toolOf
} from "./Tool.ts"
import { commandIdOf, toolNameOf } from "./toolName.ts"
import { toolResult } from "./toolResult.ts"
import { optionProperties } from "./toolSchema.ts"
import { isShown, type Toolset } from "./toolsets.ts"
import { type CallResult, failureResult, type Workspace } from "./Workspace.ts"

/** The tools that a client sees. */
export interface Toolbox {
  readonly definitions: ReadonlyArray<ToolDefinition>
  /** Finds a tool by its name, or by its command's dotted id. */
  readonly find: (name: string) => Tool | undefined
  /** The most similar tool name. */
  readonly nearest: (name: string) => string | undefined
}

const object = (properties: Params, required: ReadonlyArray<string>): Params => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false
})

const anything = { type: "object" }
const read = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The error for an unknown argument, with the most similar known one. */
const unknownArgument = (args: Params, known: ReadonlyArray<string>): CallResult | undefined => {
  const name = Object.keys(args).find((key) => !known.includes(key))
  if (name === undefined) return undefined
  const nearest = nearestName(name, known)
  const guess = nearest === undefined ? `Known fields: ${known.join(", ")}.` : `Did you mean ${nearest}?`
  return failureResult(new UnknownField({ message: `${name.slice(0, 60)} is not a known field. ${guess}` }))
}

const textOf = (value: unknown, name: string): string | CallResult =>
  typeof value === "string" ? value : failureResult(new InvalidInput({ message: `${name} must be a string.` }))

const searchTool = (commands: ReadonlyArray<AnyCommand>): Tool => ({
  definition: {
    name: "commands_search",
    description:
      "Find commands that are not among these tools (webhooks, keys, exports, merges, queue …) and their input. Run " +
      "one with command_run.",
    inputSchema: object({ query: { type: "string", description: "Keywords or a command id; empty lists all" } }, []),
    outputSchema: { type: "object", required: ["commands"] },
    annotations: read
  },
  call: (args) => {
    const { query = "", ...rest } = args
    const wrong = unknownArgument(rest, ["query"])
    const text = textOf(query, "query")
    if (wrong !== undefined) return Effect.succeed(toolResult(wrong, false))
    if (typeof text !== "string") return Effect.succeed(toolResult(text, false))
    return Effect.sync(() => toolResult({ ok: true, status: 200, data: searchCommands(commands, text) }, false))
  }
})

const runTool = (commands: ReadonlyArray<AnyCommand>): Tool => ({
  definition: {
    name: "command_run",
    description:
      "Run any command by its id. It may change or send things: read its risk_notes with commands_search first.",
    inputSchema: object({ command_id: { type: "string" }, input: anything, ...optionProperties }, ["command_id"]),
    outputSchema: anything,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
  },
  call: (args, workspace, meta) => {
    const { input: taken, options } = splitOptions(args, meta)
    const { command_id, input, ...rest } = taken
    const wrong = unknownArgument(rest, ["command_id", "input", "response_profile", "dry_run"])
    const id = textOf(command_id, "command_id")
    if (wrong !== undefined) return Effect.succeed(toolResult(wrong, false))
    if (typeof id !== "string") return Effect.succeed(toolResult(id, false))
    const command = commands.find((candidate) => candidate.id === commandIdOf(id))
    const call = { command: command?.id ?? id, input: input ?? {}, options }
    return Effect.map(runShortened(workspace, call, command?.risk), (result) =>
      toolResult(result, command === undefined || isUntrusted(command))
    )
  }
})

const resourceTool: Tool = {
  definition: {
    name: "resource_read",
    description: "Read a resource by its URI, such as svc://guide, svc://status or svc://prospects/{id}.",
    inputSchema: object({ uri: { type: "string" }, response_profile: optionProperties.response_profile }, ["uri"]),
    outputSchema: { type: "object", required: ["resource"] },
    annotations: read
  },
  call: (args, workspace) => {
    const { response_profile, uri, ...rest } = args
    const wrong = unknownArgument(rest, ["uri", "response_profile"])
    const wanted = textOf(uri, "uri")
    if (wrong !== undefined) return Effect.succeed(toolResult(wrong, false))
    if (typeof wanted !== "string") return Effect.succeed(toolResult(wanted, false))
    const profile = response_profile === undefined ? undefined : String(response_profile)
    return Effect.map(workspace.read({ uri: wanted, profile }), (result) => toolResult(result, true))
  }
}

/** The tools of a toolset. A list of categories comes without the tools for other commands. */
export const makeToolbox = (catalog: Catalog<AnyCommand>, toolset: Toolset): Toolbox => {
  const commands = publicCommands(catalog)
  const rest = typeof toolset === "string" ? [searchTool(commands), runTool(commands)] : []
  const tools = [...commands.filter((command) => isShown(toolset, command)).map(toolOf), ...rest, resourceTool]
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return {
    definitions: tools.map(({ definition }) => definition),
    find: (name) => byName.get(toolNameOf(name)),
    nearest: (name) => nearestName(toolNameOf(name), [...byName.keys()])
  }
}

/** Calls a tool with the parameters of a client. */
export const callTool = (tool: Tool, params: Params, workspace: Workspace): Effect.Effect<Params> => {
  const args = argumentsOf(params["arguments"])
  const meta = metaOf(params)
  return args === undefined ? Effect.succeed(toolResult(noArguments, false)) : tool.call(args, workspace, meta)
}

/** Characters per token, as a rule of thumb. */
const charactersPerToken = 4

/** The size of a tool definition in tokens. */
export const tokensOf = (definition: ToolDefinition): number =>
  Math.ceil(JSON.stringify(definition).length / charactersPerToken)
