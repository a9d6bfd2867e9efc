/**
 * Signing in AI agents with OAuth 2.1: their client is sent to a page where a person, signed in to the review page, consents, and
 * gets tokens for `/mcp`.
 */
import { ClientDocuments } from "@svc/core/workspace"
import type { Route } from "@svc/http"
import * as Effect from "effect/Effect"
import type { SignInSurface } from "../SignInSurface.ts"
import { authorizeRoutes } from "./authorizeRoutes.ts"
import { clientFinder } from "./clients.ts"
import { metadataRoutes } from "./metadataRoutes.ts"
import { tokenRoutes } from "./tokenRoutes.ts"

/** The routes. */
export const oauthRoutes = Effect.fnUntraced(function* (surface: SignInSurface) {
  const routes: ReadonlyArray<Route> = [
    ...metadataRoutes(surface),
    ...(yield* authorizeRoutes(surface, clientFinder(surface.secret, yield* ClientDocuments, surface.rates))),
    ...(yield* tokenRoutes(surface))
  ]
  return routes
})
