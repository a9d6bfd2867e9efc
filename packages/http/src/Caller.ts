/** Authentication: from the Authorization header to an actor. */
import { type ActorIdentity, type Failure, InvalidInput, Unauthenticated } from "@svc/core"
import { Authentication } from "@svc/core/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"

/** Finds the actor of a request. Fails with UNAUTHENTICATED, KEY_EXPIRED, KEY_REVOKED or UNAVAILABLE. */
export class Caller extends Context.Service<
  Caller,
  { readonly of: (request: HttpServerRequest) => Effect.Effect<ActorIdentity, Failure> }
>()("@svc/http/Caller") {}

const bearer = /^Bearer +([\x21-\x7e]{1,200}) *$/i

/** The actor, restricted to an AI agent with `Svc-Actor-Kind: AI_AGENT`. The header never adds rights. */
export const withActorKind = (
  actor: ActorIdentity,
  request: HttpServerRequest
): Effect.Effect<ActorIdentity, Failure> => {
  const kind = request.headers["svc-actor-kind"]
  if (kind === undefined || kind === "USER") return Effect.succeed(actor)
  if (kind === "AI_AGENT") return Effect.succeed({ ...actor, kind })
  return Effect.fail(new InvalidInput({ message: "Svc-Actor-Kind must be USER or AI_AGENT." }))
}

/** Authentication with bearer keys. */
export const layerBearer: Layer.Layer<Caller, never, Authentication> = Layer.effect(
  Caller,
  Effect.map(Authentication, ({ authenticate }) =>
    Caller.of({
      of: (request) => {
        const key = bearer.exec(request.headers["authorization"] ?? "")?.[1]
        if (key === undefined) return Effect.fail(new Unauthenticated())
        return authenticate(key)
      }
    })
  )
)
