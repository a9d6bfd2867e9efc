/** What a host adds, before it is taken apart: lists of commands and resources, hooks and a gateway. */
import { unknownName } from "@svc/core"
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
  const unknown = unknownName("hooks", hooks, ["before", "after"])
  if (unknown !== undefined) return unknown
  const wrong = Object.entries(Object(hooks)).find(([, hook]) => hook !== undefined && typeof hook !== "function")
  return wrong && `hooks.${wrong[0]} must be a function.`
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
