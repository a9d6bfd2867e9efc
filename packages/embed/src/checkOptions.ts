/** Options that types allow through, or that a program without types passes. */
import { InvalidInput, unknownName } from "@svc/core"
import { ownOptionProblem } from "./checkOwn.ts"
import { foreignLayer } from "./effectCopies.ts"
import { isGatewayDefinition } from "./functionGateway.ts"
import { actorProblem, scopesProblem } from "./HostActor.ts"
import { type GatewayName, gatewayNames } from "./Settings.ts"

/** What is wrong with the HTTP options. */
const httpProblem = (http: unknown): string | undefined => {
  const unknown = unknownName("http", http, ["docs", "health", "review", "mount"])
  if (unknown !== undefined) return unknown
  const { docs, health, mount, review } = http as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries({ docs, health, review }))
    if (value !== undefined && typeof value !== "boolean") return `http.${name}: neither true nor false.`
  if (mount === undefined || (typeof mount === "string" && /^(\/[\w.~-]+)+$/.test(mount))) return undefined
  return "http.mount: not a path such as /outreach, which begins with a slash and ends without."
}

interface Checked {
  readonly actor?: unknown
  readonly auth?: unknown
  readonly callerOf?: unknown
  readonly defaultScopes?: unknown
  readonly mcpActorKind?: unknown
  readonly http?: unknown
  readonly gateway?: unknown
  readonly email?: unknown
  readonly layers?: unknown
  readonly commands?: unknown
  readonly resources?: unknown
  readonly hooks?: unknown
  readonly rateLimit?: unknown
}

/** What is wrong with options, undefined if nothing. */
export const optionProblem = ({
  actor,
  auth = [],
  callerOf,
  commands,
  defaultScopes = [],
  email,
  gateway,
  hooks,
  http,
  layers,
  mcpActorKind = "key",
  rateLimit,
  resources
}: Checked): InvalidInput | undefined => {
  const refused = (message: string) => new InvalidInput({ message })
  if (typeof gateway === "string" && !gatewayNames.includes(gateway as GatewayName))
    return refused(
      `gateway: ${JSON.stringify(gateway)} is none of ${gatewayNames.join(", ")}, a gateway of defineGateway, or a Layer.`
    )
  if (rateLimit !== undefined && !(Number.isSafeInteger(rateLimit) && Number(rateLimit) >= 0))
    return refused("rateLimit: not a whole number of requests per minute, or 0 for no limit.")
  if (mcpActorKind !== "key" && mcpActorKind !== "AI_AGENT") return refused("mcpActorKind must be AI_AGENT or key.")
  if (callerOf !== undefined && typeof callerOf !== "function") return refused("callerOf must be a function.")
  if (!Array.isArray(auth) || auth.some((way) => way !== "keys" && typeof way !== "function"))
    return refused('auth must be a list of "keys" and functions, e.g. ["keys", callerOf].')
  const wrongActor = actor === undefined ? undefined : actorProblem("actor", actor)
  const wrongRights = wrongActor ?? scopesProblem("defaultScopes", defaultScopes)
  if (wrongRights !== undefined) return wrongRights
  const wrongHttp = http === undefined ? undefined : httpProblem(http)
  if (wrongHttp !== undefined) return refused(wrongHttp)
  const wrongOwn = ownOptionProblem({ commands, resources, hooks, gateway })
  if (wrongOwn !== undefined) return refused(wrongOwn)
  const ownGateway = isGatewayDefinition(gateway)
  for (const [name, value] of Object.entries({ gateway, email, layers })) {
    if (value === undefined || (name === "gateway" && (typeof value === "string" || ownGateway))) continue
    const foreign = foreignLayer(name, value)
    if (foreign !== undefined) return foreign
  }
  return undefined
}
