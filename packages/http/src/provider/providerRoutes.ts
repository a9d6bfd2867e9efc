/**
 * `/review/provider`: signing in to the review page with the operator's identity provider.
 *
 * What a browser must bring back is in a cookie of its own, signed and for ten minutes, so that any process can finish what
 * another one began: first the proof of the request, then, if the person has several organizations, who they are.
 */
import { type Failure, InvalidInput, parseUrl, Unauthenticated } from "@svc/core"
import { type Identity, type Membership, SignIn } from "@svc/core/workspace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { HttpSettings } from "../HttpSettings.ts"
import { issuerOf } from "../oauth/issuer.ts"
import { noSignIn } from "../oauth/metadataRoutes.ts"
import { organizationPage, problemPage } from "../oauth/pages.ts"
import type { RateLimits } from "../RateLimits.ts"
import { readFields } from "../RequestBody.ts"
import type { Route } from "../Route.ts"
import { cookieOf, cookiePath, crossOriginProblem, sessionCookie, sessionToken, setCookie } from "../sessionCookie.ts"
import { signedValue, valueOfSigned } from "../signedValue.ts"
import { type Claims, oidcClient, type Proof } from "./oidcClient.ts"
import { type ProviderSettings, rightsOf } from "./ProviderSettings.ts"

const path = "/review/provider"

const cookieName = "svc_sign_in"

/** How long signing in may take, in seconds. */
const maxAge = 600

/** Where people may be sent when they are signed in, below the base. */
const destination = /^(?:review(?:\/d\/[A-Za-z0-9_-]{1,60})?|oauth\/authorize\?[\x21-\x7e]{1,8000})$/

/** What the cookie holds. */
type Kept =
  | { readonly kind: "proof"; readonly proof: Proof; readonly to: string }
  | {
      readonly kind: "person"
      readonly identity: Identity
      readonly memberships: ReadonlyArray<Membership>
      readonly to: string
    }

const isKept = (value: unknown): value is Kept => ["proof", "person"].includes(String(Object(value).kind))

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 200) : undefined

/** Who a person is, for others in the organization: an address counts only if the provider has verified it. */
const identityOf = (claims: Claims): Identity => ({
  issuer: claims.iss,
  subject: claims.sub,
  name:
    textOf(claims["name"]) ??
    (claims["email_verified"] === true ? textOf(claims["email"]) : undefined) ??
    textOf(claims["preferred_username"]) ??
    claims.sub
})

const startAgain = () => new Unauthenticated({ message: "Signing in took too long, or began elsewhere. Start again." })

/** The routes, with the provider. */
export const providerRoutes = (
  settings: HttpSettings["Service"],
  provider: ProviderSettings,
  rates: RateLimits,
  secret: string
): Effect.Effect<ReadonlyArray<Route>, never, SignIn> =>
  Effect.gen(function* () {
    const signIn = yield* SignIn
    const loaded = yield* Effect.cached(oidcClient(provider))

    const keptIn = Effect.fnUntraced(function* (request: HttpServerRequest) {
      const found = valueOfSigned(
        secret,
        cookieName,
        cookieOf(request, cookieName) ?? "",
        yield* Clock.currentTimeMillis
      )
      return isKept(found) ? found : undefined
    })

    const keeping = Effect.fnUntraced(function* (issuer: string, request: HttpServerRequest, kept: Kept) {
      const until = (yield* Clock.currentTimeMillis) + maxAge * 1000
      // Lax: the provider sends the browser back here.
      return setCookie(issuer, request, {
        name: cookieName,
        value: signedValue(secret, cookieName, kept, until),
        maxAge,
        sameSite: "Lax"
      })
    })

    const started = Effect.fnUntraced(function* (
      request: HttpServerRequest,
      issuer: string,
      { identity, to }: { readonly identity: Identity; readonly to: string },
      membership: Membership
    ) {
      const { text } = yield* signIn.withIdentity(identity, membership)
      yield* signIn.end(sessionToken(request) ?? "")
      const location = `${issuer}/${to}`
      return HttpServerResponse.setCookieUnsafe(
        HttpServerResponse.empty({
          status: 303,
          headers: { location, "set-cookie": sessionCookie(issuer, request, text) }
        }),
        cookieName,
        "",
        { path: cookiePath(issuer), maxAge: 0, httpOnly: true }
      )
    })

    const begin = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
      const to = new URL(request.url, issuer).searchParams.get("to") ?? "review"
      if (!destination.test(to)) return yield* new InvalidInput({ message: "to must be a page of this service." })
      const { proof, url } = yield* (yield* loaded).begin(`${issuer}${path}/callback`)
      const cookie = yield* keeping(issuer, request, { kind: "proof", proof, to })
      return HttpServerResponse.empty({ status: 303, headers: { location: url, "set-cookie": cookie } })
    })

    const finish = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
      const kept = yield* keptIn(request)
      if (kept?.kind !== "proof") return yield* startAgain()
      const query = request.url.slice(request.url.indexOf("?") + 1)
      const redirectUri = `${issuer}${path}/callback`
      const claims = yield* (yield* loaded).finish(new URL(`${redirectUri}?${query}`), redirectUri, kept.proof)
      const memberships = yield* signIn.membershipsOf(rightsOf(provider.rules, claims))
      const [first, ...others] = memberships
      if (first === undefined) {
        return yield* new Unauthenticated({
          message: "You are signed in, but have no access to an organization here. Ask an administrator."
        })
      }
      const person = { identity: identityOf(claims), to: kept.to }
      if (others.length === 0) return yield* started(request, issuer, person, first)
      const cookie = yield* keeping(issuer, request, { kind: "person", ...person, memberships })
      return HttpServerResponse.setHeader(organizationPage(memberships), "set-cookie", cookie)
    })

    const choose = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
      const problem = crossOriginProblem(issuer, request)
      if (problem !== undefined) return yield* problem
      const kept = yield* keptIn(request)
      if (kept?.kind !== "person") return yield* startAgain()
      const chosen = new Map(yield* readFields(request, 4096)).get("organization")
      const membership = kept.memberships.find(({ organizationId }) => organizationId === chosen)
      if (membership === undefined) return yield* new InvalidInput({ message: "Choose one of your organizations." })
      return yield* started(request, issuer, kept, membership)
    })

    const route = (
      method: Route["method"],
      where: string,
      handle: (
        request: HttpServerRequest,
        issuer: string
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
    ): Route => ({
      method,
      path: where,
      access: "open",
      handle: ({ request }) => {
        const issuer = issuerOf(settings, request)
        if (issuer === undefined || parseUrl(issuer) === undefined) return Effect.fail(noSignIn())
        return Effect.andThen(rates.takeAddress("authorize", request), handle(request, issuer)).pipe(
          Effect.catch(({ entry, message }) => Effect.succeed(problemPage(message, entry.status)))
        )
      }
    })
    return [route("GET", path, begin), route("GET", `${path}/callback`, finish), route("POST", path, choose)]
  })
