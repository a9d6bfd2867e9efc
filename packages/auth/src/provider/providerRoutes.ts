/**
 * `/review/provider`: signing in to the review page with the operator's identity provider.
 *
 * Who has several organizations chooses one, and may choose another one on the page of consent, for as long as the cookie of
 * signing in holds.
 */
import { InvalidInput, Unauthenticated } from "@svc/core"
import type { Identity, Membership } from "@svc/core/workspace"
import { crossOriginProblem, readFields, sessionCookie, sessionToken } from "@svc/http"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { organizationPage } from "../oauth/pages.ts"
import { pageRoute, personOf, type SignInSurface } from "../SignInSurface.ts"
import { type Kept, keptIn, withKept } from "./keptSignIn.ts"
import { type Claims, oidcClient, type ProviderSettings, rightsOf } from "./oidcClient.ts"

const path = "/review/provider"

/** Where people may be sent when they are signed in, below the base. */
const destination = /^(?:review(?:\/d\/[A-Za-z0-9_-]{1,60})?|oauth\/authorize\?[\x21-\x7e]{1,8000})$/

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
    yield* signIn.end(sessionToken(request) ?? "")
    const headers = { location: `${issuer}/${person.to}`, "set-cookie": sessionCookie(issuer, request, text) }
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
    const kept = yield* keptIn(secret, request)
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
    const problem = crossOriginProblem(issuer, request)
    if (problem !== undefined) return yield* problem
    const kept = yield* keptIn(secret, request)
    if (kept?.kind !== "person") return yield* startAgain()
    if (kept.sessionKeyId !== undefined && (yield* personOf(surface, request))?.keyId !== kept.sessionKeyId) {
      return yield* startAgain()
    }
    const chosen = new Map(yield* readFields(request, 4096)).get("organization")
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
