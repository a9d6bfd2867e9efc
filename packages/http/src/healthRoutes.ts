/** Health for load balancers and monitoring: `/healthz` and `/readyz`. */
import { type Failure, Unavailable } from "@svc/core"
import { resumedAfter } from "@svc/core/internal"
import { SendingHold } from "@svc/core/outreach"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { openRoute, type Route } from "./Route.ts"
import { json } from "./responses.ts"

/** An error of the database, with its SQLSTATE, `none` if it did not respond. */
interface DatabaseFailure {
  readonly sqlstate: string
  readonly reason: string
  readonly at: string
}

/** The state of the database that the process uses. */
export class Readiness extends Context.Service<
  Readiness,
  {
    /** Fails with UNAVAILABLE and the reason while requests would fail. */
    readonly check: Effect.Effect<void, Failure>
    /** What requests failed with in the last minute. */
    readonly failures: Effect.Effect<ReadonlyArray<DatabaseFailure>>
  }
>()("@svc/http/Readiness") {}

const route = (path: string, response: Effect.Effect<HttpServerResponse, Failure>): Route => ({
  ...openRoute("GET", path, () => response),
  isAdmin: true
})

/** How long the database may take, so that a check of a balancer gets a response. */
const checkTimeout = "5 seconds"

/**
 * The routes. `/readyz` responds 503 while the database is unavailable, and from the moment the process stops, before its
 * server closes. Whether sending is held, and what the database failed with lately, makes no difference to a balancer; it is
 * there for people and monitoring.
 */
export const healthRoutes = (isStopping: () => boolean): Effect.Effect<ReadonlyArray<Route>, never, Readiness> =>
  Effect.gen(function* () {
    const { check, failures } = yield* Readiness
    const { current } = yield* SendingHold
    const ready = Effect.gen(function* () {
      if (isStopping())
        return yield* new Unavailable({ message: "The process is stopping. Send requests to another one." })
      const orElse = () => new Unavailable({ message: "The database does not respond." })
      const checked = yield* Effect.result(Effect.timeoutOrElse(check, { duration: checkTimeout, orElse }))
      const recent = yield* failures
      if (Result.isFailure(checked)) {
        const seen = recent.map(({ reason, sqlstate }) =>
          sqlstate === "none" ? reason : `${reason} (SQLSTATE ${sqlstate})`
        )
        const { failure } = checked
        return yield* seen.length === 0 ? failure : failure.withMessage(`${failure.message} Seen: ${seen.join(", ")}.`)
      }
      const sending = yield* current
      const [hold, resumed] = [sending.hold, resumedAfter(sending)]
      return json({
        status: "ready",
        ...(hold === undefined ? {} : { sending_hold: hold }),
        ...(resumed === undefined ? {} : { sending_resumed: resumed }),
        ...(recent.length === 0 ? {} : { database_failures: recent })
      })
    })
    return [route("/healthz", Effect.succeed(json({ status: "ok" }))), route("/readyz", ready)]
  })
