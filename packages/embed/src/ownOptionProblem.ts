/** What a host adds, before it is taken apart: lists of commands and resources, hooks and a gateway. */
import { gatewayProblem, isGatewayDefinition } from "./functionGateway.ts"

const isCommand = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" && "run" in value

const isResource = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("entry" in value || ("uri" in value && "read" in value))

const listProblem = (
  name: string,
  list: unknown,
  isOne: (value: unknown) => boolean,
  what: string
): string | undefined => {
  if (list === undefined) return undefined
  if (!Array.isArray(list)) return `${name}: not an array of ${name}.`
  const wrong = list.findIndex((one) => !isOne(one))
  return wrong === -1
    ? undefined
    : `${name}[${wrong}]: not a ${what}. Make it with define${what.replace(/^./, (letter) => letter.toUpperCase())}.`
}

const hooksProblem = (hooks: unknown): string | undefined => {
  if (typeof hooks !== "object" || hooks === null) return "hooks: not an object with before and after."
  const wrong = Object.entries(hooks).find(
    ([name, hook]) => !/^(before|after)$/.test(name) || typeof hook !== "function"
  )
  return wrong && `hooks.${wrong[0]}: only before and after are known, both functions.`
}

interface OwnOptions {
  readonly commands?: unknown
  readonly resources?: unknown
  readonly hooks?: unknown
  readonly gateway?: unknown
}

/** What is wrong with it; undefined if nothing. */
export const ownOptionProblem = ({ commands, gateway, hooks, resources }: OwnOptions): string | undefined =>
  listProblem("commands", commands, isCommand, "command") ??
  listProblem("resources", resources, isResource, "resource") ??
  (hooks === undefined ? undefined : hooksProblem(hooks)) ??
  (isGatewayDefinition(gateway) ? gatewayProblem(gateway) : undefined)
