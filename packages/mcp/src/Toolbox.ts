/**
 * The tools of a catalogue: those of a toolset, and three that reach the rest, so that a client does not have to read a
 * hundred schemas.
 */
import {
  type AnyCommand,
  type Catalog,
  describeWithSchemas,
  InvalidInput,
  isForModels,
  nearestName,
  publicCommands,
  UnknownField
} from "@svc/core"
import { codesOf } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import { agentView } from "./agentView.ts"
import { objectOf, type Params } from "./JsonRpc.ts"
import * as Tools from "./Tool.ts"
import { type ResultForm, toolResult } from "./toolResult.ts"
import { optionProperties } from "./toolSchema.ts"
import { isShown, type Toolset } from "./toolsets.ts"
import type { Workspace } from "./Workspace.ts"

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
  const exact = commands.filter(({ id }) => id === Tools.commandIdOf(wanted))
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
  readonly definitions: ReadonlyArray<Tools.ToolDefinition>
  /** Finds a tool by its name, or by its command's dotted id. */
  readonly find: (name: string) => Tools.Tool | undefined
  /** Whether it can run a command, by a tool of its own or by `command_run`. */
  readonly reaches: (id: string) => boolean
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

/** The error for an unknown argument, with the most similar known one. */
const unknownArgument = (name: string, known: ReadonlyArray<string>) => {
  const nearest = nearestName(name, known)
  const guess = nearest === undefined ? `Known fields: ${known.join(", ")}.` : `Did you mean ${nearest}?`
  return new UnknownField({ message: `${name.slice(0, 60)} is not a known field. ${guess}` })
}

/** A tool that is no command: it takes a text by this name, and only arguments of its schema. */
const generalTool = (
  definition: Tools.ToolDefinition,
  form: ResultForm,
  textName: string,
  run: (text: string, args: Params, workspace: Workspace, meta: Params) => Effect.Effect<Params>
): Tools.Tool => {
  const known = Object.keys(objectOf(definition.inputSchema["properties"]))
  const otherwise = definition.inputSchema["required"] === undefined ? "" : undefined
  return Tools.makeTool(definition, form, (args, workspace, meta) => {
    const unknown = Object.keys(args).find((name) => !known.includes(name))
    if (unknown !== undefined) return Tools.refused(unknownArgument(unknown, known))
    const { [textName]: text = otherwise } = args
    return typeof text === "string"
      ? run(text, args, workspace, meta)
      : Tools.refused(new InvalidInput({ message: `${textName} must be a string.` }))
  })
}

const searchTool = (commands: ReadonlyArray<AnyCommand>, form: ResultForm): Tools.Tool =>
  generalTool(
    {
      name: "commands_search",
      title: "Search commands",
      description: "Find other commands, such as exports and webhooks, with their input. Run one with command_run.",
      inputSchema: object({ query: { type: "string", description: "Keywords or a command id; empty lists all" } }, []),
      outputSchema: { type: "object", required: ["commands"] },
      annotations: Tools.readOnly
    },
    form,
    "query",
    (query) =>
      Effect.sync(() => {
        const data = searchCommands(commands, query)
        return toolResult({ ok: true, status: 200, data }, { form })
      })
  )

const runTool = (commands: ReadonlyArray<AnyCommand>, hidden: ReadonlySet<string>, form: ResultForm): Tools.Tool =>
  generalTool(
    {
      name: "command_run",
      title: "Run a command",
      description: "Run any command by its id. It may change or send things: read its risk_notes first.",
      inputSchema: object({ command_id: { type: "string" }, input: anything, ...optionProperties }, ["command_id"]),
      outputSchema: anything,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
    },
    form,
    "command_id",
    (id, args, workspace, meta) => {
      const command = commands.find((candidate) => candidate.id === Tools.commandIdOf(id))
      // Of commands that are not for models it says the same as of unknown ones.
      const unlisted = hidden.has(Tools.commandIdOf(id)) ? "" : id
      const { options } = Tools.splitOptions(args, meta)
      const call = { command: command?.id ?? unlisted, input: args["input"] ?? {}, options }
      return Effect.map(Tools.runForModel(workspace, call, command), (result) =>
        toolResult(result, { output: command && describeWithSchemas(command).output_schema, form })
      )
    }
  )

/** What a resource holds depends on its URI. */
const resourceOutput = object({ resource: object({ uri: { const: "" }, payload: {} }, []) }, [])

const resourceTool = (form: ResultForm): Tools.Tool =>
  generalTool(
    {
      name: "resource_read",
      title: "Read a resource",
      description: "Read a resource by its URI, such as svc://guide, svc://status or svc://prospects/{id}.",
      inputSchema: object({ uri: { type: "string" }, response_profile: optionProperties.response_profile }, ["uri"]),
      outputSchema: { type: "object", required: ["resource"] },
      annotations: Tools.readOnly
    },
    form,
    "uri",
    (uri, args, workspace, meta) => {
      const profile = Tools.splitOptions(args, meta).options.response_profile
      return Effect.map(workspace.read({ uri, profile }), (result) =>
        toolResult(result.ok && profile !== "full" ? { ...result, data: agentView(result.data) } : result, {
          output: resourceOutput,
          form
        })
      )
    }
  )

/** The tools of a toolset. A list of categories comes without the tools for other commands. */
export const makeToolbox = (catalog: Catalog<AnyCommand>, toolset: Toolset, form: ResultForm = "text"): Toolbox => {
  // Clients pass on what their users say; a model that could do so would approve what it asked for. Secrets are for people.
  const all = publicCommands(catalog)
  const commands = all.filter(isForModels)
  const hidden = new Set(all.filter((command) => !isForModels(command)).map(({ id }) => id))
  const rest = typeof toolset === "string" ? [searchTool(commands, form), runTool(commands, hidden, form)] : []
  const shown = commands.filter((command) => isShown(toolset, command))
  const ids = new Set(shown.map(({ id }) => id))
  const reaches = (id: string) => typeof toolset === "string" || ids.has(id)
  const tools = [...shown.map((command) => Tools.toolOf(command, form, reaches)), ...rest, resourceTool(form)]
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return {
    definitions: tools.map(({ definition }) => definition),
    reaches,
    find: (name) => byName.get(Tools.toolNameOf(name)),
    nearest: (name) => nearestName(Tools.toolNameOf(name), [...byName.keys()])
  }
}

/** Characters per token, as a rule of thumb. */
const charactersPerToken = 4

/** The size of a tool definition in tokens. */
export const tokensOf = (definition: Tools.ToolDefinition): number =>
  Math.ceil(JSON.stringify(definition).length / charactersPerToken)
