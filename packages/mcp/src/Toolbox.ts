/**
 * The tools of a catalogue: those of a toolset, and three that reach the rest, so that a client does not have to read a
 * hundred schemas.
 */
import {
  type AnyCommand,
  answers,
  type Catalog,
  codesOf,
  describeWithSchemas,
  InvalidInput,
  nearestName,
  publicCommands,
  UnknownField
} from "@svc/core"
import * as Effect from "effect/Effect"
import { agentView } from "./agentView.ts"
import { metaOf, type Params } from "./JsonRpc.ts"
import {
  argumentsOf,
  commandIdOf,
  isUntrusted,
  noArguments,
  runForModel,
  splitOptions,
  type Tool,
  type ToolDefinition,
  toolNameOf,
  toolOf
} from "./Tool.ts"
import { readOnly } from "./toolHints.ts"
import { type ResultForm, toolResult } from "./toolResult.ts"
import { optionProperties } from "./toolSchema.ts"
import { isShown, type Toolset } from "./toolsets.ts"
import { type CallResult, failureResult, type Workspace } from "./Workspace.ts"

/** Maximum results, and how many of them include their input schema. */
const maxResults = 8

const withInput = 3

const wordsOf = (text: string): ReadonlyArray<string> => [...new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? [])]

/** How well a command matches the words. Words of its id count most. */
const scoreOf = (
  words: ReadonlyArray<string>,
  { category, description, id, summary, title, whenToUse }: AnyCommand
): number => {
  const ids = wordsOf(`${id} ${category}`)
  const short = `${title} ${summary}`.toLowerCase()
  const long = `${description} ${whenToUse}`.toLowerCase()
  return words.reduce((sum, word) => {
    const stem = word.length > 3 ? word.replace(/s$/, "") : word
    if (ids.some((part) => part === word || part.startsWith(stem))) return sum + 4
    return sum + (short.includes(stem) ? 2 : long.includes(stem) ? 1 : 0)
  }, 0)
}

/** The best matches of a query; all commands for an empty one. An id or a tool name finds its command. */
export const searchCommands = (commands: ReadonlyArray<AnyCommand>, query: string): Params => {
  const wanted = query.trim().slice(0, 200)
  if (wanted === "") {
    return { commands: commands.map(({ id, risk, summary }) => ({ command_id: id, risk, summary })) }
  }
  const exact = commands.filter(({ id }) => id === commandIdOf(wanted))
  const words = wordsOf(wanted)
  const found =
    exact.length > 0
      ? exact
      : commands
          .map((command) => ({ command, score: scoreOf(words, command) }))
          .filter(({ score }) => score > 0)
          .sort((left, right) => right.score - left.score)
          .slice(0, maxResults)
          .map(({ command }) => command)
  return {
    commands: found.map((command, index) => {
      const { input_schema } = describeWithSchemas(command)
      const { failures, id, riskNotes, risk, scope, summary, whenToUse } = command
      const known = { command_id: id, risk, scope, summary, when_to_use: whenToUse, risk_notes: riskNotes }
      return index < withInput ? { ...known, failures: codesOf(failures), input_schema } : known
    })
  }
}

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

/** The output schema, which promises `structuredContent`, only where there is some. */
const declared = (form: ResultForm, outputSchema: Params): Pick<ToolDefinition, "outputSchema"> =>
  form === "structured" ? { outputSchema } : {}

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

const refused = (result: CallResult): Effect.Effect<Params> =>
  Effect.succeed(toolResult(result, { untrusted: false, form: "text" }))

const searchTool = (commands: ReadonlyArray<AnyCommand>, form: ResultForm): Tool => ({
  definition: {
    name: "commands_search",
    title: "Search commands",
    description:
      "Find commands that are not among these tools, such as exports and webhooks, with their input. Run one with " +
      "command_run.",
    inputSchema: object({ query: { type: "string", description: "Keywords or a command id; empty lists all" } }, []),
    ...declared(form, { type: "object", required: ["commands"] }),
    annotations: readOnly
  },
  call: (args) => {
    const { query = "", ...rest } = args
    const wrong = unknownArgument(rest, ["query"])
    const text = textOf(query, "query")
    if (wrong !== undefined) return refused(wrong)
    if (typeof text !== "string") return refused(text)
    return Effect.sync(() => {
      const data = searchCommands(commands, text)
      return toolResult({ ok: true, status: 200, data }, { untrusted: false, form })
    })
  }
})

const runTool = (commands: ReadonlyArray<AnyCommand>, hidden: ReadonlySet<string>, form: ResultForm): Tool => ({
  definition: {
    name: "command_run",
    title: "Run a command",
    description:
      "Run any command by its id. It may change or send things: read its risk_notes with commands_search first.",
    inputSchema: object({ command_id: { type: "string" }, input: anything, ...optionProperties }, ["command_id"]),
    ...declared(form, anything),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
  },
  call: (args, workspace, meta) => {
    const { input: taken, options } = splitOptions(args, meta)
    const { command_id, input, ...rest } = taken
    const wrong = unknownArgument(rest, ["command_id", "input", "response_profile", "dry_run"])
    const id = textOf(command_id, "command_id")
    if (wrong !== undefined) return refused(wrong)
    if (typeof id !== "string") return refused(id)
    const command = commands.find((candidate) => candidate.id === commandIdOf(id))
    // Of commands that are not for models it says the same as of unknown ones.
    const unlisted = hidden.has(commandIdOf(id)) ? "" : id
    const call = { command: command?.id ?? unlisted, input: input ?? {}, options }
    return Effect.map(runForModel(workspace, call, command), (result) =>
      toolResult(result, { untrusted: command === undefined || isUntrusted(command), form })
    )
  }
})

const resourceTool = (form: ResultForm): Tool => ({
  definition: {
    name: "resource_read",
    title: "Read a resource",
    description: "Read a resource by its URI, such as svc://guide, svc://status or svc://prospects/{id}.",
    inputSchema: object({ uri: { type: "string" }, response_profile: optionProperties.response_profile }, ["uri"]),
    ...declared(form, { type: "object", required: ["resource"] }),
    annotations: readOnly
  },
  call: (args, workspace) => {
    const { response_profile, uri, ...rest } = args
    const wrong = unknownArgument(rest, ["uri", "response_profile"])
    const wanted = textOf(uri, "uri")
    if (wrong !== undefined) return refused(wrong)
    if (typeof wanted !== "string") return refused(wanted)
    const profile = response_profile === undefined ? undefined : String(response_profile)
    return Effect.map(workspace.read({ uri: wanted, profile }), (result) =>
      toolResult(result.ok && profile !== "full" ? { ...result, data: agentView(result.data) } : result, {
        untrusted: true,
        form
      })
    )
  }
})

/** The tools of a toolset. A list of categories comes without the tools for other commands. */
export const makeToolbox = (catalog: Catalog<AnyCommand>, toolset: Toolset, form: ResultForm = "text"): Toolbox => {
  // Clients pass on what their users say; a model that could do so would approve what it asked for.
  const all = publicCommands(catalog)
  const commands = all.filter(({ effects }) => !answers(effects))
  const hidden = new Set(all.filter(({ effects }) => answers(effects)).map(({ id }) => id))
  const rest = typeof toolset === "string" ? [searchTool(commands, form), runTool(commands, hidden, form)] : []
  const shown = commands.filter((command) => isShown(toolset, command))
  const ids = new Set(shown.map(({ id }) => id))
  const isReachable = (id: string) => typeof toolset === "string" || ids.has(id)
  const tools = [...shown.map((command) => toolOf(command, form, isReachable)), ...rest, resourceTool(form)]
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
  return args === undefined ? refused(noArguments) : tool.call(args, workspace, meta)
}

/** Characters per token, as a rule of thumb. */
const charactersPerToken = 4

/** The size of a tool definition in tokens. */
export const tokensOf = (definition: ToolDefinition): number =>
  Math.ceil(JSON.stringify(definition).length / charactersPerToken)
