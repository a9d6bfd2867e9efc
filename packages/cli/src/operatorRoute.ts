/**
 * The endpoint for operators in a process that owns an embedded folder, since only that process can change the database.
 *
 * The token is in the folder's lock file, so anyone who can read the folder can use it.
 */
import { constantTimeEqual, Unauthenticated } from "@svc/core"
import { json, type Route, readJson } from "@svc/http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type OperatorServices, runOperation } from "./Operator.ts"

/** Path prefix of the endpoint. */
export const operatorPath = "/operator/v1"

/** The route, which requires the token. */
export const operatorRoute = (token: Redacted.Redacted<string>): Effect.Effect<Route, never, OperatorServices> =>
  Effect.map(Effect.context<OperatorServices>(), (context) => ({
    method: "POST",
    path: `${operatorPath}/{operation}`,
    access: "open",
    handle: Effect.fnUntraced(function* ({ params, request }) {
      const given = request.headers["authorization"] ?? ""
      if (!constantTimeEqual(given, `Bearer ${Redacted.value(token)}`)) return yield* new Unauthenticated()
      const input = yield* readJson(request)
      const { operation = "" } = params
      return json({ data: yield* Effect.provideContext(runOperation(operation, input), context) })
    })
  }))
