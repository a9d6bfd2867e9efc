/** Every setting of the service, with its environment variable. Secrets have a redacted type. */
import { type Failure, InvalidInput } from "@svc/core"
import { parseKey } from "@svc/core/internal"
import { parseRedisUrl, parseTrustedProxies } from "@svc/http"
import { type DatabaseUrl, defaultDatabaseUrl, parseDatabaseUrl, parseDeploymentKeys } from "@svc/postgres"
import { parseSmtpUrl } from "@svc/providers/smtp"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { logLevels } from "./logging.ts"
import {
  bridge,
  bridgeSecret,
  dsn,
  type Environment,
  email,
  findText,
  integer,
  isProblem,
  nonEmpty,
  oneOf,
  optional,
  origin,
  privateKey,
  providerProblems,
  providerVariables,
  reader,
  readOtlpTarget,
  secretText,
  secretVariable,
  trueOrFalse,
  type Variable,
  variable
} from "./settingValues.ts"

export type { Environment } from "./settingValues.ts"

/** Gateways to LinkedIn. */
export const gatewayNames = ["simulator", "manual", "unipile", "http"] as const

/** How messages are sent. */
export type GatewayName = (typeof gatewayNames)[number]

const defaultDatabase: DatabaseUrl = {
  _tag: "Pglite",
  directory: defaultDatabaseUrl.slice("pglite:".length),
  label: defaultDatabaseUrl
}

/** A setting of retention. */
const days = (name: string, defaultValue: number, what: string): Variable<number> =>
  variable(name, defaultValue, integer(0, 36_500), `Days to keep ${what}; 0 keeps them forever`)

/** The variables by setting. */
export const variables = {
  databaseUrl: {
    ...secretVariable("SVC_DATABASE_URL", reader(parseDatabaseUrl), "Database: postgres://…, pglite:FOLDER or memory:"),
    defaultValue: defaultDatabase as DatabaseUrl
  },
  host: variable("SVC_HOST", "127.0.0.1", nonEmpty, "Host to listen on"),
  port: variable("SVC_PORT", 4700, integer(0, 65_535), "Port to listen on; 0 for a free one"),
  adminHost: variable("SVC_ADMIN_HOST", "127.0.0.1", nonEmpty, "Host of the admin port"),
  adminPort: optional(
    "SVC_ADMIN_PORT",
    integer(0, 65_535),
    "Port of /healthz, /readyz and /metrics, also of svc worker; the public port then lacks them. 0 for a free one"
  ),
  drainSeconds: variable(
    "SVC_DRAIN_SECONDS",
    5,
    integer(0, 300),
    "Seconds that svc serve keeps serving when stopped, with /readyz off, so that load balancers move on"
  ),
  keepAliveSeconds: variable(
    "SVC_KEEP_ALIVE_SECONDS",
    65,
    integer(1, 3_600),
    "Seconds that a connection stays open without a request; more than a load balancer keeps its own"
  ),
  trustedProxies: optional(
    "SVC_TRUSTED_PROXIES",
    reader(parseTrustedProxies),
    "Networks of proxies whose X-Forwarded-For names the client: 10.0.0.0/8, 2001:db8::/32; without it, the connection does"
  ),
  publicUrl: optional("SVC_PUBLIC_URL", origin, "Public URL, used in links and Location"),
  ...providerVariables,
  bootstrapKey: secretVariable<Redacted.Redacted<string>>(
    "SVC_BOOTSTRAP_KEY",
    (text) =>
      parseKey(text) === undefined
        ? { problem: "must be a key from svc keys generate" }
        : Redacted.make(text, { label: "SVC_BOOTSTRAP_KEY" }),
    "Key of the first organization, from svc keys generate"
  ),
  deploymentKeys: secretVariable<ReadonlyArray<Redacted.Redacted>>(
    "SVC_DEPLOYMENT_KEY",
    (text) =>
      parseDeploymentKeys(text) ?? { problem: "must be 32 random bytes in Base64, or several separated by commas" },
    "Key that encrypts secrets in the database, the same on every machine: 32 bytes in Base64 (openssl rand -base64 32); to replace it: NEW,OLD"
  ),
  linkedinGateway: optional(
    "SVC_LINKEDIN_GATEWAY",
    oneOf(gatewayNames),
    "How messages are sent: simulator, manual (by people), unipile or http (a bridge); default manual for svc serve and svc worker, else simulator"
  ),
  unipileDsn: optional("SVC_UNIPILE_DSN", dsn, "Host or URL of the provider's API"),
  unipileApiKey: secretText("SVC_UNIPILE_API_KEY", "API key of the provider"),
  unipileWebhookSecret: secretText("SVC_UNIPILE_WEBHOOK_SECRET", "Secret of the provider's webhooks"),
  bridgeUrl: optional("SVC_LINKEDIN_BRIDGE_URL", bridge, "URL of the HTTP bridge"),
  bridgeSecret: secretVariable(
    "SVC_LINKEDIN_BRIDGE_SECRET",
    bridgeSecret,
    "Secret that signs requests to and from the HTTP bridge"
  ),
  sendHoldSeconds: variable(
    "SVC_SEND_HOLD_SECONDS",
    10,
    integer(0, 86_400),
    "Seconds during which an approval can be undone before its message is sent"
  ),
  heartbeatGapSeconds: variable(
    "SVC_HEARTBEAT_GAP_SECONDS",
    86_400,
    integer(0, 31_536_000),
    "Seconds without any process after which sending is held until svc sending release; 0 for never"
  ),
  onFailover: variable(
    "SVC_ON_FAILOVER",
    "resume",
    oneOf(["resume", "hold"]),
    "What sending does when the database failed over to a standby: resume after reading conversations, or hold until svc sending release"
  ),
  linkedinPacing: variable(
    "SVC_LINKEDIN_PACING",
    "on",
    oneOf(["on", "off"]),
    "Whether usage limits, ramp-up, pauses and working hours apply: on or off"
  ),
  mcpActorKind: variable(
    "SVC_MCP_ACTOR_KIND",
    "AI_AGENT",
    oneOf(["AI_AGENT", "key"]),
    "Who calls over MCP: an AI agent whatever its key says (AI_AGENT), or the actor kind of the key (key)"
  ),
  allowUnpaced: variable(
    "SVC_ALLOW_UNPACED",
    "no",
    oneOf(["yes", "no"]),
    "Whether SVC_LINKEDIN_PACING=off is allowed with a real provider: yes or no"
  ),
  simulatorAcceptSeconds: variable(
    "SVC_SIMULATOR_ACCEPT_SECONDS",
    30,
    integer(0, 86_400),
    "Seconds until a simulated person accepts an invitation"
  ),
  rateLimit: variable("SVC_RATE_LIMIT", 300, integer(0, 1_000_000), "Requests per minute and key; 0 for no limit"),
  redis: secretVariable(
    "SVC_REDIS_URL",
    reader(parseRedisUrl),
    "Redis for shared rate limits: rediss://USER:PASSWORD@HOST:6379/0"
  ),
  dbPool: variable("SVC_DB_POOL", 16, integer(1, 1000), "PostgreSQL connections"),
  dbShare: variable(
    "SVC_DB_SHARE",
    25,
    integer(1, 100),
    "Percent of the connections that one organization may use while others need some; 100 for no limit"
  ),
  statementTimeoutSeconds: variable(
    "SVC_STATEMENT_TIMEOUT_SECONDS",
    10,
    integer(1, 600),
    "Seconds that a statement may take on PostgreSQL; without a response, a request fails 2 s later"
  ),
  searchTimeoutSeconds: variable(
    "SVC_SEARCH_TIMEOUT_SECONDS",
    5,
    integer(1, 600),
    "Seconds that a statement of a search may take on PostgreSQL, if SVC_STATEMENT_TIMEOUT_SECONDS is not less"
  ),
  databaseWaitSeconds: variable(
    "SVC_DATABASE_WAIT_SECONDS",
    30,
    integer(0, 3_600),
    "Seconds that servers and workers wait for PostgreSQL when they start"
  ),
  workers: variable("SVC_WORKERS", 4, integer(1, 64), "Concurrent jobs"),
  retainIdempotencyDays: days("SVC_RETAIN_IDEMPOTENCY_DAYS", 7, "results of requests with an Idempotency-Key"),
  retainDeliveriesDays: days("SVC_RETAIN_DELIVERIES_DAYS", 30, "finished deliveries of webhooks"),
  retainEventsDays: days(
    "SVC_RETAIN_EVENTS_DAYS",
    0,
    "events, which mission.stats and histories of leads are read from"
  ),
  retainImportRowsDays: days("SVC_RETAIN_IMPORT_ROWS_DAYS", 180, "rows of imports; without them one cannot be undone"),
  retainAuditDays: days(
    "SVC_RETAIN_AUDIT_DAYS",
    0,
    "sealed audit rows, deleted in whole days; svc audit verify then starts after the last deleted one"
  ),
  allowPrivateTargets: optional(
    "SVC_ALLOW_PRIVATE_TARGETS",
    trueOrFalse,
    "Whether webhooks may use private network addresses: true or false; by default only svc dev may use its own " +
      "machine"
  ),
  smtp: secretVariable(
    "SVC_SMTP_URL",
    reader(parseSmtpUrl),
    "SMTP server: smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587"
  ),
  dkimSelector: variable(
    "SVC_DKIM_SELECTOR",
    "svc",
    nonEmpty,
    "Selector of the DKIM key: its public part is published at SELECTOR._domainkey of each sending domain"
  ),
  dkimKey: secretVariable(
    "SVC_DKIM_KEY",
    privateKey("SVC_DKIM_KEY"),
    "Private key (PEM) that emails are signed with where no mail server does it"
  ),
  noticeFrom: optional(
    "SVC_NOTICE_FROM",
    email,
    "Email address that notices to approvers come from; without it, none are sent"
  ),
  logLevel: variable("SVC_LOG_LEVEL", "info", oneOf(logLevels), `Log level: ${logLevels.join(", ")}`),
  logFormat: optional(
    "SVC_LOG_FORMAT",
    oneOf(["json", "pretty"]),
    "Log format: json or pretty; default pretty on a terminal, else json"
  ),
  otlp: secretVariable(
    "SVC_OTLP_URL",
    readOtlpTarget,
    "OTLP endpoint for traces and metrics: http://HOST:4318, or with USER:PASSWORD@"
  )
}

/** The settings, read and checked. */
export type Settings = { readonly [Name in keyof typeof variables]: (typeof variables)[Name]["defaultValue"] }

/** The failure for invalid settings. */
export const badSettings = (problems: ReadonlyArray<string>): Failure =>
  new InvalidInput({ message: `Invalid settings: ${problems.join("; ")}. Correct them and start again.` })

const needs: Readonly<
  Record<GatewayName, ReadonlyArray<"unipileDsn" | "unipileApiKey" | "bridgeUrl" | "bridgeSecret">>
> = {
  simulator: [],
  manual: [],
  unipile: ["unipileDsn", "unipileApiKey"],
  http: ["bridgeUrl", "bridgeSecret"]
}

const isReal = (gateway: GatewayName): boolean => needs[gateway].length > 0

/** Settings that a gateway lacks, or that are not allowed with it. */
export const gatewayProblems = (gateway: GatewayName, settings: Settings): ReadonlyArray<string> => {
  const missing = needs[gateway].filter((name) => settings[name] === undefined).map((name) => variables[name].name)
  const isUnpaced = isReal(gateway) && settings.linkedinPacing === "off" && settings.allowUnpaced === "no"
  return [
    ...(missing.length === 0 ? [] : [`the LinkedIn gateway ${gateway} requires ${missing.join(" and ")}`]),
    ...(isUnpaced
      ? [
          `SVC_LINKEDIN_PACING=off would let the gateway ${gateway} write to people without limits and at any hour, which ` +
            "requires SVC_ALLOW_UNPACED=yes"
        ]
      : [])
  ]
}

/**
 * Reads the settings of an environment. Fails with INVALID_INPUT listing every bad variable, never a value; `labels` are
 * other names for variables.
 */
export const readSettings = (environment: Environment, labels: Environment = {}): Result.Result<Settings, Failure> => {
  const problems: Array<string> = []
  const valueOf = (variable: Variable<unknown>): unknown => {
    const { defaultValue, name, read } = variable
    const found = findText(environment, variable)
    if (found.source === "bad") problems.push(found.problem)
    if (found.source === "bad" || found.source === "default") return defaultValue
    const value = read(found.text)
    if (!isProblem(value)) return value
    problems.push(`${labels[name] ?? name} ${value.problem}`)
    return defaultValue
  }
  const values = Object.entries(variables).map(([setting, variable]) => [setting, valueOf(variable)])
  // The entries of `variables` with their own values.
  const settings = Object.fromEntries(values) as Settings
  if (problems.length === 0 && settings.linkedinGateway !== undefined) {
    problems.push(...gatewayProblems(settings.linkedinGateway, settings))
  }
  problems.push(...providerProblems(settings))
  return problems.length === 0 ? Result.succeed(settings) : Result.fail(badSettings(problems))
}
