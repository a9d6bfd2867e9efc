/** Telling a caller who asked for it that a call still runs. Source: the protocol's progress notifications. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isObject, type Message, type Params } from "./JsonRpc.ts"

/** Sends a notification to whoever waits for a reply. */
export type Notify = (notification: Params) => Effect.Effect<void>

/** How often a caller hears of it. */
const pulse = Duration.seconds(5)

/** The token under which a caller wants to hear of a request's progress; undefined when it does not. */
export const progressToken = (message: Message): string | number | undefined => {
  const meta = message._tag === "Request" ? message.params["_meta"] : undefined
  const token = isObject(meta) ? meta["progressToken"] : undefined
  return typeof token === "string" || typeof token === "number" ? token : undefined
}

/** The notification that something went on. */
export const progressOf = (token: string | number, progress: number, more: Params = {}): Params => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: token, progress, ...more }
})

/** Waits for a reply, and says every few seconds that it is still to come, where the caller wants to hear it. */
export const withProgress = <A>(message: Message, notify: Notify, reply: Effect.Effect<A>): Effect.Effect<A> => {
  const token = progressToken(message)
  if (token === undefined) return reply
  const told = Effect.gen(function* () {
    for (let count = 1; ; count++) {
      yield* Effect.sleep(pulse)
      yield* notify(progressOf(token, count, { message: "still running" }))
    }
  })
  return Effect.raceFirst(reply, told)
}
