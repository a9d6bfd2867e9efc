/** Logs, on stderr only: JSON for machines, lines for a terminal. Source: contract 3. */

import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import * as References from "effect/References"
import { logLevels } from "./logLevels.ts"
import type { Environment } from "./Variable.ts"

const levels: Readonly<Record<(typeof logLevels)[number], LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
}

/** The logger of an environment. A bad value falls back to the default; whatever reads all settings refuses it. */
export const loggingLayer = (environment: Environment): Layer.Layer<never> => {
  const level = logLevels.find((name) => name === environment["SVC_LOG_LEVEL"]) ?? "info"
  const pretty = (environment["SVC_LOG_FORMAT"] ?? (process.stderr.isTTY ? "pretty" : "json")) === "pretty"
  const logger = Logger.withConsoleError(pretty ? Logger.formatLogFmt : Logger.formatJson)
  return Layer.mergeAll(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, levels[level]))
}
