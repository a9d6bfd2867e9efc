/** `svc mcp`, `svc mcp install`, `svc mcp budget`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { clients } from "../mcp/clients.ts"
import { install } from "../mcp/install.ts"
import { CliExit, out, outJson } from "../Output.ts"
import { baseUrl, json, optionalText, textOr, toggle, wordArgument } from "./flags.ts"

const toolset = textOr("toolset", "default", "default, all, or categories such as leads,linkedin")

const results = textOr("results", "text", "text, or structured for programs that read structuredContent")

const installCommand = Command.make(
  "install",
  {
    client: wordArgument("client", clients).pipe(Argument.withDescription("MCP client")),
    print: toggle("print", "Only print: create no key and offer to run nothing"),
    url: optionalText("url", "URL of a service; the client connects to it and signs in instead of starting svc"),
    keyVariable: optionalText(
      "key-variable",
      "With --url: environment variable with the client's API key, instead of signing in"
    ),
    toolset,
    create: toggle("create-key", "Create a key for the AI agent, which can read and draft but not approve or send"),
    keep: toggle("use-current-key", "Give the client the current key, also if it is a person's"),
    json
  },
  ({ create, keep, ...options }) => install({ ...options, key: create ? "create" : keep ? "keep" : undefined })
).pipe(
  Command.withDescription(
    "Print the configuration that adds this service to an MCP client, and the file it goes into. Where the client has a command for that, offer to run it"
  ),
  Command.withShortDescription("Print the configuration for an MCP client"),
  Command.withExamples([
    { command: "svc mcp install claude-code --create-key", description: "For the project in the current folder" },
    { command: "svc mcp install cursor --url https://svc.example.com", description: "Connect over HTTP and sign in" },
    { command: "svc mcp install claude-desktop --print", description: "Create no key" }
  ])
)

const budget = Command.make(
  "budget",
  { toolset, json },
  Effect.fnUntraced(function* ({ json: asJson, toolset: named }) {
    const { parseToolset, tokensOf, toolboxOf } = yield* Effect.promise(() => import("../mcp/catalogue.ts"))
    const chosen = yield* Effect.fromResult(parseToolset(named))
    const tools = toolboxOf(chosen).definitions.map((definition) => ({
      name: definition.name,
      tokens: tokensOf(definition)
    }))
    const total = tools.reduce((sum, { tokens }) => sum + tokens, 0)
    if (asJson) return yield* outJson({ toolset: named, tools, total }, true)
    const width = Math.max(...tools.map(({ name }) => name.length))
    for (const { name, tokens } of tools.toSorted((left, right) => right.tokens - left.tokens)) {
      yield* out(`${name.padEnd(width)}  ${String(tokens).padStart(6)}`)
    }
    yield* out(`${`${tools.length} tools`.padEnd(width)}  ${String(total).padStart(6)} tokens`)
  })
).pipe(
  Command.withDescription("Show the size of each tool in tokens of about four characters"),
  Command.withShortDescription("Show the size of each tool in tokens")
)

/** `svc mcp`. */
export const mcp = Command.make(
  "mcp",
  { toolset, results, baseUrl },
  Effect.fnUntraced(function* (options) {
    const { runStdio } = yield* Effect.promise(() => import("../mcp/stdio.ts"))
    const exitCode = yield* Effect.promise(() => runStdio(options))
    if (exitCode !== 0) return yield* new CliExit({ exitCode })
  })
).pipe(
  Command.withDescription("Serve MCP over standard input and output, and print the configuration for MCP clients"),
  Command.withShortDescription("Serve MCP over stdio"),
  Command.withSubcommands([installCommand, budget])
)
