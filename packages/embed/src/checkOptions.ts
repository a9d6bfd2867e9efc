/** Options that types allow through, or that a program without types passes. */
import { InvalidInput } from "@svc/core"
import { foreignLayer } from "./effectCopies.ts"
import { isGatewayDefinition } from "./functionGateway.ts"
import { ownOptionProblem } from "./ownOptionProblem.ts"
import { type GatewayName, gatewayNames } from "./Settings.ts"

/** What is wrong with the HTTP options. */
const httpProblem = (http: unknown): string | undefined => {
  if (typeof http !== "object" || http === null) return "http: not an object such as { docs: false }."
  const { docs, health, mount, review } = http as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries({ docs, health, review }))
    if (value !== undefined && typeof value !== "boolean") return `http.${name}: neither true nor false.`
  if (mount === undefined || (typeof mount === "string" && /^(\/[\w.~-]+)+$/.test(mount))) return undefined
  return "http.mount: not a path such as /outreach, which begins with a slash and ends without."
}

interface Checked {
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
  commands,
  email,
  gateway,
  hooks,
  http,
  layers,
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
