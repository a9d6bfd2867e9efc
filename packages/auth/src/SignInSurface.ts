/** The surface as the routes for signing in need it, and what such routes have in common. */

import { type Failure, NotFound } from "@svc/core"
import { readSigned, writeSigned } from "@svc/core/internal"
import type { Grants, IssuedKey, SignIn } from "@svc/core/workspace"
import { baseOf, type Caller, type HttpSettings, issuerOf, type RateLimits, type Route, sessionToken } from "@svc/http"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { problemPage } from "./oauth/pages.ts"
import type { ProviderSettings } from "./provider/oidcClient.ts"

/** What a browser signs in with. */
export type Credential = { readonly key: string } | { readonly link: string }

/** What the routes are made of. */
export interface SignInSurface {
  readonly settings: HttpSettings["Service"]
  readonly rates: RateLimits
  readonly authenticate: Caller["Service"]["of"]
  /** Whether API keys are accepted. */
  readonly acceptsKeys: boolean
  /** The operator's identity provider; undefined where people sign in with keys and links only. */
  readonly provider: ProviderSettings | undefined
  /** Signs what browsers and clients keep. */
  readonly secret: string
  readonly signIn: SignIn["Service"]
  readonly grants: Grants["Service"]
  /** Starts a session of the review page. Counts unknown keys and links, and the sessions that a key starts. */
  readonly startSession: (credential: Credential, request: HttpServerRequest) => Effect.Effect<IssuedKey, Failure>
}

/** Who is signed in with the session of a browser; undefined if nobody is. */
export const personOf = ({ authenticate, settings }: SignInSurface, request: HttpServerRequest) =>
  request.headers["authorization"] === undefined && sessionToken(baseOf(settings, request), request) !== undefined
    ? Effect.catch(authenticate(request), (failure) =>
        failure.entry.kind === "Unauthenticated" ? Effect.undefined : Effect.fail(failure)
      )
    : Effect.undefined

const noSignIn =
  "Signing in requires https, or this machine's own name. Set SVC_PUBLIC_URL to the https URL of the service."

type Handle = (request: HttpServerRequest, issuer: string) => Effect.Effect<HttpServerResponse, Failure>

/** A route that needs no key. Fails with NOT_FOUND where signing in would not be safe. */
export const issuerRoute = (
  { settings }: SignInSurface,
  route: Pick<Route, "method" | "path" | "pages">,
  handle: Handle
): Route => ({
  ...route,
  access: "open",
  handle: ({ request }) => {
    const issuer = issuerOf(settings, request)
    return issuer === undefined
      ? Effect.fail(new NotFound({ kind: "path", message: noSignIn }))
      : handle(request, issuer)
  }
})

/** A page for people, which shows failures too. Counts requests by network address. */
export const pageRoute = (surface: SignInSurface, method: Route["method"], path: string, handle: Handle): Route =>
  issuerRoute(surface, { method, path }, (request, issuer) =>
    Effect.andThen(surface.rates.takeAddress("authorize", request), handle(request, issuer)).pipe(
      Effect.catch(({ entry, message }) => Effect.succeed(problemPage(message, entry.status)))
    )
  )

// Values that a browser keeps for the service and cannot change: signed for a purpose, until an instant.

/** A JSON value as a text of URL-safe characters; `until` in milliseconds since 1970. */
export const signedValue = (secret: string, purpose: string, value: unknown, until: number): string =>
  writeSigned(secret, purpose, { until, value })

/** The value of a text that was signed for the purpose and still holds; undefined for any other. */
export const valueOfSigned = (secret: string, purpose: string, text: string, now: number): unknown => {
  const found = readSigned<{ readonly until: number; readonly value: unknown }>(secret, purpose, text)
  return found !== undefined && now < found.until ? found.value : undefined
}
