/** Usage errors and help as text that fits the terminal. */
import { didYouMean } from "@svc/core"
import type * as CliError from "effect/cli/CliError"
import { defaultFormatter, displayWidth } from "effect/cli/CliOutput"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Option from "effect/Option"
import { globalFlags } from "./commands/flags.ts"

const usageErrorOf = (error: CliError.CliError): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `Unknown flag ${error.option}.${didYouMean(error.option, error.suggestions)}`
    case "UnknownSubcommand":
      return `Unknown command ${JSON.stringify(error.subcommand)}.${didYouMean(error.subcommand, error.suggestions)}`
    case "MissingOption":
      return `--${error.option} is required.`
    case "MissingArgument":
      return `<${error.argument}> is required.`
    case "InvalidValue": {
      const name = error.kind === "argument" ? `<${error.option}>` : `--${error.option}`
      if (error.value === "") return `${name} requires a value.`
      const expected = error.expected
        .replace(/^Expected:? /, "")
        .replace("a string representing a finite number", "a number")
        .replace("an integer", "a whole number")
        .replaceAll('"', "")
        .replaceAll(" | ", ", ")
      const choices = expected.split(", ")
      return choices.length === 1
        ? `${name} must be ${expected}.`
        : `${name} must be one of ${expected}.${didYouMean(error.value, choices)}`
    }
    case "UnexpectedArgument":
      return `Unexpected argument: ${error.arguments.join(" ")}.`
    default:
      return error.message.replaceAll(/\s*\n\s*/g, " ").replace(/[^.?]$/, "$&.")
  }
}

/**
 * The usage errors as one line. A group such as `svc commands` has no `--json`, which is no error. After an unknown command,
 * flags say nothing: they are those of the command that was meant.
 */
export const usageErrors = (errors: ReadonlyArray<CliError.CliError>): string => {
  const unknown = errors.find(({ _tag }) => _tag === "UnknownSubcommand")
  const real = errors.filter((error) => !(error._tag === "UnrecognizedOption" && /^--(no-)?json/.test(error.option)))
  return real.length === 0 ? "A subcommand is required." : (unknown ? [unknown] : real).map(usageErrorOf).join(" ")
}

/** A flag of many commands, for the help of `svc` itself, which alone describes them. */
const globalDoc = ([name, text]: readonly [string, string]): FlagDoc => ({
  name,
  aliases: [],
  type: ["json", "jsonl", "dry-run"].includes(name) ? "boolean" : "string",
  description: Option.some(text),
  required: false
})

/** The help, with its examples first. Flags of many commands are named only. */
export const helpText = (doc: HelpDoc, colors: boolean): string => {
  const { examples = [], flags, globalFlags: general = [], ...rest } = doc
  const bold = (text: string) => (colors ? `\u001b[1m${text}\u001b[0m` : text)
  const dim = (text: string) => (colors ? `\u001b[2m${text}\u001b[0m` : text)
  const isRoot = doc.commandPath?.length === 1
  const own = flags.filter(({ name }) => !Object.hasOwn(globalFlags, name))
  const named = [...flags.filter((flag) => !own.includes(flag)), ...general].map(({ name }) => `--${name}`)
  const shown = examples.map(({ command, description }) => `  ${dim(`# ${description}`)}\n  ${command}`)
  const text = defaultFormatter({ colors, globalFlags: isRoot ? "full" : "none" }).formatHelpDoc({
    ...rest,
    description: rest.description.replaceAll(/\n(?=\S)/g, "\n  "),
    flags: own,
    globalFlags: [...Object.entries(globalFlags).map(globalDoc), ...general]
  })
  return [
    ...(shown.length === 0 ? [] : [`${bold("EXAMPLES")}\n${shown.join("\n")}\n`]),
    text.trimEnd(),
    ...(isRoot ? [] : [`\n${bold("GLOBAL FLAGS")}\n  ${named.join(", ")}; see svc --help`])
  ].join("\n")
}

/** The words of a text in lines of at most `width` columns; `used` of the first line are taken. */
export const wrapWords = (text: string, width: number, used = 0): ReadonlyArray<string> => {
  const [first = "", ...words] = text.split(" ")
  const lines = [first]
  let column = used + displayWidth(first)
  for (const word of words) {
    const end = column + 1 + displayWidth(word)
    const fits = end <= width
    if (fits) lines.push(`${lines.pop()} ${word}`)
    else lines.push(word)
    column = fits ? end : displayWidth(word)
  }
  return lines
}

/** Wraps lines at `width` columns. What follows in a column, as descriptions of flags do, stays in it. */
export const wrapHelp = (text: string, width: number): string =>
  text
    .split("\n")
    .flatMap((line) => {
      if (displayWidth(line) <= width) return [line]
      const escapes = "(?:\u001b\\[[0-9;]*m)*"
      const columns = new RegExp(`^(${escapes} *\\S.*? {2,}${escapes})(?=\\S)`).exec(line)?.[1]
      const lead = columns ?? /^ */.exec(line)?.[0] ?? ""
      const indent = displayWidth(lead) > width / 2 ? 6 : displayWidth(lead)
      const lines = wrapWords(line.slice(lead.length), width - indent, displayWidth(lead) - indent)
      return [lead + lines.join(`\n${" ".repeat(indent)}`)]
    })
    .join("\n")
