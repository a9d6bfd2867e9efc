/**
 * Every setting of the service and the environment variable it comes from.
 *
 * A bad value is never half-used: reading fails with one message that lists every bad variable. Secrets are redacted by
 * their type. Source: contract 3 and 7.
 */
import { type Failure, fail } from "@svc/core/Failure"
import { parseKey } from "@svc/core/workspace/ApiKey"
import { type DatabaseUrl, defaultDatabaseUrl, parseDatabaseUrl } from "@svc/postgres/DatabaseUrl"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** The gateways to LinkedIn that can be chosen. */
export const gatewayNames = ["simulator", "manual"] as const

/** How messages leave. */
export type GatewayName = (typeof gatewayNames)[number]

/** How much is logged. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const

/** The settings, read and checked. */
export interface Settings {
  readonly databaseUrl: DatabaseUrl
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly bootstrapKey: Redacted.Redacted<string> | undefined
  readonly linkedinGateway: GatewayName | undefined
  readonly sendHoldSeconds: number
  readonly linkedinPacing: "on" | "off"
  readonly simulatorAcceptSeconds: number
  readonly rateLimit: number
  readonly dbPool: number
  /** Undefined when nothing was said: then `svc dev` may reach its own machine. */
  readonly allowPrivateTargets: boolean | undefined
  readonly logLevel: (typeof logLevels)[number]
  readonly logFormat: "json" | "pretty" | undefined
}

/** An environment: names and values. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a value, or says what is wrong with it: "must be …". */
type Read<A> = (text: string) => A | { readonly problem: string }

const isBad = (value: unknown): value is { readonly problem: string } =>
  typeof value === "object" && value !== null && "problem" in value

const integer =
  (minimum: number, maximum: number): Read<number> =>
  (text) => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum
      ? value
      : { problem: `must be a whole number from ${minimum} to ${maximum}` }
  }

const oneOf =
  <A extends string>(names: ReadonlyArray<A>): Read<A> =>
  (text) =>
    names.find((name) => name === text) ?? { problem: `must be one of ${names.join(", ")}` }

const yesOrNo: Read<boolean> = (text) =>
  text === "true" || text === "false" ? text === "true" : { problem: "must be true or false" }

const nonEmpty: Read<string> = (text) => (text === "" ? { problem: "must be a text that is not empty" } : text)

const origin: Read<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const good = (url?.protocol === "https:" || url?.protocol === "http:") && url.search === "" && url.hash === ""
  return good ? text.replace(/\/+$/, "") : { problem: "must be an http or https address without query" }
}

const database: Read<DatabaseUrl> = (text) => {
  const parsed = parseDatabaseUrl(text)
  return Result.isSuccess(parsed)
    ? parsed.success
    : { problem: parsed.failure.message.replace(/^SVC_DATABASE_URL /, "").replace(/\.$/, "") }
}

const standardDatabase: DatabaseUrl = {
  _tag: "Pglite",
  directory: defaultDatabaseUrl.slice("pglite:".length),
  label: defaultDatabaseUrl
}

const variable = <A>(name: string, standard: NoInfer<A>, read: Read<Exclude<A, undefined>>, meaning: string) => ({
  name,
  standard,
  read,
  meaning
})

/** The variables by setting. */
export const variables = {
  databaseUrl: variable<DatabaseUrl>(
    "SVC_DATABASE_URL",
    standardDatabase,
    database,
    "Where the data is: postgres://…, pglite:FOLDER or memory:"
  ),
  host: variable<string>("SVC_HOST", "127.0.0.1", nonEmpty, "Address to listen on"),
  port: variable<number>("SVC_PORT", 4700, integer(0, 65_535), "Port to listen on; 0 takes a free one"),
  publicUrl: variable<string | undefined>("SVC_PUBLIC_URL", undefined, origin, "Address used in links and Location"),
  bootstrapKey: variable<Redacted.Redacted<string> | undefined>(
    "SVC_BOOTSTRAP_KEY",
    undefined,
    (text) =>
      parseKey(text) === undefined
        ? { problem: "must be a key made with svc keys generate" }
        : Redacted.make(text, { label: "SVC_BOOTSTRAP_KEY" }),
    "Key of the first organization, made with svc keys generate"
  ),
  linkedinGateway: variable<GatewayName | undefined>(
    "SVC_LINKEDIN_GATEWAY",
    undefined,
    oneOf(gatewayNames),
    "How messages leave: simulator or manual"
  ),
  sendHoldSeconds: variable<number>(
    "SVC_SEND_HOLD_SECONDS",
    10,
    integer(0, 86_400),
    "Seconds an approval can be taken back before its message is sent"
  ),
  linkedinPacing: variable<"on" | "off">(
    "SVC_LINKEDIN_PACING",
    "on",
    oneOf(["on", "off"] as const),
    "Whether usage limits, ramp-up, rests and working hours hold messages back"
  ),
  simulatorAcceptSeconds: variable<number>(
    "SVC_SIMULATOR_ACCEPT_SECONDS",
    30,
    integer(0, 86_400),
    "Seconds until a simulated person accepts an invitation"
  ),
  rateLimit: variable<number>(
    "SVC_RATE_LIMIT",
    300,
    integer(0, 1_000_000),
    "Requests a minute for each key; 0 is no limit"
  ),
  dbPool: variable<number>("SVC_DB_POOL", 16, integer(1, 1000), "Connections to PostgreSQL"),
  allowPrivateTargets: variable<boolean | undefined>(
    "SVC_ALLOW_PRIVATE_TARGETS",
    undefined,
    yesOrNo,
    "Whether webhooks may reach private addresses: true or false; svc dev may reach its own machine unless it is set"
  ),
  logLevel: variable<(typeof logLevels)[number]>("SVC_LOG_LEVEL", "info", oneOf(logLevels), "How much is logged"),
  logFormat: variable<"json" | "pretty" | undefined>(
    "SVC_LOG_FORMAT",
    undefined,
    oneOf(["json", "pretty"] as const),
    "How logs look; pretty on a terminal"
  )
}

/** Reads the settings of an environment. Fails with INVALID_INPUT listing every bad variable, never a value. */
export const readSettings = (environment: Environment): Result.Result<Settings, Failure> => {
  const problems: Array<string> = []
  const value = <A>({ name, read, standard }: ReturnType<typeof variable<A>>): A => {
    const text = environment[name]
    if (text === undefined || text === "") return standard
    const result = read(text)
    if (!isBad(result)) return result
    problems.push(`${name} ${result.problem}`)
    return standard
  }
  const settings: Settings = {
    databaseUrl: value(variables.databaseUrl),
    host: value(variables.host),
    port: value(variables.port),
    publicUrl: value(variables.publicUrl),
    bootstrapKey: value(variables.bootstrapKey),
    linkedinGateway: value(variables.linkedinGateway),
    sendHoldSeconds: value(variables.sendHoldSeconds),
    linkedinPacing: value(variables.linkedinPacing),
    simulatorAcceptSeconds: value(variables.simulatorAcceptSeconds),
    rateLimit: value(variables.rateLimit),
    dbPool: value(variables.dbPool),
    allowPrivateTargets: value(variables.allowPrivateTargets),
    logLevel: value(variables.logLevel),
    logFormat: value(variables.logFormat)
  }
  return problems.length === 0
    ? Result.succeed(settings)
    : Result.fail(fail("INVALID_INPUT", `Settings: ${problems.join("; ")}. Correct them and start again.`))
}
