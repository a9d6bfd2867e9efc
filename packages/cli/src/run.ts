/** Runs a command line. */

import { Internal, nearestName, version } from "@svc/core"
import { isFailure } from "@svc/core/internal"
import { loggingLayer } from "@svc/embed/composition"
import * as Cause from "effect/Cause"
import { ShowHelp } from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { clientSettings } from "./clientSettings.ts"
import { CliExit, note, out, outJson, outProse, printFailure } from "./Output.ts"
import { subcommandsFor, wordsBefore } from "./subcommands.ts"
import { withShownWord } from "./Target.ts"
import { parserServices, svcTree, type Tree } from "./tree.ts"
import { helpText, usageErrors } from "./usageText.ts"

const fieldList = /^[A-Za-z_][\w.]*(,[A-Za-z_][\w.]*)*$/

const truth = /^(true|false|1|0|yes|no|on|off|y|n)$/i

/** The arguments that may be flags. */
const beforeEnd = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.indexOf("--")
  return end === -1 ? args : args.slice(0, end)
}

/** The index of the flag `--json` whose fields follow it; -1 if there is none. */
const jsonWithFields = (args: ReadonlyArray<string>): number => {
  const words = beforeEnd(args)
  return words.findIndex((word, index) => word === "--json" && fieldList.test(args[index + 1] ?? ""))
}

/** Whether the word after `--json` names fields, and is not an argument of the command. */
const isFields = async (words: ReadonlyArray<string>, text: string): Promise<boolean> =>
  text.includes(",") || (await import("./commands/generated.ts")).hasOutputField(words, text)

/** The topics of `svc help`. */
const topics = new Set(["settings", "environment", "exit-codes", "formatting"])

/** `svc help`, `svc help X` and `svc X help` as `svc X --help`; the word `help` counts before the first flag only. */
const withHelpFlag = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = wordsBefore(args)
  const [first, second] = words
  if (first === "help" && !topics.has(second ?? "")) return [...args.slice(1), "--help"]
  return words.at(-1) === "help" ? args.with(words.length - 1, "--help") : args
}

/** The arguments for the parser. */
const expandArguments = async (given: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const args = withShownWord(withHelpFlag(given)).flatMap((arg) => {
    const value = /^--json=(.*)$/s.exec(arg)?.[1]
    return value === undefined || truth.test(value) ? [arg] : ["--json", "--fields", value]
  })
  const index = jsonWithFields(args)
  if (index === -1) return args
  return (await isFields(wordsBefore(args), args[index + 1] ?? ""))
    ? [...args.slice(0, index + 1), "--fields", ...args.slice(index + 1)]
    : args
}

/** Whether the arguments contain `--json`. Parsed separately, for errors of the parser too. */
const asksForJson = (args: ReadonlyArray<string>): boolean => {
  const words = beforeEnd(args)
  const at = words.findLastIndex((arg) => /^--(no-)?json(=|$)/.test(arg))
  return at !== -1 && !/^--no-json|^--json=(false|0|no|off|n)(=|$)/i.test(`${words[at]}=${words[at + 1]}`)
}

/** What is wrong with the arguments. A flag before its subcommand hides what follows, so it is looked for first. */
const usageMessage = Effect.fnUntraced(function* (
  { commandPath, errors, helpDoc: { subcommands = [] } }: CliOutput.Presenter.InvalidInvocation,
  tree: Tree,
  args: ReadonlyArray<string>
) {
  const [first] = errors
  if (first?._tag !== "UnrecognizedOption" || first.suggestions.length > 0) return usageErrors(errors)
  const isBefore = subcommands.length > 0 || (first.command ?? commandPath).length < commandPath.length
  if (!isBefore) return usageErrors(errors)
  // Loaded on use: it is about a mistake.
  const { misplacedFlag } = yield* Effect.promise(() => import("./misplacedFlag.ts"))
  return yield* misplacedFlag(first.option, tree, args)
})

/**
 * Prints help on stdout, and usage errors on stderr. With `--json` both are one JSON value. Colors depend on the terminal,
 * NO_COLOR, FORCE_COLOR and TERM=dumb.
 */
const presenter = (json: boolean, tree: Tree, args: ReadonlyArray<string>): CliOutput.Presenter => {
  const canColor = TerminalCapabilities.defaultValue().canColor
  return {
    present: (event) => {
      if (event._tag === "Version") return json ? outJson({ version: event.version }, true) : out(event.version)
      if (event._tag === "Help") {
        const help = helpText(event.helpDoc, canColor)
        return json ? outJson({ help }, true) : outProse(help)
      }
      return Effect.flatMap(usageMessage(event, tree, args), (message) =>
        json
          ? outJson({ error: { message: `${message} See svc --help.`, code: "INVALID_INPUT" } }, true)
          : note(`svc: ${message}\nRun ${event.commandPath.join(" ")} --help for more.`)
      )
    }
  }
}

/** Warns of variables of client commands that are probably mistyped. A service logs it, and `svc doctor` lists them. */
const warnOfVariables = async ([word = ""]: ReadonlyArray<string>) => {
  const names = clientSettings.map(({ name }) => name)
  const isNear = (name: string) =>
    name.startsWith("SVC_") && !names.includes(name) && nearestName(name, names) !== undefined
  if (["dev", "serve", "worker", "doctor"].includes(word) || !Object.keys(process.env).some(isNear)) return
  // Loaded on use, with all settings.
  const { mistypedVariables } = await import("./unknownVariables.ts")
  for (const warning of mistypedVariables(process.env)) process.stderr.write(`svc: ${warning}\n`)
}

/** How long a graceful shutdown may take, in milliseconds: the drain, and what begun work needs after it. */
const shutdownTimeout = Math.max(9_500, (Number(process.env["SVC_DRAIN_SECONDS"]) || 0) * 1_000 + 4_500)

const usage = 2

const interrupted = 130

/** Prints why a run ended, unless that was done, and returns its exit code. An interruption stays one. */
const exitCodeOf = (cause: Cause.Cause<unknown>, json: boolean): Effect.Effect<number> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (error instanceof CliExit) return Effect.succeed(error.exitCode)
  if (error instanceof ShowHelp) return Effect.succeed(error.errors.length > 0 ? usage : 0)
  if (isFailure(error)) return Effect.as(printFailure(error, json), error.entry.exitCode)
  const failure = new Internal({ message: "Unexpected error. Report it with the command you ran." })
  return Effect.andThen(Effect.logError("The run failed unexpectedly", cause), exitCodeOf(Cause.fail(failure), json))
}

/** Runs the arguments after `svc`; resolves to the exit code. SIGTERM shuts a server down with 0, Ctrl-C with 130. */
export const run = async (given: ReadonlyArray<string>): Promise<number> => {
  const json = asksForJson(given)
  const args = await expandArguments(given)
  await warnOfVariables(args)
  let terminated = false
  const tree = svcTree(await subcommandsFor(args))
  const program = Command.runWith(tree, { version })(args).pipe(
    Effect.as(0),
    Effect.catchCause((cause) => exitCodeOf(cause, json)),
    Effect.provide(
      Layer.mergeAll(parserServices, CliOutput.layerPresenter(presenter(json, tree, args)), loggingLayer(process.env))
    )
  )
  const fiber = Effect.runFork(program)
  const stop = (signal: NodeJS.Signals) => {
    terminated = signal === "SIGTERM"
    Effect.runFork(Fiber.interrupt(fiber))
    // Exits before a service manager would kill the process.
    setTimeout(() => process.exit(terminated ? 0 : interrupted), shutdownTimeout).unref()
  }
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  return Exit.isSuccess(exit) ? exit.value : terminated ? 0 : interrupted
}
