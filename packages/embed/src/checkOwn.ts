/** Ids and URIs of a host's own commands and resources: well-formed, and free on every surface. */
import { methodPath } from "@svc/client"
import { commands } from "@svc/core/commands"
import { isFunction, isListOf, isOptions, must } from "@svc/core/names"
import { makeResources } from "@svc/core/resources"
import type { Hooks } from "./Hooks.ts"

const word = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"

const idPattern = new RegExp(`^${word}(?:\\.${word})+$`)

const namePattern = new RegExp(`^${word}$`)

const uriPattern = /^svc:\/\/[a-z0-9-]+(?:\/(?:[a-z0-9-]+|\{[a-z]+\}))*$/

/** MCP clients limit the names of tools. */
const maxLength = 40

/** First words that something else has: a member of the service, a word of `svc`, or a tool of MCP. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...["as", "close", "commands", "create-organization", "effect", "events", "fetch", "join", "keys", "node"],
  ...["organization", "organizations", "resources", "transaction", "work", "command", "resource"],
  ...["api", "auth", "completions", "db", "dev", "doctor", "drafts", "explain", "help", "init", "listen", "login"],
  ...["logout", "logs", "mcp", "open", "orgs", "sending", "serve", "simulate", "webhooks", "whoami", "worker"],
  ...["approve", "backup", "restore", "status", "why"]
])

/** Ids that are no commands of the catalogue, and yet have their place: methods of the service, and words of `svc`. */
export const reservedIds: ReadonlySet<string> = new Set(["audit.verify", "import.csv", "key.issue"])

const pathOf = (id: string): string => methodPath(id).join(".")

/** Whether one path leads through the other. */
const isWithin = (inner: string, outer: string): boolean => inner.startsWith(`${outer}.`)

/** Why an id cannot be used beside the ids that there are; undefined if it can. */
const idProblem = (id: unknown, taken: ReadonlyMap<string, string>): string | undefined => {
  if (typeof id !== "string" || !idPattern.test(id))
    return `id ${JSON.stringify(id)} must be at least two lower-case words joined by ".", such as crm.ping.`
  if (id.length > maxLength) return `id ${JSON.stringify(id)} has ${id.length} characters; the most is ${maxLength}.`
  const words = id.split(".")
  if (reservedWords.has(words[0] ?? "") || words.includes("then") || reservedIds.has(id))
    return `id ${JSON.stringify(id)} is reserved, since the service has ${words[0]} itself. Choose another first word.`
  const path = pathOf(id)
  const same = taken.get(path)
  if (same === id) return `there is a command ${id} already. Choose another id.`
  if (same !== undefined) return `id ${id} would have the method of ${same}, svc.${path}. Choose another id.`
  for (const [other, otherId] of taken) {
    if (isWithin(other, path)) return `id ${id} names the group of ${otherId}. Add a word, such as ${id}.run.`
    if (isWithin(path, other)) return `id ${id} would be part of the command ${otherId}. Choose another id.`
  }
  return undefined
}

/** Whether some URI fits both templates. */
const overlap = (one: string, other: string): boolean => {
  const [left, right] = [one.split("/"), other.split("/")]
  const fits = (part: string, index: number) =>
    part === right[index] || part.startsWith("{") || right[index]?.startsWith("{")
  return left.length === right.length && left.every(fits)
}

interface Entry {
  readonly uri: unknown
  readonly name: unknown
}

const resourceProblem = (
  { name, uri }: Entry,
  taken: ReadonlyArray<{ readonly uri: string; readonly name: string }>
) => {
  if (typeof uri !== "string" || !uriPattern.test(uri))
    return `uri ${JSON.stringify(uri)} must be like svc://crm/contacts/{id}: lower-case words and names in braces.`
  if (typeof name !== "string" || !namePattern.test(name))
    return `name ${JSON.stringify(name)} must be lower-case words joined by "-", such as crm-contact.`
  const same = taken.find((other) => other.name === name)
  if (same !== undefined) return `there is a resource ${name} already, ${same.uri}. Choose another name.`
  const clash = taken.find((other) => overlap(other.uri, uri))
  return clash && `uri ${uri} would be read as ${clash.uri}. Choose another.`
}

interface Own {
  readonly commands: ReadonlyArray<{ readonly id: unknown }>
  readonly resources: ReadonlyArray<Entry>
}

/** What is wrong with ids and URIs of a host; undefined if nothing. */
export const ownProblem = ({ commands: own, resources }: Own): string | undefined => {
  const taken = new Map<string, string>(commands.map(({ id }) => [pathOf(id), id]))
  for (const [index, { id }] of own.entries()) {
    const problem = idProblem(id, taken)
    if (problem !== undefined) return `commands[${index}]: ${problem}`
    taken.set(pathOf(String(id)), String(id))
  }
  const uris: Array<{ readonly uri: string; readonly name: string }> = makeResources([]).map(({ entry }) => entry)
  for (const [index, { name, uri }] of resources.entries()) {
    const problem = resourceProblem({ name, uri }, uris)
    if (problem !== undefined) return `resources[${index}]: ${problem}`
    uris.push({ name: String(name), uri: String(uri) })
  }
  return undefined
}

const isMade = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && (name in value || "perform" in value || "entry" in value)

/** What a host adds. The parts of a command or resource are checked where it is taken. */
export const ownChecks = {
  commands: isListOf(
    must("a command of defineCommand", (value) => isMade(value, "id")),
    "a list of commands"
  ),
  resources: isListOf(
    must("a resource of defineResource", (value) => isMade(value, "uri")),
    "a list of resources"
  ),
  hooks: isOptions<Hooks>({ before: isFunction, after: isFunction })
}
