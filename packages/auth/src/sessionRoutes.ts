/** `/review/session`: signing in to the review page, signing out, and who is signed in. */
import { type Failure, InvalidInput, Unauthenticated } from "@svc/core"
import * as Http from "@svc/http"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Credential, SignInSurface } from "./SignInSurface.ts"

const path = "/review/session"

/** Size limit of a body, in bytes. */
const maxBytes = 4096

const credentialOf = Effect.fnUntraced(function* (request: HttpServerRequest): Effect.fn.Return<Credential, Failure> {
  const body = yield* Http.readJson(request, maxBytes)
  const key = Http.bearerOf(request)
  if (key !== undefined) return { key }
  const { api_key, link, ...others } = Object(body ?? {}) as Readonly<Record<string, unknown>>
  const isAlone = Object.keys(others).length === 0 && (api_key === undefined) !== (link === undefined)
  if (isAlone && typeof api_key === "string") return { key: api_key }
  if (isAlone && typeof link === "string") return { link }
  return yield* new InvalidInput({ message: 'Send either {"api_key": "…"} or {"link": "…"}.' })
})

const fromHost = () => new Unauthenticated({ message: "Sign in to the host." })

/** A request of a browser names its origin; without one, there is no other page that could have sent it. */
const isBrowser = ({ headers }: HttpServerRequest): boolean =>
  headers["origin"] !== undefined || headers["sec-fetch-site"] !== undefined

/** The routes. */
export const sessionRoutes = (surface: SignInSurface): ReadonlyArray<Http.Route> => {
  const { acceptsKeys, authenticate, provider, rates, settings, signIn, startSession } = surface
  const base = (request: HttpServerRequest) => Http.baseOf(settings, request)

  const withCookie = (request: HttpServerRequest, token: string | undefined) =>
    HttpServerResponse.empty({
      status: 204,
      headers: { "set-cookie": Http.sessionCookie(base(request), request, token) }
    })

  /** Ends the session that the browser had. */
  const endCurrent = (request: HttpServerRequest) =>
    Effect.suspend(() => signIn.end(Http.sessionToken(base(request), request) ?? ""))

  const start = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const problem = isBrowser(request) ? Http.crossOriginProblem(base(request), request) : undefined
    if (problem !== undefined) return yield* problem
    if (!acceptsKeys) return yield* fromHost()
    const credential = yield* credentialOf(request)
    const { text } = yield* startSession(credential, request)
    yield* endCurrent(request)
    return withCookie(request, text)
  })

  const end = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const problem =
      Http.sessionToken(base(request), request) === undefined ? undefined : Http.sessionProblem(base(request), request)
    if (problem !== undefined) return yield* problem
    yield* rates.takeAddress("authorize", request)
    yield* endCurrent(request)
    return withCookie(request, undefined)
  })

  const named = provider === undefined || !acceptsKeys ? {} : { "svc-sign-in-provider": provider.issuer.host }

  /** Says where people sign in: here with a key, also with a provider, or in the host. */
  const describe = (request: HttpServerRequest) =>
    authenticate(request).pipe(
      Effect.tap((actor) => Effect.mapError(rates.take(actor), ({ failure }) => failure)),
      Effect.flatMap(signIn.describe),
      Effect.map((described) => HttpServerResponse.setHeaders(Http.json(described), named)),
      Effect.catchIf(
        ({ entry }) => entry.kind === "Unauthenticated",
        (failure) =>
          Effect.succeed(
            HttpServerResponse.setHeaders(Http.failureResponse(acceptsKeys ? failure : fromHost()), {
              "svc-sign-in": acceptsKeys ? "key" : "host",
              ...named
            })
          )
      )
    )

  const route = (method: Http.Route["method"], handle: typeof describe) =>
    Http.openRoute(method, path, ({ request }) => handle(request))
  return [route("POST", start), route("DELETE", end), route("GET", describe)]
}
