/** Options that types allow through, or that a program without types passes; and options by their earlier names. */
import { unknownName } from "@svc/core"
import * as Effect from "effect/Effect"
import type { CallerOf } from "./callerOf.ts"
import { type Given, ownOptionProblem } from "./checkOwn.ts"
import { type DatabaseOption, databaseProblem } from "./databaseOption.ts"
import { foreignLayer } from "./effectCopies.ts"
import { isGatewayDefinition } from "./functionGateway.ts"
import { actorProblem, scopesProblem } from "./HostActor.ts"
import { gatewayNames } from "./Settings.ts"

/** The names of the options. */
export const optionNames = (
  "database databaseUrl settings env organization actor defaultScopes gateway email worker commands resources hooks " +
  "callerOf auth publicUrl http rateLimit mcpActorKind sample layers"
).split(" ")

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

/** What is wrong with the HTTP options. */
const httpProblem = (http: unknown): string | undefined => {
  const unknown = unknownName("http", http, ["docs", "health", "review", "mount"])
  if (unknown !== undefined) return unknown
  const { mount, ...switches }: Given = { ...Object(http) }
  const wrong = Object.entries(switches).find(([, value]) => value !== undefined && typeof value !== "boolean")
  if (wrong !== undefined) return `http.${wrong[0]}: neither true nor false.`
  if (mount === undefined || (typeof mount === "string" && /^(\/[\w.~-]+)+$/.test(mount))) return undefined
  return "http.mount: not a path such as /outreach, which begins with a slash and ends without."
}

/** What is wrong with options, undefined if nothing. */
export const optionProblem = (options: object): string | undefined => {
  const unknown = unknownName("createSvc", options, optionNames)
  if (unknown !== undefined) return unknown
  const given: Given = { ...options }
  const { actor, auth = [], callerOf, defaultScopes = [], email, gateway, http, layers } = given
  const { mcpActorKind = "key", rateLimit = 0 } = given
  if (typeof gateway === "string" && !gatewayNames.some((name) => name === gateway))
    return `gateway: ${JSON.stringify(gateway)} is none of ${gatewayNames.join(", ")}, a gateway of defineGateway, or a Layer.`
  if (!Number.isSafeInteger(rateLimit) || Number(rateLimit) < 0)
    return "rateLimit: not a whole number of requests per minute, or 0 for no limit."
  if (mcpActorKind !== "key" && mcpActorKind !== "AI_AGENT") return "mcpActorKind must be AI_AGENT or key."
  if (callerOf !== undefined && typeof callerOf !== "function") return "callerOf must be a function."
  if (!Array.isArray(auth) || auth.some((way) => way !== "keys" && typeof way !== "function"))
    return 'auth must be a list of "keys" and functions, e.g. ["keys", callerOf].'
  const isLayer = typeof gateway !== "string" && !isGatewayDefinition(gateway)
  const foreign = Object.entries({ gateway: isLayer ? gateway : undefined, email, layers }).map(([name, value]) =>
    value === undefined ? undefined : foreignLayer(name, value)
  )
  return (
    (actor === undefined ? undefined : actorProblem("actor", actor)) ??
    scopesProblem("defaultScopes", defaultScopes) ??
    (http === undefined ? undefined : httpProblem(http)) ??
    ownOptionProblem(given) ??
    foreign.find((problem) => problem !== undefined) ??
    databaseProblem(given)
  )
}

/** Names that still work, and the option that has taken their place. */
export const renamed: Readonly<Record<string, string>> = {
  databaseUrl: "database",
  callerOf: "auth",
  "settings.databaseUrl": "database",
  "settings.dbPool": "database.pool",
  "settings.linkedinGateway": "gateway",
  "settings.mcpActorKind": "mcpActorKind",
  "settings.publicUrl": "publicUrl",
  "settings.rateLimit": "rateLimit"
}

interface OldOptions {
  readonly auth?: ReadonlyArray<"keys" | CallerOf> | undefined
  readonly callerOf?: CallerOf | undefined
  readonly database?: DatabaseOption | undefined
  readonly databaseUrl?: string | undefined
}

/** The database and the ways to authenticate, by whichever name they were given. */
export const currentOptions = ({ auth, callerOf, database, databaseUrl }: OldOptions) => ({
  auth: auth ?? [callerOf ?? "keys"],
  database: database ?? databaseUrl
})

const warned = new Set<string>()

/** Warns of each old name that is in use, once in a process. */
export const warnOfOldNames = (options: object): Effect.Effect<void> => {
  const valueAt = (path: string) => path.split(".").reduce<unknown>((at, name) => Object(at)[name], options)
  const used = Object.keys(renamed).filter((name) => !warned.has(name) && valueAt(name) !== undefined)
  return Effect.forEach(
    used,
    (name) => {
      warned.add(name)
      return Effect.logWarning(`createSvc: ${name} is deprecated. Use ${renamed[name]} instead.`)
    },
    { discard: true }
  )
}
