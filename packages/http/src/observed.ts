/** What is known of every request afterwards: it is counted, and timed. Source: contract 3 (observability). */
import { requestAnswered } from "@svc/core/instruments"
import * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Match, NoMatch } from "./Route.ts"

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** A request that is counted when it is answered, under the pattern of its path. One that its caller gave up is not. */
export const observed = <E, R>(
  method: string,
  match: Match | NoMatch,
  respond: Effect.Effect<HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse, E, R> =>
  Effect.clockWith((clock) => {
    const began = clock.currentTimeNanosUnsafe()
    const route = "route" in match ? match.route.path : "none"
    return Effect.tap(respond, ({ status }) =>
      requestAnswered(
        methods.has(method) ? method : "other",
        route,
        status,
        Number(clock.currentTimeNanosUnsafe() - began) / 1e9
      )
    )
  })
