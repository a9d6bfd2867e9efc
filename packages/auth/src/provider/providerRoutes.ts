/**
 * `/review/provider`: signing in to the review page with the operator's identity provider.
 *
 * Who has several organizations chooses one, and may choose another one on the page of consent, for as long as the cookie of
 * signing in holds. A browser keeps in it what finishing takes, signed and for ten minutes, so that any process can finish what
 * another one began.
 */

import { InvalidInput, Unauthenticated } from "@svc/core"
import type { Identity, Membership } from "@svc/core/workspace"
import * as Http from "@svc/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { organizationPage } from "../oauth/pages.ts"
import { pageRoute, personOf, type SignInSurface, signedValue, valueOfSigned } from "../SignInSurface.ts"
import { type Claims, oidcClient, type Proof, type ProviderSettings, rightsOf } from "./oidcClient.ts"

const name = "svc_sign_in"

/** How long signing in may take, in seconds. */
const maxAge = 600

/** An organization that a person may act in, with its name. */
type NamedMembership = Membership & { readonly name: string }

/** First the proof of the request; then, if the person has several organizations, who they are and where they may act. */
type Kept =
  | { readonly kind: "proof"; readonly proof: Proof; readonly to: string }
  | {
      readonly kind: "person"
      readonly identity: Identity
      readonly memberships: ReadonlyArray<NamedMembership>
      readonly to: string
      /** The session that the person chose first; only who still has it may choose another organization. */
      readonly sessionKeyId?: string | undefined
    }

const isKept = (value: unknown): value is Kept => ["proof", "person"].includes(String(Object(value).kind))

/** What the browser of a request keeps, if it is signed and still holds. */
export const keptIn = (secret: string, issuer: string, request: HttpServerRequest): Effect.Effect<Kept | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const found = valueOfSigned(secret, name, request.cookies[Http.cookieName(name, issuer, request)] ?? "", now)
    return isKept(found) ? found : undefined
  })

/** The response that makes a browser keep a value, or forget what it keeps. */
const withKept = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  secret: string,
  issuer: string,
  request: HttpServerRequest,
  kept: Kept | undefined
) {
  const until = (yield* Clock.currentTimeMillis) + maxAge * 1000
  const value = kept === undefined ? "" : signedValue(secret, name, kept, until)
  return HttpServerResponse.setCookieUnsafe(response, Http.cookieName(name, issuer, request), value, {
    path: Http.cookiePath(issuer),
    maxAge: kept === undefined ? 0 : `${maxAge} seconds`,
    httpOnly: true,
    secure: Http.isSecure(issuer, request),
    // The provider sends the browser back here.
    sameSite: "lax"
  })
})

const path = "/review/provider"

/** Where people may be sent when they are signed in, below the base. */
const destination = new RegExp(
  `^(?:review(?:/d/[\\w-]{1,60})?|(?:${Http.workspacePlaces.join("|")})(?:/[\\w-]{1,100})?|oauth/authorize\\?[\\x21-\\x7e]{1,8000})$`
)

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
export const providerRoutes = Effect.fnUntraced(function* (surface: SignInSurface, provider: ProviderSettings) {
  const { secret, signIn } = surface
  const loaded = yield* Effect.cached(oidcClient(provider))

  const started = Effect.fnUntraced(function* (
    request: HttpServerRequest,
    issuer: string,
    person: Extract<Kept, { readonly kind: "person" }>,
    membership: Membership
  ) {
    const { key, text } = yield* signIn.withIdentity(person.identity, membership)
    yield* signIn.end(Http.sessionToken(issuer, request) ?? "")
    const headers = { location: `${issuer}/${person.to}`, "set-cookie": Http.sessionCookie(issuer, request, text) }
    const mayChooseAgain = person.to.startsWith("oauth/") && person.memberships.length > 1
    const kept = mayChooseAgain ? { ...person, sessionKeyId: key.keyId } : undefined
    return yield* withKept(HttpServerResponse.empty({ status: 303, headers }), secret, issuer, request, kept)
  })

  const begin = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
    const to = new URL(request.url, issuer).searchParams.get("to") ?? "review"
    if (!destination.test(to)) return yield* new InvalidInput({ message: "to must be a page of this service." })
    const { proof, url } = yield* (yield* loaded).begin(`${issuer}${path}/callback`)
    const response = HttpServerResponse.empty({ status: 303, headers: { location: url } })
    return yield* withKept(response, secret, issuer, request, { kind: "proof", proof, to })
  })

  const finish = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
    const kept = yield* keptIn(secret, issuer, request)
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
    const person = { kind: "person", identity: identityOf(claims), memberships, to: kept.to } as const
    if (others.length === 0) return yield* started(request, issuer, person, first)
    return yield* withKept(organizationPage(memberships), secret, issuer, request, person)
  })

  const choose = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
    const problem = Http.crossOriginProblem(issuer, request)
    if (problem !== undefined) return yield* problem
    const kept = yield* keptIn(secret, issuer, request)
    if (kept?.kind !== "person") return yield* startAgain()
    if (kept.sessionKeyId !== undefined && (yield* personOf(surface, request))?.keyId !== kept.sessionKeyId) {
      return yield* startAgain()
    }
    const chosen = new Map(yield* Http.readFields(request, 4096)).get("organization")
    const membership = kept.memberships.find(({ organizationId }) => organizationId === chosen)
    if (membership === undefined) return yield* new InvalidInput({ message: "Choose one of your organizations." })
    return yield* started(request, issuer, kept, membership)
  })

  return [
    pageRoute(surface, "GET", path, begin),
    pageRoute(surface, "GET", `${path}/callback`, finish),
    pageRoute(surface, "POST", path, choose)
  ]
})
