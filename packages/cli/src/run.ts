/** Runs a command line and answers the exit code. Source: contract 2. */
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { fail } from "@svc/core/Failure"
import { version } from "@svc/core/Version"
import { loggingLayer } from "@svc/embed/logging"
import * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { ChildProcessSpawner, make as makeSpawner } from "effect/process/ChildProcessSpawner"
import { CliExit, note, out, outJson } from "./Output.ts"
import { svcTree } from "./tree.ts"

/** Whether `--json` was asked for, read off the arguments themselves: a command line with a mistake has no flags yet. */
const asksForJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  const flag = (end === -1 ? args : args.slice(0, end)).findLast((arg) => /^--(json|no-json)(=|$)/.test(arg))
  return flag !== undefined && !/^--no-json$|=(false|0|no|off|n)$/i.test(flag)
}

/** The mistakes of a command line as one line. A group such as `svc commands` knows no `--json`, which is no mistake. */
const mistakesOf = (errors: ReadonlyArray<CliError.CliError>): string => {
  const real = errors.filter((error) => !(error._tag === "UnrecognizedOption" && /^--(no-)?json/.test(error.option)))
  if (real.length === 0) return "A subcommand is missing."
  return real.map(({ message }) => message.replaceAll(/\s*\n\s*/g, " ").replace(/[^.?]$/, "$&.")).join(" ")
}

/** The help with its examples first: whoever reads it mostly wants one to change. */
const helpOf = (doc: HelpDoc, formatter: CliOutput.Formatter, colors: boolean): string => {
  const { examples = [], ...rest } = doc
  const bold = (text: string) => (colors ? `\u001b[1m${text}\u001b[0m` : text)
  const dim = (text: string) => (colors ? `\u001b[2m${text}\u001b[0m` : text)
  const shown = examples.map(({ command, description }) => `  ${dim(`# ${description}`)}\n  ${command}`)
  const first = shown.length === 0 ? "" : `${bold("EXAMPLES")}\n${shown.join("\n")}\n\n`
  return `${first}${formatter.formatHelpDoc(rest)}`.trimEnd()
}

/**
 * Help is data when it was asked for; after a mistake it is not. With `--json` both are one JSON value.
 * Colors go by the terminal, NO_COLOR, FORCE_COLOR and TERM=dumb.
 */
const presenter = (json: boolean): CliOutput.Presenter => {
  const canColor = TerminalCapabilities.defaultValue().canColor
  const formatter = CliOutput.defaultFormatter({ colors: canColor })
  return {
    present: (event) => {
      if (event._tag === "Version") return json ? outJson({ version: event.version }, true) : out(event.version)
      if (event._tag === "Help") {
        const help = helpOf(event.helpDoc, formatter, canColor)
        return json ? outJson({ help }, true) : out(help)
      }
      const message = mistakesOf(event.errors)
      if (json) return outJson({ error: { message: `${message} See svc --help.`, code: "INVALID_INPUT" } }, true)
      const { description: _, examples: __, globalFlags: ___, ...doc } = event.helpDoc
      const usage = formatter.formatHelpDoc({ ...doc, description: "", flags: [] }).trim()
      return note(`svc: ${message}\n\n${usage}\n\nRun ${event.commandPath.join(" ")} --help for more.`)
    }
  }
}

/** What the parser asks for. No command reads files or starts programs through it, and those services take long to load. */
const platform = Layer.mergeAll(
  NodePath.layer,
  NodeStdio.layer,
  NodeTerminal.layer,
  FileSystem.layerNoop({}),
  Layer.succeed(
    ChildProcessSpawner,
    makeSpawner(() => Effect.die("no command starts a program"))
  )
)

/** How long an end in order may take, in milliseconds. Source: contract 7 (SIGTERM: exit code 0 within 10 s). */
const longestEnd = 9_500

const usage = 2
const internal = 1
const interrupted = 130

const exitCodeOf = (exit: Exit.Exit<void, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  const error = Cause.squash(exit.cause)
  if (error instanceof CliExit) return error.exitCode
  return Cause.hasInterruptsOnly(exit.cause) ? interrupted : internal
}

/** Runs the arguments after `svc`. SIGTERM ends a server in order, with 0; Ctrl-C with 130. */
export const run = async (args: ReadonlyArray<string>): Promise<number> => {
  const json = asksForJson(args)
  let terminated = false
  const program = Command.runWith(await svcTree(args), { version })(args).pipe(
    Effect.catchTag("ShowHelp", ({ errors }) =>
      errors.length > 0 ? Effect.fail(new CliExit({ exitCode: usage })) : Effect.void
    ),
    Effect.tapCause((cause) => {
      if (Cause.hasInterruptsOnly(cause) || Cause.squash(cause) instanceof CliExit) return Effect.void
      const { message } = fail("INTERNAL", "Something failed that should not have. Report it with what you ran.")
      const said = json ? outJson({ error: { message, code: "INTERNAL" } }, true) : note(`svc: ${message} [INTERNAL]`)
      return Effect.andThen(Effect.logError("the run died", cause), said)
    }),
    Effect.provide(
      Layer.mergeAll(
        platform,
        CliOutput.layerPresenter(presenter(json)),
        CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
        loggingLayer(process.env)
      )
    )
  )
  const fiber = Effect.runFork(program)
  const stop = (signal: NodeJS.Signals) => {
    terminated = signal === "SIGTERM"
    Effect.runFork(Fiber.interrupt(fiber))
    // What is not done by then would be cut off by whoever stops services.
    setTimeout(() => process.exit(terminated ? 0 : interrupted), longestEnd).unref()
  }
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  return terminated && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? 0 : exitCodeOf(exit)
}
