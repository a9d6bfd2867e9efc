import type { ActorIdentity, Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Caller } from "../Caller.ts"
import { sessionToken } from "../sessionCookie.ts"

/** Who is signed in with the session of a browser; undefined if nobody is. */
export type PersonOf = (request: HttpServerRequest) => Effect.Effect<ActorIdentity | undefined, Failure>

/** See {@link PersonOf}. */
export const personFinder =
  (authenticate: Caller["Service"]["of"]): PersonOf =>
  (request) =>
    request.headers["authorization"] === undefined && sessionToken(request) !== undefined
      ? Effect.catch(authenticate(request), (failure) =>
          failure.entry.kind === "Unauthenticated" ? Effect.undefined : Effect.fail(failure)
        )
      : Effect.undefined
