/** `svc mcp`, `svc mcp install`, `svc mcp budget`. Source: issue "MCP"; contract 2. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { clients } from "../mcp/clients.ts"
import { install } from "../mcp/install.ts"
import { CliExit, out, outJson, refuse } from "../Output.ts"
import { baseUrl, json, toggle } from "./flags.ts"

const toolset = Flag.String("toolset").pipe(
  Flag.withDescription("default, all, or families such as leads,linkedin"),
  Flag.withDefault("default")
)

const installCommand = Command.make(
  "install",
  {
    client: Argument.Literals("client", clients).pipe(Argument.withDescription("The program that an agent runs in")),
    print: toggle("print", "Print the entry and write nothing"),
    toolset,
    json
  },
  ({ client, json: asJson, print, toolset: named }) =>
    Effect.catchTag(install({ client, print, toolset: named, json: asJson }), "Failure", (failure) =>
      refuse(failure, asJson)
    )
).pipe(
  Command.withDescription("Add this service to an agent's program; running it again changes nothing"),
  Command.withExamples([
    { command: "svc mcp install claude-code", description: "For the project in this folder" },
    { command: "svc mcp install claude-desktop --print", description: "Show the entry, write nothing" }
  ])
)

const budget = Command.make("budget", { toolset, json }, ({ json: asJson, toolset: named }) =>
  Effect.gen(function* () {
    const { parseToolset } = yield* Effect.promise(() => import("@svc/mcp/toolsets"))
    const chosen = yield* Effect.fromResult(parseToolset(named))
    const { toolboxOf } = yield* Effect.promise(() => import("../mcp/catalogue.ts"))
    const { tokensOf } = yield* Effect.promise(() => import("@svc/mcp/Toolbox"))
    const tools = toolboxOf(chosen).definitions.map((definition) => ({
      name: definition.name,
      tokens: tokensOf(definition)
    }))
    const total = tools.reduce((sum, { tokens }) => sum + tokens, 0)
    if (asJson) return yield* outJson({ toolset: named, tools, total }, true)
    const width = Math.max(...tools.map(({ name }) => name.length))
    for (const { name, tokens } of [...tools].sort((left, right) => right.tokens - left.tokens)) {
      yield* out(`${name.padEnd(width)}  ${String(tokens).padStart(6)}`)
    }
    yield* out(`${`${tools.length} tools`.padEnd(width)}  ${String(total).padStart(6)} tokens`)
  }).pipe(Effect.catchTag("Failure", (failure) => refuse(failure, asJson)))
).pipe(Command.withDescription("Show what each tool costs a conversation, in tokens of about four characters"))

/** `svc mcp`. */
export const mcp = Command.make("mcp", { toolset, baseUrl }, ({ baseUrl: url, toolset: named }) =>
  Effect.gen(function* () {
    const { runStdio } = yield* Effect.promise(() => import("../mcp/stdio.ts"))
    const exitCode = yield* Effect.promise(() =>
      runStdio({ toolset: named, ...(Option.isSome(url) ? { baseUrl: url.value } : {}) })
    )
    if (exitCode !== 0) return yield* new CliExit({ exitCode })
  })
).pipe(
  Command.withDescription("Serve agents over standard input and output"),
  Command.withSubcommands([installCommand, budget])
)
