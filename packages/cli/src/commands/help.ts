/** `svc help TOPIC`: settings, exit codes, the environment of a client, formatting. */
import { variables } from "@svc/embed/composition"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { out, outJson } from "../Output.ts"
import { outPaged } from "../pager.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { json } from "./flags.ts"

/** Variables of client commands. */
const clientSettings = [
  { name: "SVC_API_KEY", default: "", secret: true, meaning: "API key of the caller" },
  { name: "SVC_API_KEY_FILE", default: "", secret: false, meaning: "Path of a file that contains the API key" },
  { name: "SVC_BASE_URL", default: "", secret: false, meaning: "URL of the server to talk to" },
  { name: "SVC_PROFILE", default: "", secret: false, meaning: "Name of the profile to use, as saved by svc login" },
  { name: "SVC_PAGER", default: "", secret: false, meaning: "Pager for long tables; PAGER is used without it" },
  {
    name: "SVC_CONFIG",
    default: "./svc.config.js",
    secret: false,
    meaning: "Module with your own commands, resources, hooks and gateway"
  }
]

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
export const variablesOfClients: ReadonlyArray<{ readonly name: string; readonly meaning: string }> = [
  ...clientSettings,
  ...terminalSettings
]

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

const settingsCommand = Command.make("settings", { json }, ({ json: asJson }) => {
  if (asJson) return outJson({ settings }, true)
  return Effect.suspend(() => {
    const surface = stdoutSurface()
    const rows = settings.map((one) =>
      surface.width === undefined
        ? [one.name, one.default, one.meaning]
        : [one.name, `${one.meaning}${one.default && ` [default ${one.default}]`}`]
    )
    return outPaged(renderTable(["variable", "meaning"], rows, surface, { prose: true }))
  })
}).pipe(
  Command.withDescription("List the environment variables that svc reads"),
  Command.withExamples([{ command: "svc help settings", description: "Name, default and meaning of each" }])
)

const environmentCommand = Command.make("environment", { json }, ({ json: asJson }) => {
  const variables = [...clientSettings, ...terminalSettings]
  if (asJson) return outJson({ variables }, true)
  const rows = variables.map(({ meaning, name }) => [name, meaning])
  return Effect.suspend(() => outPaged(renderTable(["variable", "meaning"], rows, stdoutSurface(), { prose: true })))
}).pipe(
  Command.withDescription(
    "List the environment variables of client commands; svc help settings has those of a service"
  ),
  Command.withShortDescription("List the variables of client commands")
)

const exitCodesCommand = Command.make("exit-codes", { json }, ({ json: asJson }) => {
  if (asJson) return outJson({ exit_codes: exitCodes.map(([code, meaning]) => ({ code, meaning })) }, true)
  return Effect.suspend(() => out(renderTable(["code", "meaning"], exitCodes, stdoutSurface(), { prose: true })))
}).pipe(
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
