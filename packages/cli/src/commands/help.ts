/** `svc help TOPIC`: settings, exit codes, the environment of a client, formatting. `svc explain CODE`: errors and reasons. */

import { didYouMean, failureTable, NotFound, quote } from "@svc/core"
import { variables } from "@svc/embed/composition"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { clientSettings } from "../clientSettings.ts"
import { inCliTerms } from "../cliTerms.ts"
import { out, outJson, outProse } from "../Output.ts"
import { outTable } from "../table.ts"
import { json, optionalArgument } from "./flags.ts"

const terminalSettings = [
  { name: "PAGER", meaning: "Pager for long tables, if SVC_PAGER is not set" },
  { name: "VISUAL, EDITOR", meaning: "Editor of svc drafts review" },
  { name: "NO_COLOR, FORCE_COLOR", meaning: "Turn colors off or on" },
  { name: "CI", meaning: "If it is set, nothing is asked" },
  { name: "XDG_CONFIG_HOME", meaning: "Folder of the profiles; default ~/.config" }
]

/** The exit codes of `svc`. */
export const exitCodes: ReadonlyArray<readonly [number, string]> = [
  [0, "Done"],
  [1, "The command failed, or an unexpected error"],
  [2, "Usage or input is not valid"],
  [3, "Not logged in, or not allowed"],
  [4, "Not found"],
  [5, "Conflict, or not possible in this state"],
  [6, "The service is unreachable"],
  [7, "A rate or usage limit is reached"],
  [8, "Done in part: some rows were rejected"],
  [9, "The provider failed or refused"],
  [130, "Interrupted, or answered with no"]
]

const formatting = `Without a flag, a terminal shows tables and details; a pipe gets tab-separated values with full ids.

  --json                  the complete response, exactly as the service sent it
  --json name,status      only these fields: a list of objects, or one object
  --fields name,status    the columns of the table
  --jsonl                 one JSON value per line; with --all while the pages are read
  --jq EXPRESSION         what jq makes of what --json prints; texts without quotes

  svc lead search --all --json name,email --jq '.[] | select(.email != null) | .email'`

/** What client commands read from the environment. */
export const variablesOfClients = [...clientSettings, ...terminalSettings]

const defaultOf = (defaultValue: unknown): string => {
  if (typeof defaultValue === "object" && defaultValue !== null && "label" in defaultValue)
    return String(defaultValue.label)
  return defaultValue === undefined ? "" : String(defaultValue)
}

/** Every setting. */
export const settings = [
  ...Object.values(variables).map(({ isSecret, meaning, name, defaultValue }) => ({
    name,
    default: defaultOf(defaultValue),
    secret: isSecret,
    meaning
  })),
  ...clientSettings
]

/** A subcommand that prints a table; with `--json` the value that it is made of. */
const tableCommand = (
  name: string,
  columns: ReadonlyArray<string>,
  value: unknown,
  rows: () => ReadonlyArray<ReadonlyArray<unknown>>
) => Command.make(name, { json }, ({ json: asJson }) => (asJson ? outJson(value, true) : outTable(columns, rows())))

const settingsCommand = tableCommand("settings", ["variable", "meaning"], { settings }, () =>
  settings.map((one) =>
    process.stdout.isTTY
      ? [one.name, `${one.meaning}${one.default && ` [default ${one.default}]`}`]
      : [one.name, one.default, one.meaning]
  )
).pipe(
  Command.withDescription("List the environment variables that svc reads"),
  Command.withExamples([{ command: "svc help settings", description: "Name, default and meaning of each" }])
)

const environmentCommand = tableCommand("environment", ["variable", "meaning"], { variables: variablesOfClients }, () =>
  variablesOfClients.map(({ meaning, name }) => [name, meaning])
).pipe(
  Command.withDescription(
    "List the environment variables of client commands; svc help settings has those of a service"
  ),
  Command.withShortDescription("List the variables of client commands")
)

const exitCodesCommand = tableCommand(
  "exit-codes",
  ["code", "meaning"],
  { exit_codes: exitCodes.map(([code, meaning]) => ({ code, meaning })) },
  () => exitCodes
).pipe(
  Command.withDescription("List the exit codes; svc explain lists the errors with theirs"),
  Command.withShortDescription("List the exit codes")
)

const formattingCommand = Command.make("formatting", {}, () => out(formatting)).pipe(
  Command.withDescription("Read about --json, --fields, --jsonl and --jq")
)

/** `svc help`. */
export const help = Command.make("help").pipe(
  Command.withDescription("Read about settings, exit codes, the environment and formatting"),
  Command.withShortDescription("Read about settings, exit codes and formatting"),
  Command.withSubcommands([settingsCommand, environmentCommand, exitCodesCommand, formattingCommand])
)

const readEntries = Effect.forEach(
  Object.entries(failureTable),
  ([code, { exitCode, hint, kind, retryable, status }]) =>
    Effect.map(inCliTerms(hint), (text) => ({ code, kind, status, exit_code: exitCode, retryable, hint: text }))
)

/** `svc explain`. */
export const explain = Command.make(
  "explain",
  {
    code: optionalArgument("code", "Code of an error or a reason, such as WRONG_STATE or usage_limit; omit for all"),
    json
  },
  Effect.fnUntraced(function* ({ code: given, json: asJson }) {
    const entries = yield* readEntries
    // Loaded on use: other subcommands share this module.
    const { reasonTable } = yield* Effect.promise(() => import("@svc/core/outreach"))
    if (given === undefined) {
      if (asJson) return yield* outJson({ errors: entries, reasons: reasonTable }, true)
      const errors = entries.map((entry) => [entry.code, entry.status, entry.exit_code, entry.hint])
      const rows = [...errors, ...reasonTable.map(({ code, text }) => [code, null, null, text])]
      return yield* outTable(["code", "status", "exit", "hint"], rows)
    }
    const wanted = given.toUpperCase().replaceAll("-", "_")
    const reason = reasonTable.find((known) => known.code === wanted.toLowerCase())
    if (reason !== undefined) {
      if (asJson) return yield* outJson(reason, true)
      const { can_change, code, command, text } = reason
      const fix = command === null ? "" : `\n  command      ${yield* inCliTerms(command)}`
      return yield* outProse(`${code}: ${text}\n\n  can change   ${can_change}${fix}`)
    }
    const entry = entries.find((known) => known.code === wanted)
    if (entry === undefined) {
      const codes = [...entries, ...reasonTable].map(({ code }) => code)
      const part = codes.filter((code) => wanted.length > 2 && code.toUpperCase().includes(wanted)).join(" or ")
      const guess = part === "" ? didYouMean(given, codes) : ` Did you mean ${part}?`
      const message = `Unknown code ${quote(given)}.${guess || " List all codes with svc explain."}`
      return yield* new NotFound({ kind: "code", id: given, message })
    }
    if (asJson) return yield* outJson(entry, true)
    yield* outProse(
      [
        `${entry.code}: ${entry.hint}`,
        "",
        `  HTTP status  ${entry.status}`,
        `  exit code    ${entry.exit_code}`,
        `  retry        ${entry.retryable ? "yes, after a while" : "no, fix the cause first"}`
      ].join("\n")
    )
  })
).pipe(
  Command.withDescription("Explain the code of an error or a reason"),
  Command.withExamples([{ command: "svc explain WRONG_STATE", description: "One code" }])
)
