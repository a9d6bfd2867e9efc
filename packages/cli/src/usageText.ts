/** Usage errors and help as text that fits the terminal. */
import type * as CliError from "effect/cli/CliError"
import { displayWidth } from "effect/cli/CliOutput"

const guess = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`

const usageErrorOf = (error: CliError.CliError): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `Unknown flag ${error.option}.${guess(error.suggestions)}`
    case "UnknownSubcommand":
      return `Unknown command ${JSON.stringify(error.subcommand)}.${guess(error.suggestions)}`
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
      return `${name} must be ${expected.includes(", ") ? "one of " : ""}${expected}.`
    }
    case "UnexpectedArgument":
      return `Unexpected argument: ${error.arguments.join(" ")}.`
    default:
      return error.message.replaceAll(/\s*\n\s*/g, " ").replace(/[^.?]$/, "$&.")
  }
}

/** The usage errors as one line. A group such as `svc commands` has no `--json`, which is no error. */
export const usageErrors = (errors: ReadonlyArray<CliError.CliError>): string => {
  const real = errors.filter((error) => !(error._tag === "UnrecognizedOption" && /^--(no-)?json/.test(error.option)))
  return real.length === 0 ? "A subcommand is required." : real.map(usageErrorOf).join(" ")
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
