/** The options of a service, and what is checked of them where types do not: in a program without types, or beyond them. */
import type { Failure, Scope } from "@svc/core"
import type { EmailGateway, InboxGateway, TokenRequest } from "@svc/core/email"
import * as Names from "@svc/core/names"
import type { LinkedInGateway } from "@svc/core/outreach"
import type * as Layer from "effect/Layer"
import type { CallerOf } from "./callerOf.ts"
import type { OwnCommand, OwnResource } from "./catalogueLayer.ts"
import { ownChecks } from "./checkOwn.ts"
import { type DatabaseOption, isDatabase } from "./databaseOption.ts"
import { type GatewayDefinition, isGateway } from "./define/defineGateway.ts"
import { foreignLayer } from "./effectCopies.ts"
import { isGatewayDefinition } from "./functionGateway.ts"
import type { Hooks } from "./Hooks.ts"
import { type HostActor, isActor, isScopes } from "./HostActor.ts"
import { gatewayNames } from "./Settings.ts"
import type { SvcSettings } from "./SvcSettings.ts"

/** What the HTTP surface of a host program serves, and where. What is off is not found. */
export interface HttpOptions {
  /** The OpenAPI document, `/docs`, its Markdown and `/llms.txt`; default true. */
  readonly docs?: boolean
  /** `/healthz` and `/readyz`; default true. */
  readonly health?: boolean
  /** The review page at `/review`, with sign-in if callers have keys; default true. */
  readonly review?: boolean
  /**
   * The path that the surface is mounted at, `/outreach`, in a framework that leaves it in a request's URL; default none.
   * Express takes it off, and needs no `mount`.
   */
  readonly mount?: string
}

/** Options of a service; all have defaults, which apply to undefined as well. */
export interface SvcOptions<Extra extends OwnCommand = never> {
  /** Where everything is kept; default `SVC_DATABASE_URL`, then `pglite:./.svc/data`. */
  readonly database?: DatabaseOption | undefined
  /** @deprecated Use `database`. */
  readonly databaseUrl?: string | undefined
  /** Settings by name. An option of the same meaning goes first, the environment last. */
  readonly settings?: SvcSettings | undefined
  /**
   * Where settings come from that are given neither as an option nor in `settings`, by the names of `svc help settings`;
   * default `process.env`, without what only a server reads, such as SVC_PORT. `false`: nowhere, all have their defaults.
   */
  readonly env?: false | Readonly<Record<string, string | undefined>> | undefined
  /** Id of the organization that calls act in; default the first one, created if there is none. */
  readonly organization?: string | undefined
  /** The default actor of calls, with full rights unless it names scopes. */
  readonly actor?: HostActor | undefined
  /** The scopes of a caller of `auth` or `fetch` that names none; default none. */
  readonly defaultScopes?: ReadonlyArray<Scope> | undefined
  /** How messages are sent: a name, your own of `defineGateway`, or a layer; default `SVC_LINKEDIN_GATEWAY`, then the simulator. */
  readonly gateway?:
    | "simulator"
    | "manual"
    | "http"
    | "unipile"
    | Layer.Layer<LinkedInGateway>
    | GatewayDefinition
    | undefined
  /** How e-mail is sent: your own layer; default `SVC_SMTP_URL`, then simulated if LinkedIn is. */
  readonly email?: Layer.Layer<EmailGateway> | undefined
  /** How mailboxes are read: your own layer; default IMAP, or simulated if e-mail is. */
  readonly inbox?: Layer.Layer<InboxGateway> | undefined
  /** Gives an access token (OAuth 2.0) of a mailbox that is connected without a password. */
  readonly mailboxToken?: ((request: TokenRequest) => Promise<string>) | undefined
  /** Whether this process sends messages that are due; default true. */
  readonly worker?: boolean | undefined
  /** Your own commands, available on every surface: of `defineCommand`, or of `Command.make` with Effect. */
  readonly commands?: ReadonlyArray<Extra> | undefined
  /** Your own resources, readable on every surface: of `defineResource`, or of `Resource.make` with Effect. */
  readonly resources?: ReadonlyArray<OwnResource> | undefined
  readonly hooks?: Hooks | undefined
  /** @deprecated Use `auth: [callerOf]`. */
  readonly callerOf?: CallerOf | undefined
  /**
   * Ways to authenticate HTTP requests, tried in order: `["keys", callerOf]` lets agents with keys and the host's own users
   * share one mount. Default `["keys"]`.
   */
  readonly auth?: ReadonlyArray<"keys" | CallerOf> | undefined
  /** Origin in links; default `SVC_PUBLIC_URL`. */
  readonly publicUrl?: string | undefined
  /** What the HTTP surface serves, and where. */
  readonly http?: HttpOptions | undefined
  /** HTTP requests per minute and caller, 0 for no limit; default `SVC_RATE_LIMIT`, then 300. */
  readonly rateLimit?: number | undefined
  /** Actor kind over MCP: always AI agent, or that of the key; default `SVC_MCP_ACTOR_KIND`. */
  readonly mcpActorKind?: "AI_AGENT" | "key" | undefined
  /** Adds the sample data that examples refer to. */
  readonly sample?: boolean | undefined
  /** Replacements for services such as repositories, clock and loggers. */
  readonly layers?: Layer.Layer<never, Failure> | undefined
}

const isHttp = Names.isOptions<HttpOptions>({
  docs: Names.isSwitch,
  health: Names.isSwitch,
  review: Names.isSwitch,
  mount: Names.must(
    "a path such as /outreach, which begins with a slash and ends without",
    (path) => typeof path === "string" && /^(\/[\w.~-]+)+$/.test(path)
  )
})

const isRecord = Names.must("an object", (value) => typeof value === "object" && value !== null)

const isEnvironment: Names.Check = (env, path) => {
  if (env === false) return undefined
  const wrong = Object.entries(Object(env)).find(([, value]) => value !== undefined && typeof value !== "string")
  return wrong === undefined ? isRecord(env, path) : `${path}.${wrong[0]} must be text.`
}

/** A name, a definition or a layer. */
const isGatewayOption: Names.Check = (gateway, path) => {
  if (isGatewayDefinition(gateway)) return isGateway(gateway, path)
  if (typeof gateway !== "string") return foreignLayer(path, gateway)
  if (gatewayNames.some((name) => name === gateway)) return undefined
  return `${path}: ${JSON.stringify(gateway)} is none of ${gatewayNames.join(", ")}, a gateway of defineGateway, or a Layer.`
}

/** A check of each option. */
export const svcChecks: Names.Checks<SvcOptions> = {
  database: isDatabase,
  databaseUrl: Names.isText,
  // Their names and values are those of the table of settings.
  settings: isRecord,
  env: isEnvironment,
  organization: Names.isText,
  actor: isActor,
  defaultScopes: isScopes,
  gateway: isGatewayOption,
  email: (layer, path) => foreignLayer(path, layer),
  inbox: (layer, path) => foreignLayer(path, layer),
  mailboxToken: Names.isFunction,
  worker: Names.isSwitch,
  commands: ownChecks.commands,
  resources: ownChecks.resources,
  hooks: ownChecks.hooks,
  callerOf: Names.isFunction,
  auth: Names.must(
    'a list of "keys" and functions, e.g. ["keys", callerOf]',
    (auth) => Array.isArray(auth) && auth.every((way) => way === "keys" || typeof way === "function")
  ),
  publicUrl: Names.isText,
  http: isHttp,
  rateLimit: Names.isWhole(0),
  mcpActorKind: Names.isOneOf(["AI_AGENT", "key"]),
  sample: Names.isSwitch,
  layers: (layer, path) => foreignLayer(path, layer)
}

const isSvc = Names.isOptions(svcChecks)

/** What is wrong with options, undefined if nothing. */
export const optionProblem = (options: object): string | undefined => {
  const { database, databaseUrl } = Object(options)
  const isTwice = database !== undefined && databaseUrl !== undefined
  return (
    isSvc(options, "createSvc", true) ?? (isTwice ? "database: databaseUrl is given too. Give one of them." : undefined)
  )
}
