/** Who calls: from the Authorization header to an actor. Source: spec "Authentication"; G36. */
import type { ActorIdentity } from "@svc/core/Actor"
import { type Failure, fail } from "@svc/core/Failure"
import { Authentication } from "@svc/core/workspace/Authentication"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"

/** Finds the actor of a request. Fails with UNAUTHENTICATED, KEY_EXPIRED, KEY_REVOKED or UNAVAILABLE; see {@link lowered}. */
export class Caller extends Context.Service<
  Caller,
  { readonly of: (request: HttpServerRequest) => Effect.Effect<ActorIdentity, Failure> }
>()("@svc/http/Caller") {}

const bearer = /^Bearer +([\x21-\x7e]{1,200}) *$/i

/** The actor as the kind the request says: `Svc-Actor-Kind: AI_AGENT` may lower a person, nothing may raise. Source: G36. */
export const lowered = (actor: ActorIdentity, request: HttpServerRequest): Effect.Effect<ActorIdentity, Failure> => {
  const kind = request.headers["svc-actor-kind"]
  if (kind === undefined || kind === "USER") return Effect.succeed(actor)
  if (kind === "AI_AGENT") return Effect.succeed({ ...actor, kind })
  return Effect.fail(fail("INVALID_INPUT", "Svc-Actor-Kind must be USER or AI_AGENT."))
}

/** Bearer keys. */
export const layerBearer: Layer.Layer<Caller, never, Authentication> = Layer.effect(
  Caller,
  Effect.map(Authentication, ({ authenticate }) =>
    Caller.of({
      of: (request) => {
        const key = bearer.exec(request.headers["authorization"] ?? "")?.[1]
        if (key === undefined) return Effect.fail(fail("UNAUTHENTICATED"))
        return authenticate(key)
      }
    })
  )
)
