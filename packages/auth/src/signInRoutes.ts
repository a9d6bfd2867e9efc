/** The routes of a surface with the review page, on which people sign in. */
import { CursorSecret } from "@svc/core"
import { ClientDocuments } from "@svc/core/workspace"
import { Caller, countingUnknown, HttpSettings, makeRateLimits, type Route } from "@svc/http"
import * as Effect from "effect/Effect"
import { authorizeRoutes } from "./oauth/authorizeRoutes.ts"
import { clientFinder } from "./oauth/clients.ts"
import { metadataRoutes } from "./oauth/metadataRoutes.ts"
import { tokenRoutes } from "./oauth/tokenRoutes.ts"
import type { ProviderSettings } from "./provider/ProviderSettings.ts"
import { providerRoutes } from "./provider/providerRoutes.ts"
import type { SignInSurface } from "./SignInSurface.ts"
import { sessionRoutes } from "./sessionRoutes.ts"

// Signing in AI agents with OAuth 2.1: their client is sent to a page where a person, signed in to the review page, consents, and
// gets tokens for `/mcp`.

/** The routes. */
const oauthRoutes = Effect.fnUntraced(function* (surface: SignInSurface) {
  const routes: ReadonlyArray<Route> = [
    ...metadataRoutes(surface),
    ...(yield* authorizeRoutes(surface, clientFinder(surface.secret, yield* ClientDocuments, surface.rates))),
    ...(yield* tokenRoutes(surface))
  ]
  return routes
})

/** The routes; `provider` is undefined where people sign in with keys and links only. */
export const signInRoutes = Effect.fnUntraced(function* (provider: ProviderSettings | undefined) {
  const settings = yield* HttpSettings
  const caller = yield* Caller
  const { acceptsKeys } = caller
  const rates = yield* makeRateLimits(settings.requestsPerMinute)
  const authenticate = countingUnknown(caller, rates)
  const surface: SignInSurface = { settings, rates, authenticate, acceptsKeys, provider, secret: yield* CursorSecret }
  const routes: ReadonlyArray<Route> = [
    ...(yield* sessionRoutes(surface)),
    // Clients' tokens come from a person with a key.
    ...(acceptsKeys ? yield* oauthRoutes(surface) : []),
    ...(acceptsKeys && provider !== undefined ? yield* providerRoutes(surface, provider) : [])
  ]
  return routes
})
