/**
 * Every setting of the service and the environment variable it comes from.
 *
 * A bad value is never half-used: reading fails with one message that lists every bad variable. Secrets are redacted by
 * their type. Source: contract 3 and 7.
 */
import { type Failure, fail } from "@svc/core/Failure"
import { parseKey } from "@svc/core/workspace/ApiKey"
import type { RedisTarget } from "@svc/http/redis/RedisUrl"
import { type DatabaseUrl, defaultDatabaseUrl } from "@svc/postgres/DatabaseUrl"
import type { SmtpTarget } from "@svc/smtp/SmtpUrl"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { logLevels } from "./logLevels.ts"
import { type OtlpTarget, readOtlpTarget } from "./OtlpTarget.ts"
import { bridge, bridgeSecret, database, dsn, redis, smtp } from "./settingValues.ts"
import {
  type Environment,
  integer,
  isBad,
  nonEmpty,
  oneOf,
  origin,
  secret,
  secretVariable,
  variable,
  yesOrNo
} from "./Variable.ts"
import { findText } from "./VariableText.ts"

export type { Environment } from "./Variable.ts"

/** The gateways to LinkedIn that can be chosen. */
export const gatewayNames = ["simulator", "manual", "unipile", "http"] as const

/** How messages leave. */
export type GatewayName = (typeof gatewayNames)[number]

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
  readonly allowUnpaced: "yes" | "no"
  readonly unipileDsn: string | undefined
  readonly unipileApiKey: Redacted.Redacted | undefined
  readonly unipileWebhookSecret: Redacted.Redacted | undefined
  readonly bridgeUrl: string | undefined
  readonly bridgeSecret: Redacted.Redacted | undefined
  readonly simulatorAcceptSeconds: number
  readonly rateLimit: number
  /** Where servers that share limits keep them; in the process when undefined. */
  readonly redis: RedisTarget | undefined
  readonly dbPool: number
  readonly workers: number
  /** Undefined when nothing was said: then `svc dev` may reach its own machine. */
  readonly allowPrivateTargets: boolean | undefined
  /** Where e-mail is handed over; nowhere when undefined. */
  readonly smtp: SmtpTarget | undefined
  readonly mcpConformance: "0" | "1"
  readonly logLevel: (typeof logLevels)[number]
  readonly logFormat: "json" | "pretty" | undefined
  /** Where traces and figures go; nowhere when undefined. */
  readonly otlp: OtlpTarget | undefined
}

const standardDatabase: DatabaseUrl = {
  _tag: "Pglite",
  directory: defaultDatabaseUrl.slice("pglite:".length),
  label: defaultDatabaseUrl
}

/** The variables by setting. */
export const variables = {
  databaseUrl: secretVariable<DatabaseUrl>(
    "SVC_DATABASE_URL",
    standardDatabase,
    database,
    "Where the data is: postgres://…, pglite:FOLDER or memory:"
  ),
  host: variable<string>("SVC_HOST", "127.0.0.1", nonEmpty, "Address to listen on"),
  port: variable<number>("SVC_PORT", 4700, integer(0, 65_535), "Port to listen on; 0 takes a free one"),
  publicUrl: variable<string | undefined>("SVC_PUBLIC_URL", undefined, origin, "Address used in links and Location"),
  bootstrapKey: secretVariable<Redacted.Redacted<string> | undefined>(
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
    "How messages leave: simulator, manual (people send them), unipile or http (a bridge)"
  ),
  unipileDsn: variable<string | undefined>("SVC_UNIPILE_DSN", undefined, dsn, "Where the provider's API is"),
  unipileApiKey: secretVariable<Redacted.Redacted | undefined>(
    "SVC_UNIPILE_API_KEY",
    undefined,
    secret("SVC_UNIPILE_API_KEY"),
    "Key of the provider's API"
  ),
  unipileWebhookSecret: secretVariable<Redacted.Redacted | undefined>(
    "SVC_UNIPILE_WEBHOOK_SECRET",
    undefined,
    secret("SVC_UNIPILE_WEBHOOK_SECRET"),
    "Secret that the provider's webhooks carry"
  ),
  bridgeUrl: variable<string | undefined>("SVC_LINKEDIN_BRIDGE_URL", undefined, bridge, "Where the HTTP bridge is"),
  bridgeSecret: secretVariable<Redacted.Redacted | undefined>(
    "SVC_LINKEDIN_BRIDGE_SECRET",
    undefined,
    bridgeSecret,
    "Secret that requests to the HTTP bridge, and its answers, are signed with"
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
  allowUnpaced: variable<"yes" | "no">(
    "SVC_ALLOW_UNPACED",
    "no",
    oneOf(["yes", "no"] as const),
    "Whether SVC_LINKEDIN_PACING=off is allowed with a real provider"
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
  redis: secretVariable<RedisTarget | undefined>(
    "SVC_REDIS_URL",
    undefined,
    redis,
    "Redis in which servers share rate limits: rediss://USER:PASSWORD@HOST:6379/0"
  ),
  dbPool: variable<number>("SVC_DB_POOL", 16, integer(1, 1000), "Connections to PostgreSQL"),
  workers: variable<number>("SVC_WORKERS", 4, integer(1, 64), "Messages that are worked on at the same time"),
  allowPrivateTargets: variable<boolean | undefined>(
    "SVC_ALLOW_PRIVATE_TARGETS",
    undefined,
    yesOrNo,
    "Whether webhooks may reach private addresses: true or false; svc dev may reach its own machine unless it is set"
  ),
  smtp: secretVariable<SmtpTarget | undefined>(
    "SVC_SMTP_URL",
    undefined,
    smtp,
    "Server that takes e-mail: smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587"
  ),
  mcpConformance: variable<"0" | "1">("SVC_MCP_CONFORMANCE", "0", oneOf(["0", "1"]), "1 adds the suite's fixtures"),
  logLevel: variable<(typeof logLevels)[number]>("SVC_LOG_LEVEL", "info", oneOf(logLevels), "How much is logged"),
  logFormat: variable<"json" | "pretty" | undefined>(
    "SVC_LOG_FORMAT",
    undefined,
    oneOf(["json", "pretty"] as const),
    "How logs look; pretty on a terminal"
  ),
  otlp: secretVariable<OtlpTarget | undefined>(
    "SVC_OTLP_URL",
    undefined,
    readOtlpTarget,
    "Where traces and figures go, over OTLP: http://HOST:4318, or with USER:PASSWORD@"
  )
}

/** The failure that names what is wrong with settings. */
export const badSettings = (problems: ReadonlyArray<string>): Failure =>
  fail("INVALID_INPUT", `Settings: ${problems.join("; ")}. Correct them and start again.`)

const needs: Readonly<
  Record<GatewayName, ReadonlyArray<"unipileDsn" | "unipileApiKey" | "bridgeUrl" | "bridgeSecret">>
> = {
  simulator: [],
  manual: [],
  unipile: ["unipileDsn", "unipileApiKey"],
  http: ["bridgeUrl", "bridgeSecret"]
}

/** Whether a gateway reaches people. */
export const isReal = (gateway: GatewayName): boolean => needs[gateway].length > 0

/** What a gateway lacks, and what must not go with it. */
export const gatewayProblems = (gateway: GatewayName, settings: Settings): ReadonlyArray<string> => {
  const missing = needs[gateway].filter((name) => settings[name] === undefined).map((name) => variables[name].name)
  const isUnpaced = isReal(gateway) && settings.linkedinPacing === "off" && settings.allowUnpaced === "no"
  return [
    ...(missing.length === 0 ? [] : [`the LinkedIn gateway ${gateway} needs ${missing.join(" and ")}`]),
    ...(isUnpaced
      ? [
          `SVC_LINKEDIN_PACING=off would let the gateway ${gateway} write to people without limits and at any hour, which ` +
            "needs SVC_ALLOW_UNPACED=yes"
        ]
      : [])
  ]
}

/** Reads the settings of an environment. Fails with INVALID_INPUT listing every bad variable, never a value. */
export const readSettings = (environment: Environment): Result.Result<Settings, Failure> => {
  const problems: Array<string> = []
  const value = <A>(asked: ReturnType<typeof variable<A>>): A => {
    const { name, read, standard } = asked
    const found = findText(environment, asked)
    if (found.source === "bad") problems.push(found.problem)
    if (found.source === "bad" || found.source === "default") return standard
    const result = read(found.text)
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
    allowUnpaced: value(variables.allowUnpaced),
    unipileDsn: value(variables.unipileDsn),
    unipileApiKey: value(variables.unipileApiKey),
    unipileWebhookSecret: value(variables.unipileWebhookSecret),
    bridgeUrl: value(variables.bridgeUrl),
    bridgeSecret: value(variables.bridgeSecret),
    simulatorAcceptSeconds: value(variables.simulatorAcceptSeconds),
    rateLimit: value(variables.rateLimit),
    redis: value(variables.redis),
    dbPool: value(variables.dbPool),
    workers: value(variables.workers),
    allowPrivateTargets: value(variables.allowPrivateTargets),
    smtp: value(variables.smtp),
    mcpConformance: value(variables.mcpConformance),
    logLevel: value(variables.logLevel),
    logFormat: value(variables.logFormat),
    otlp: value(variables.otlp)
  }
  if (problems.length === 0 && settings.linkedinGateway !== undefined) {
    problems.push(...gatewayProblems(settings.linkedinGateway, settings))
  }
  return problems.length === 0 ? Result.succeed(settings) : Result.fail(badSettings(problems))
}
