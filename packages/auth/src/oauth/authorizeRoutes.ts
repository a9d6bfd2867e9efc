/**
 * `/oauth/authorize`: where a client sends a person, who signs in and consents.
 *
 * A browser is sent on only by the decision of a person: whoever registers can choose where a redirect leads, so an error is a
 * page with a link. What is decided must come from the page itself and be about what it showed (`ticket`).
 */

import { type ActorIdentity, type Failure, InvalidInput, type Scope, scopeBundles, sha256Hex } from "@svc/core"
import * as Http from "@svc/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { keptIn } from "../provider/providerRoutes.ts"
import { pageRoute, personOf, type SignInSurface, signedValue, valueOfSigned } from "../SignInSurface.ts"
import { type Client, type ClientProblem, type FindClient, isRegistered, type Referral } from "./clients.ts"
import { consentPage, problemPage, reloadingPage, signInPage } from "./pages.ts"
import { endpoints, grantable, isSameResource } from "./tokenRoutes.ts"

/** A request that a person can decide (RFC 6749, section 4.1.1, with RFC 7636 and RFC 8707). */
interface AuthorizationRequest extends Referral {
  readonly challenge: string
  /** Those that exist; empty if the client did not say. */
  readonly scopes: ReadonlyArray<Scope>
}

/** A request of a known client, which the client must be told is wrong. */
interface RefusedRequest extends Referral {
  readonly error: "invalid_request" | "unsupported_response_type" | "invalid_target" | "access_denied"
  readonly description: string
}

/**
 * Reads the query of a request. Fails with INVALID_INPUT where the browser must not be sent back, because the client or its
 * redirect URI is unknown.
 */
const readAuthorization = Effect.fnUntraced(function* (
  fields: Http.Fields,
  resource: string,
  findClient: (id: string) => Effect.Effect<Client | ClientProblem, Failure>
): Effect.fn.Return<AuthorizationRequest | RefusedRequest, Failure> {
  const query = yield* Http.formOf(fields)
  const id = query.get("client_id") ?? ""
  if (id === "") return yield* new InvalidInput({ message: "client_id is missing." })
  const client = yield* findClient(id)
  if ("problem" in client) return yield* new InvalidInput({ message: client.problem })
  const redirectUri = query.get("redirect_uri") ?? ""
  if (!isRegistered(client.redirectUris, redirectUri)) {
    return yield* new InvalidInput({
      message: "redirect_uri is not one that this client registered. Nothing was sent to it."
    })
  }
  const asked = { client, redirectUri, state: query.get("state") }
  const refused = (error: RefusedRequest["error"], description: string): RefusedRequest => ({
    ...asked,
    error,
    description
  })
  if (query.get("response_type") !== "code") return refused("unsupported_response_type", "response_type must be code.")
  if (query.get("code_challenge_method") !== "S256") {
    return refused("invalid_request", "code_challenge_method must be S256.")
  }
  const challenge = query.get("code_challenge") ?? ""
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return refused("invalid_request", "code_challenge must be a SHA-256 in base64url, 43 characters.")
  }
  const target = query.get("resource")
  if (target !== undefined && !isSameResource(target, resource)) {
    return refused("invalid_target", "resource must be the URL of this service's MCP endpoint.")
  }
  const words = (query.get("scope") ?? "").split(" ")
  return { ...asked, challenge, scopes: grantable.filter((scope) => words.includes(scope)) }
})

/** The URL that sends a browser back to its client, with `iss` against mix-ups (RFC 9207). */
const returnUrl = (
  { redirectUri, state }: Referral,
  issuer: string,
  outcome: Readonly<Record<string, string>>
): string => {
  const parameters = new URLSearchParams({ ...outcome, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`
}

/** Size limit of a form, in bytes. */
const maxBytes = 16_384

const ticketPurpose = "oauth-ticket"

/** How long a page of consent can be decided, in milliseconds. */
const ticketMillis = 15 * 60_000

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>

const valueOf = (fields: Http.Fields, wanted: string): string => fields.find(([name]) => name === wanted)?.[1] ?? ""

const sendTo = (location: string, cookie?: string) =>
  HttpServerResponse.empty({
    status: 303,
    headers: { location, "referrer-policy": "no-referrer", ...(cookie === undefined ? {} : { "set-cookie": cookie }) }
  })

const refusedPage = (refused: RefusedRequest, issuer: string) => {
  const outcome = { error: refused.error, error_description: refused.description }
  return problemPage(refused.description, 400, { client: refused.client, url: returnUrl(refused, issuer, outcome) })
}

/** The routes. */
export const authorizeRoutes = (surface: SignInSurface, findClient: FindClient): ReadonlyArray<Http.Route> => {
  const { grants, provider, secret, signIn, startSession } = surface

  /** A request with what was found out about it, and who is signed in. */
  const visitOf = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
    const query = request.url.slice(request.url.indexOf("?") + 1)
    const fields = request.url.includes("?") ? [...new URLSearchParams(query)] : []
    const asked = yield* readAuthorization(fields, Http.resourceAt(issuer), (id) => findClient(id, request))
    return { request, issuer, query, asked, person: yield* personOf(surface, request) }
  })

  type Visit = Effect.Success<ReturnType<typeof visitOf>>

  /** What a ticket binds a decision to: the person's session, and what the page showed. */
  const shownTo = ({ asked, query }: Visit, person: ActorIdentity): string => {
    const { client, redirectUri } = asked
    return sha256Hex(JSON.stringify([person.keyId, query, client.name, client.host ?? null, redirectUri]))
  }

  const again = ({ query }: Visit) => `authorize?${query}`

  /** Where this person may act too, if the identity provider said so when they signed in for this request. */
  const otherOrganizations = (visit: Visit, person: ActorIdentity) =>
    Effect.map(keptIn(secret, visit.issuer, visit.request), (kept) =>
      kept?.kind === "person" && kept.sessionKeyId === person.keyId && kept.to === `oauth/${again(visit)}`
        ? kept.memberships.filter(({ organizationId }) => organizationId !== person.organizationId)
        : []
    )

  const consented = Effect.fnUntraced(function* (visit: Visit, person: ActorIdentity, message = "") {
    const { asked } = visit
    const offered = grantable.filter((scope) => person.scopes.includes(scope) || person.scopes.includes("admin"))
    const wanted = "challenge" in asked && asked.scopes.length > 0 ? asked.scopes : Http.usualScopes
    const chosen = offered.filter((scope) => wanted.includes(scope))
    const { name, organization } = yield* signIn.describe(person)
    const until = (yield* Clock.currentTimeMillis) + ticketMillis
    return consentPage({
      asked,
      organization,
      others: yield* otherOrganizations(visit, person),
      person: name,
      offered,
      chosen,
      isDraftOnly: chosen.every((scope) => scopeBundles.drafter.includes(scope)),
      ticket: signedValue(secret, ticketPurpose, shownTo(visit, person), until),
      message
    })
  })

  const signInFor = (visit: Visit, message?: string, status?: number) => {
    const to = encodeURIComponent(`oauth/${again(visit)}`)
    const link = provider && { name: provider.issuer.host, url: `../review/provider?to=${to}` }
    return signInPage(visit.asked, link, message, status)
  }

  const show = (visit: Visit): Answer => {
    const { asked, issuer, person, request } = visit
    if ("error" in asked) return Effect.succeed(refusedPage(asked, issuer))
    if (person !== undefined) return consented(visit, person)
    const isFromOutside = request.headers["sec-fetch-site"] === "cross-site"
    return Effect.succeed(isFromOutside ? reloadingPage() : signInFor(visit))
  }

  const signedIn = (visit: Visit, key: string): Answer =>
    startSession({ key }, visit.request).pipe(
      Effect.tap(signIn.end(Http.sessionToken(visit.issuer, visit.request) ?? "")),
      Effect.map(({ text }) => sendTo(again(visit), Http.sessionCookie(visit.issuer, visit.request, text))),
      Effect.catch(({ entry, message }) => Effect.succeed(signInFor(visit, message, entry.status)))
    )

  const decided = Effect.fnUntraced(function* (
    visit: Visit,
    asked: AuthorizationRequest,
    person: ActorIdentity,
    fields: Http.Fields
  ) {
    const { issuer } = visit
    const now = yield* Clock.currentTimeMillis
    if (valueOfSigned(secret, ticketPurpose, valueOf(fields, "ticket"), now) !== shownTo(visit, person)) {
      return yield* consented(visit, person, "This page was open for too long. Check it and decide again.")
    }
    if (valueOf(fields, "action") !== "allow") {
      return sendTo(returnUrl(asked, issuer, { error: "access_denied", error_description: "The person denied this." }))
    }
    const scopes = grantable.filter((scope) => fields.some(([name, value]) => name === "scope" && value === scope))
    const { challenge, client, redirectUri } = asked
    const consent = {
      clientId: client.id,
      name: client.name,
      redirectUri,
      challenge,
      resource: Http.resourceAt(issuer),
      scopes,
      mode: valueOf(fields, "draft_only") === "yes" ? "draft_only" : "full"
    } as const
    return yield* grants.consent(person, consent).pipe(
      Effect.map((code) => sendTo(returnUrl(asked, issuer, { code }))),
      Effect.catch((failure) =>
        failure.entry.status >= 500 ? Effect.fail(failure) : consented(visit, person, failure.message)
      )
    )
  })

  const act = Effect.fnUntraced(function* (visit: Visit) {
    const { asked, issuer, person, request } = visit
    const problem = Http.crossOriginProblem(issuer, request)
    if (problem !== undefined) return yield* problem
    if ("error" in asked) return refusedPage(asked, issuer)
    const fields = yield* Http.readFields(request, maxBytes)
    const action = valueOf(fields, "action")
    if (action === "sign_in") return yield* signedIn(visit, valueOf(fields, "api_key").trim())
    if (action === "sign_out") {
      yield* signIn.end(Http.sessionToken(issuer, request) ?? "")
      return sendTo(again(visit), Http.sessionCookie(issuer, request, undefined))
    }
    if (person === undefined) return signInFor(visit, "You are signed out. Sign in again.", 401)
    return yield* decided(visit, asked, person, fields)
  })

  const route = (method: Http.Route["method"], handle: (visit: Visit) => Answer) =>
    pageRoute(surface, method, endpoints.authorize, (request, issuer) =>
      Effect.flatMap(visitOf(request, issuer), handle)
    )
  return [route("GET", show), route("POST", act)]
}
