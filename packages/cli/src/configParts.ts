/** What a module of a host adds to the service. */
import { nearestName } from "@svc/core"
import { type HostParts, hostParts } from "@svc/embed/composition"

const members = ["commands", "resources", "hooks", "gateway"]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The parts of a module. Throws what is wrong with it. */
export const configParts = (module: unknown): HostParts => {
  const { default: main, ...named } = isObject(module) ? module : {}
  const all: Readonly<Record<string, unknown>> = { ...named, ...(isObject(main) ? main : {}) }
  const { "module.exports": _, __esModule: __, ...own } = all
  for (const name of Object.keys(own)) {
    if (members.includes(name)) continue
    const nearest = nearestName(name, members)
    throw new Error(
      `it exports ${name}. ${nearest === undefined ? `Known are ${members.join(", ")}` : `Did you mean ${nearest}?`}`
    )
  }
  return hostParts(own)
}
