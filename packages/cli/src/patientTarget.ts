/** A service whose rate limit is waited for. */
import * as Effect from "effect/Effect"
import { note } from "./Output.ts"
import type { Target } from "./Target.ts"

/** Longest wait, in seconds; a limit that lasts longer is returned. */
const longestWait = 120

/** Tells the person at a terminal about a wait. */
export const noteWait = (seconds: number): Effect.Effect<void> =>
  note(`svc: the rate limit is reached; continuing in ${seconds} s.`)

/** The target; a request that its rate limit refused is sent again after `Retry-After`. `onWait` tells the person. */
export const patientTarget = (target: Target, onWait: (seconds: number) => Effect.Effect<void>): Target => {
  const send: Target["send"] = Effect.fnUntraced(function* (request) {
    for (;;) {
      const reply = yield* target.send(request)
      const isLimited = reply.status === 429 && Object(Object(reply.body).error).code === "RATE_LIMITED"
      const seconds = reply.retryAfter ?? 1
      if (!isLimited || request.body !== undefined || seconds > longestWait) return reply
      yield* onWait(seconds)
      yield* Effect.sleep(seconds * 1_000)
    }
  })
  return { ...target, send }
}
