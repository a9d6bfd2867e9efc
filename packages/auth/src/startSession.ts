import type { Failure } from "@svc/core"
import { Authentication, type IssuedKey, SignIn } from "@svc/core/workspace"
import { type RateLimits, withActorKind } from "@svc/http"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** What a browser signs in with. */
export type Credential = { readonly key: string } | { readonly link: string }

/** Starts a session of the review page. Counts unknown keys and links, and the sessions that a key starts. */
type StartSession = (credential: Credential, request: HttpServerRequest) => Effect.Effect<IssuedKey, Failure>

/** See {@link StartSession}. */
export const sessionStarter = (rates: RateLimits): Effect.Effect<StartSession, never, Authentication | SignIn> =>
  Effect.gen(function* () {
    const { authenticate } = yield* Authentication
    const signIn = yield* SignIn
    const started = Effect.fnUntraced(function* (credential: Credential, request: HttpServerRequest) {
      if ("link" in credential) return yield* signIn.withLink(credential.link)
      const actor = yield* withActorKind(yield* authenticate(credential.key), request)
      yield* rates.takeSignIn(actor)
      return yield* signIn.withKey(actor, credential.key)
    })
    return (credential, request) =>
      Effect.tapError(started(credential, request), ({ code }) =>
        code === "UNAUTHENTICATED" ? rates.takeUnknownKey(request) : Effect.void
      )
  })
