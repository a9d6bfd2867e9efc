/**
 * Operators' door to a process that owns an embedded folder: only it can change that database.
 *
 * The token is in the folder's lock file, which whoever may read the folder's files can read. Source: contract 2.
 */
import { fail } from "@svc/core/Failure"
import { constantTimeEqual } from "@svc/core/Hash"
import { json } from "@svc/http/Answer"
import { readJson } from "@svc/http/RequestBody"
import type { Route } from "@svc/http/Route"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Needs, runOperation } from "./Operator.ts"

/** Path of the door. */
export const operatorPath = "/operator/v1"

/** The route behind a token. */
export const operatorRoute = (token: Redacted.Redacted<string>): Effect.Effect<Route, never, Needs> =>
  Effect.map(Effect.context<Needs>(), (context) => ({
    method: "POST",
    path: `${operatorPath}/{operation}`,
    access: "open",
    handle: Effect.fnUntraced(function* ({ params, request }) {
      const given = request.headers["authorization"] ?? ""
      if (!constantTimeEqual(given, `Bearer ${Redacted.value(token)}`)) return yield* fail("UNAUTHENTICATED")
      const input = yield* readJson(request)
      const { operation = "" } = params
      return json({ data: yield* Effect.provideContext(runOperation(operation, input), context) })
    })
  }))
