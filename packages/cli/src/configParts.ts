/** What a module of a host adds to the service. */
import { type HostParts, hostParts } from "@svc/embed/composition"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The parts of a module. Throws what is wrong with it. */
export const configParts = (module: unknown): HostParts => {
  const { default: main, ...named } = isObject(module) ? module : {}
  const all: Readonly<Record<string, unknown>> = { ...named, ...(isObject(main) ? main : {}) }
  const { "module.exports": _, __esModule: __, ...own } = all
  return hostParts(own)
}
