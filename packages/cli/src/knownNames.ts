/** Handles and ids of what an organization has, for completions and for what was mistyped. */
import { nearestName } from "@svc/core"
import * as Effect from "effect/Effect"
import { dataOf, get, objectsOf, sendCommand, type Target } from "./Target.ts"

/** Where the names are: a path or a command, the list in its reply, and the field. */
const lists = {
  agents: ["agent.list", "agents", "handle"],
  keys: ["key.list", "keys", "key_id"],
  missions: ["/api/v1/missions?limit=100", "missions", "handle"],
  offers: ["offer.list", "offers", "id"],
  webhooks: ["webhook.list", "webhooks", "id"]
} as const

/** Reads the newest hundred; none if the service cannot be reached, or the key may not read them. */
export const knownNames = (target: Target, kind: keyof typeof lists): Effect.Effect<ReadonlyArray<string>> => {
  const [path, list, field] = lists[kind]
  const sent = path.startsWith("/") ? get(target, path) : sendCommand(target, path, { limit: 100 })
  return sent.pipe(
    Effect.map((reply) => objectsOf(dataOf(reply)[list]).map((row) => String(row[field]))),
    Effect.orElseSucceed(() => [])
  )
}

const isKind = (word: string): word is keyof typeof lists => Object.hasOwn(lists, word)

/** The message, with the nearest name of the same organization if it says that one was not found. */
export const withNearestName = Effect.fnUntraced(function* (target: Target, message: string) {
  const [found = "", noun = "", name = ""] = /^(\w+) "([^"]+)" not found\./.exec(message) ?? []
  const kind = `${noun.toLowerCase()}s`
  if (!isKind(kind)) return message
  const names = yield* knownNames(target, kind)
  // The beginning of a handle is enough: sprng for spring-outreach.
  const starts = new Map(
    names.flatMap((whole) => whole.split("-").map((_, at, words) => [words.slice(0, at + 1).join("-"), whole] as const))
  )
  const nearest = starts.get(nearestName(name, [...starts.keys()]) ?? "")
  return nearest === undefined ? message : `${found} Did you mean ${nearest}?`
})
