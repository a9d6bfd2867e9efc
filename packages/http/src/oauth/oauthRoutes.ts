/**
 * Signing in AI agents with OAuth 2.1: their client is sent to a page where a person, signed in to the review page, consents, and
 * gets tokens for `/mcp`. Served where people can sign in here: with the review page, and where keys are accepted.
 */
import { CursorSecret } from "@svc/core"
import { ClientDocuments } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import { Caller } from "../Caller.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { IdentityProvider } from "../provider/ProviderSettings.ts"
import { providerRoutes } from "../provider/providerRoutes.ts"
import type { RateLimits } from "../RateLimits.ts"
import type { Route } from "../Route.ts"
import { authorizeRoutes } from "./authorizeRoutes.ts"
import { clientFinder } from "./clients.ts"
import { metadataRoutes } from "./metadataRoutes.ts"
import { personFinder } from "./personOf.ts"
import { tokenRoutes } from "./tokenRoutes.ts"

/** The routes; none where nobody can sign in. */
export const oauthRoutes = Effect.fnUntraced(function* (rates: RateLimits, authenticate: Caller["Service"]["of"]) {
  const settings = yield* HttpSettings
  const { acceptsKeys } = yield* Caller
  if (settings.review === undefined || !acceptsKeys) return []
  const secret = yield* CursorSecret
  const provider = yield* IdentityProvider
  const personOf = personFinder(authenticate)
  const findClient = clientFinder(secret, yield* ClientDocuments, rates)
  const routes: ReadonlyArray<Route> = [
    ...metadataRoutes(settings),
    ...(yield* authorizeRoutes(settings, rates, secret, personOf, findClient)),
    ...(yield* tokenRoutes(settings, rates, secret)),
    ...(provider === undefined ? [] : yield* providerRoutes(settings, provider, rates, secret, personOf))
  ]
  return routes
})
