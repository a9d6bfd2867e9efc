/** Authentication: from the Authorization header to an actor. */
import { type ActorIdentity, type Failure, InvalidInput, Unauthenticated } from "@svc/core"
import { clientOfHeader, parseKey } from "@svc/core/internal"
import { Authentication } from "@svc/core/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { HttpSettings } from "./HttpSettings.ts"
import { baseOf } from "./issuer.ts"
import type { RateLimits } from "./RateLimits.ts"
import type { Route } from "./Route.ts"
import { sessionToken } from "./sessionCookie.ts"

/** Authentication of requests. */
export class Caller extends Context.Service<
  Caller,
  {
    /**
     * Finds the actor of a request; access tokens are accepted if they are for `resource`. Fails with UNAUTHENTICATED,
     * KEY_EXPIRED, KEY_REVOKED or UNAVAILABLE.
     */
    readonly of: (request: HttpServerRequest, resource?: string) => Effect.Effect<ActorIdentity, Failure>
    /** The actor of a request whose key was accepted a moment ago, at a time in milliseconds. */
    readonly known?: (request: HttpServerRequest, now: number) => ActorIdentity | undefined
    /** Whether API keys are accepted, so that people can sign in to the review page with theirs. */
    readonly acceptsKeys: boolean
  }
>()("@svc/http/Caller") {}

const bearer = /^Bearer +([\x21-\x7e]{1,200}) *$/i

/** The key of a request, not checked; undefined without a well-formed Authorization header. */
export const bearerOf = ({ headers }: HttpServerRequest): string | undefined =>
  bearer.exec(headers["authorization"] ?? "")?.[1]

/** Authentication that counts unknown keys by network address, before they are looked up; a missing key is not counted. */
export const countingUnknown =
  ({ of }: Caller["Service"], rates: RateLimits, settings: HttpSettings["Service"]): Caller["Service"]["of"] =>
  (request, resource) => {
    const credential =
      bearerOf(request) ?? request.headers["authorization"] ?? sessionToken(baseOf(settings, request), request)
    return credential === undefined
      ? of(request, resource)
      : rates.presented(kindOfKey(credential), request, credential, of(request, resource))
  }

/** Only the text of a key is looked up. */
export const kindOfKey = (text: string) => (parseKey(text) === undefined ? "text" : "key")

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

/** The actor with the program that it calls with, as `Svc-Client` names it: `sales-bot/1.2`. */
export const withClient = (actor: ActorIdentity, { headers }: HttpServerRequest): ActorIdentity => {
  const client = clientOfHeader(headers["svc-client"])
  return client === undefined ? actor : { ...actor, client }
}

/** Authentication with bearer keys, and with sessions of the review page where there is no Authorization header. */
export const layerBearer: Layer.Layer<Caller, never, Authentication | HttpSettings> = Layer.effect(
  Caller,
  Effect.gen(function* () {
    const { authenticate, authenticateSession, authenticateToken, known } = yield* Authentication
    const settings = yield* HttpSettings
    return Caller.of({
      acceptsKeys: true,
      known: (request, now) => {
        const key = bearerOf(request)
        return key === undefined ? undefined : known(key, now)
      },
      of: (request, resource) => {
        const key = bearerOf(request)
        if (key !== undefined) {
          const isToken = resource !== undefined && parseKey(key)?.environment === "token"
          return isToken ? authenticateToken(key, resource) : authenticate(key)
        }
        if (request.headers["authorization"] !== undefined) return Effect.fail(new Unauthenticated())
        const token = sessionToken(baseOf(settings, request), request)
        return token === undefined ? Effect.fail(new Unauthenticated()) : authenticateSession(token)
      }
    })
  })
)

// Which web pages may call a route, and the headers that tell their browser so (CORS). Cookies are never allowed: what a page
// may do here takes a key or token that it holds itself.

/** The headers that clients of MCP send, in every served revision. */
const sent =
  "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, " +
  "Svc-Actor-Kind, Svc-Client"

/** The headers that they read. */
const read = "Mcp-Session-Id, WWW-Authenticate, Retry-After, Svc-Request-Id"

/** How long browsers may keep the response to a preflight, in seconds. */
const maxAge = 600

type Headers = Readonly<Record<string, string>>

/** The headers of a response of a route, for the page that asked; none if no page may ask, or not this one. */
export const crossOriginHeaders = (route: Route | undefined, request: HttpServerRequest): Headers => {
  const pages = route?.pages
  const { origin } = request.headers
  if (pages === undefined) return {}
  const exposed = { "access-control-expose-headers": read }
  if (pages === "any") return { "access-control-allow-origin": "*", ...exposed }
  return origin === undefined || !pages(request)
    ? { vary: "Origin" }
    : { vary: "Origin", "access-control-allow-origin": origin, ...exposed }
}

/** What the response to OPTIONS says of a path: with it, a browser lets the page send its request. */
export const preflightHeaders = (route: Route | undefined, request: HttpServerRequest, allow: string): Headers => {
  const headers = crossOriginHeaders(route, request)
  return headers["access-control-allow-origin"] === undefined
    ? headers
    : {
        ...headers,
        "access-control-allow-methods": allow,
        "access-control-allow-headers": sent,
        "access-control-max-age": String(maxAge)
      }
}
