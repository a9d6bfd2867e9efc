/**
 * Logs on stderr: lines for a terminal, or JSON, always `{timestamp, level, message}` with the fields of what is logged
 * beside them, and `cause` with stack traces.
 */

import * as Arr from "effect/Array"
import * as Formatter from "effect/Formatter"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { capitalize } from "effect/String"
import type { Environment } from "./settingValues.ts"

/** How much is logged. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const

/** Whether logs are JSON: `SVC_LOG_FORMAT`, or by default if stderr is not a terminal. */
export const logsJson = (environment: Environment): boolean =>
  (environment["SVC_LOG_FORMAT"] || (process.stderr.isTTY ? "pretty" : "json")) !== "pretty"

interface LogLine {
  readonly timestamp: string
  readonly level: string
  readonly message: string
  readonly cause?: string | undefined
}

/** A line of JSON. Fields cannot replace what every line has. */
export const logLine = (line: LogLine, fields: Readonly<Record<string, unknown>>): string =>
  Formatter.formatJson({ ...line, ...fields, ...line })

const isFields = (part: unknown): part is object => typeof part === "object" && part !== null

const jsonLogger = Logger.map(Logger.formatStructured, ({ annotations, cause, level, message, timestamp }) => {
  const parts = Arr.ensure(message)
  const text = parts.filter((part) => !isFields(part)).join(" ")
  return logLine({ timestamp, level, message: text, cause }, Object.assign({}, ...parts.filter(isFields), annotations))
})

/** The logger of an environment. A bad value falls back to the default; readSettings rejects it. */
export const loggingLayer = (environment: Environment): Layer.Layer<never> => {
  const logger = Logger.withConsoleError(logsJson(environment) ? jsonLogger : Logger.formatLogFmt)
  const level = logLevels.find((name) => name === environment["SVC_LOG_LEVEL"]) ?? "info"
  return Layer.mergeAll(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, capitalize(level)))
}
