/** `svc help settings`: lists the environment variables. */
import { variables } from "@svc/embed/composition"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { outJson } from "../Output.ts"
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
  const rows = settings.map((setting) => [setting.name, setting.default, setting.meaning])
  return Effect.suspend(() => outPaged(renderTable(["variable", "default", "meaning"], rows, stdoutSurface())))
}).pipe(
  Command.withDescription("List the environment variables that svc reads"),
  Command.withExamples([{ command: "svc help settings", description: "Name, default and meaning of each" }])
)

/** `svc help`. */
export const help = Command.make("help").pipe(
  Command.withDescription("Read about settings"),
  Command.withSubcommands([settingsCommand])
)
