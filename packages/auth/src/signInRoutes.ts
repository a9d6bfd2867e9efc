/** The routes of a surface with the review page, on which people sign in. */

import { CursorSecret } from "@svc/core"
import { Authentication, ClientDocuments, Grants, SignIn } from "@svc/core/workspace"
import { Caller, countingUnknown, HttpSettings, kindOfKey, makeRateLimits, type Route, withActorKind } from "@svc/http"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { authorizeRoutes } from "./oauth/authorizeRoutes.ts"
import { clientFinder } from "./oauth/clients.ts"
import { metadataRoutes, tokenRoutes } from "./oauth/tokenRoutes.ts"
import type { ProviderSettings } from "./provider/oidcClient.ts"
import { providerRoutes } from "./provider/providerRoutes.ts"
import type { Credential, SignInSurface } from "./SignInSurface.ts"
import { sessionRoutes } from "./sessionRoutes.ts"

/**
 * The routes; `provider` is undefined where people sign in with keys and links only. AI agents sign in with OAuth 2.1: their
 * client is sent to a page where a person, signed in to the review page, consents, and gets tokens for `/mcp`.
 */
export const signInRoutes = Effect.fnUntraced(function* (provider: ProviderSettings | undefined) {
  const settings = yield* HttpSettings
  const caller = yield* Caller
  const signIn = yield* SignIn
  const { acceptsKeys } = caller
  const rates = yield* makeRateLimits(settings)
  const { authenticate } = yield* Authentication
  const started = Effect.fnUntraced(function* (credential: Credential, request: HttpServerRequest) {
    if ("link" in credential) return yield* signIn.withLink(credential.link)
    const actor = yield* withActorKind(yield* authenticate(credential.key), request)
    yield* rates.takeSignIn(actor)
    return yield* signIn.withKey(actor, credential.key)
  })
  const surface: SignInSurface = {
    settings,
    rates,
    authenticate: countingUnknown(caller, rates, settings),
    acceptsKeys,
    provider,
    secret: yield* CursorSecret,
    signIn,
    grants: yield* Grants,
    startSession: (credential, request) => {
      const text = "link" in credential ? credential.link : credential.key
      return rates.presented(kindOfKey(text), request, text, started(credential, request))
    }
  }
  // Clients' tokens come from a person with a key.
  if (!acceptsKeys) return sessionRoutes(surface)
  const routes: ReadonlyArray<Route> = [
    ...sessionRoutes(surface),
    ...metadataRoutes(surface),
    ...authorizeRoutes(surface, clientFinder(surface.secret, yield* ClientDocuments, rates)),
    ...tokenRoutes(surface),
    ...(provider === undefined ? [] : yield* providerRoutes(surface, provider))
  ]
  return routes
})
