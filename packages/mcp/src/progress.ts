/** Progress notifications for callers that want them. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Message, metaOf, notification, type Params } from "./JsonRpc.ts"

/** Sends a notification to the caller. */
export type Notify = (notification: Params) => Effect.Effect<void>

const interval = Duration.seconds(5)

/** The progress token of a request; undefined if the caller wants no progress. */
export const progressToken = (message: Message): string | number | undefined => {
  if (message._tag !== "Request") return undefined
  const token = metaOf(message.params)["progressToken"]
  return typeof token === "string" || typeof token === "number" ? token : undefined
}

/** A progress notification. */
export const progressNotification = (token: string | number, progress: number, more: Params = {}): Params =>
  notification("notifications/progress", { progressToken: token, progress, ...more })

/** Sends progress notifications until the reply is there, if the caller wants them. */
export const withProgress = <A>(message: Message, notify: Notify, reply: Effect.Effect<A>): Effect.Effect<A> => {
  const token = progressToken(message)
  if (token === undefined) return reply
  const notifications = Effect.gen(function* () {
    for (let count = 1; ; count++) {
      yield* Effect.sleep(interval)
      yield* notify(progressNotification(token, count, { message: "still running" }))
    }
  })
  return Effect.raceFirst(reply, notifications)
}
