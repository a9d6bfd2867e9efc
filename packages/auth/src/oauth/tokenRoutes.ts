/**
 * What clients read first: what protects `/mcp` (RFC 9728), and how to get tokens (RFC 8414, OpenID Connect Discovery). And what
 * they call: registration (RFC 7591), tokens (RFC 6749, 7636, 8707) and revocation (RFC 7009).
 */

import { createHash } from "node:crypto"
import { type Failure, InvalidInput, parseUrl, scopes } from "@svc/core"
import { GrantRefused } from "@svc/core/internal"
import type { Tokens } from "@svc/core/workspace"
import * as Http from "@svc/http"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { issuerRoute, type SignInSurface } from "../SignInSurface.ts"
import { readMetadata, signedId } from "./clients.ts"

/** Paths of the endpoints, below the issuer. */
export const endpoints = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke"
} as const

/** What a person may grant: everything but `admin`, which would include all that is ever added. */
export const grantable = scopes.filter((scope) => scope !== "admin")

const resourceMetadata = (issuer: string) => ({
  resource: Http.resourceAt(issuer),
  authorization_servers: [issuer],
  scopes_supported: Http.usualScopes,
  bearer_methods_supported: ["header"],
  resource_name: "svc",
  resource_documentation: `${issuer}/llms.txt`
})

const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + endpoints.authorize,
  token_endpoint: issuer + endpoints.token,
  registration_endpoint: issuer + endpoints.register,
  revocation_endpoint: issuer + endpoints.revoke,
  scopes_supported: grantable,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true
})

/** The routes, at the root and with the path of the resource. */
export const metadataRoutes = (surface: SignInSurface): ReadonlyArray<Http.Route> => {
  const document = (path: string, make: (issuer: string) => object) =>
    issuerRoute(surface, { method: "GET", path, pages: "any" }, (_, issuer) => Effect.succeed(Http.json(make(issuer))))
  return [
    document(Http.metadataPath, resourceMetadata),
    document(`${Http.metadataPath}${Http.resourcePath}`, resourceMetadata),
    document("/.well-known/oauth-authorization-server", serverMetadata),
    document("/.well-known/openid-configuration", serverMetadata)
  ]
}

/** Whether two URLs name the same resource: scheme and host in any case, with or without a slash at the end. */
export const isSameResource = (left: string, right: string): boolean => {
  const [a, b] = [left, right].map((text) => (text.includes("#") ? undefined : parseUrl(text)?.href.replace(/\/$/, "")))
  return a !== undefined && a === b
}

/** Codes of errors that clients handle. */
type OAuthErrorCode =
  | GrantRefused["error"]
  | "invalid_request"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_redirect_uri"
  | "unsupported_grant_type"
  | "temporarily_unavailable"

/** An error, with a sentence for the client's developer. */
const oauthError = (error: OAuthErrorCode, description: string, status = 400) =>
  Http.json({ error, error_description: description }, status)

/** The error of a failure of this service: a bad request, a rate limit, or a store that is unreachable. */
const oauthFailure = ({ entry, message, retryAfterSeconds }: Failure) => {
  const isTemporary = entry.status === 429 || entry.status >= 500
  const response = oauthError(isTemporary ? "temporarily_unavailable" : "invalid_request", message, entry.status)
  return retryAfterSeconds === undefined
    ? response
    : HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(retryAfterSeconds)))
}

/** Size limit of a body, in bytes. */
const maxBytes = 32_768

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, Failure | GrantRefused>

const tokenResponse = (tokens: Tokens) => {
  const response = Http.json({
    access_token: tokens.accessToken,
    token_type: "Bearer",
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    scope: tokens.scopes.join(" ")
  })
  return HttpServerResponse.setHeader(response, "pragma", "no-cache")
}

/** A field that a form must have. */
const required = (form: Http.Form, name: string): Effect.Effect<string, InvalidInput> => {
  const value = form.get(name)
  if (value !== undefined && value !== "") return Effect.succeed(value)
  return Effect.fail(new InvalidInput({ message: `${name} is required.` }))
}

/** The routes. */
export const tokenRoutes = (surface: SignInSurface): ReadonlyArray<Http.Route> => {
  const { grants, rates, secret } = surface

  const register = Effect.fnUntraced(function* (request: HttpServerRequest) {
    yield* rates.takeAddress("register", request)
    const found = readMetadata(yield* Http.readJson(request, maxBytes))
    if ("problem" in found) {
      return oauthError(found.isRedirect === true ? "invalid_redirect_uri" : "invalid_client_metadata", found.problem)
    }
    return Http.json(
      {
        client_id: signedId(secret, found),
        client_name: found.name,
        redirect_uris: found.redirectUris,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none"
      },
      201
    )
  })

  /** The resource that a form names, in the spelling of this service: what it does not name, no grant is for. */
  const resourceOf = (form: Http.Form, issuer: string): string | undefined => {
    const asked = form.get("resource")
    const own = Http.resourceAt(issuer)
    return asked !== undefined && isSameResource(asked, own) ? own : asked
  }

  const readForm = Effect.fnUntraced(function* (request: HttpServerRequest) {
    yield* rates.takeAddress("token", request)
    return yield* Effect.flatMap(Http.readFields(request, maxBytes), Http.formOf)
  })

  const token = Effect.fnUntraced(function* (request: HttpServerRequest, issuer: string) {
    const form = yield* readForm(request)
    const clientId = yield* required(form, "client_id")
    const resource = resourceOf(form, issuer)
    const kind = yield* required(form, "grant_type")
    if (kind === "authorization_code") {
      const verifier = yield* required(form, "code_verifier")
      if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) {
        return yield* new InvalidInput({ message: "code_verifier must be 43 to 128 unreserved characters." })
      }
      const code = yield* required(form, "code")
      const redirectUri = yield* required(form, "redirect_uri")
      const challenge = createHash("sha256").update(verifier).digest("base64url")
      return tokenResponse(yield* grants.exchange({ code, clientId, redirectUri, resource, challenge }))
    }
    if (kind === "refresh_token") {
      const refreshToken = yield* required(form, "refresh_token")
      const scopes = (form.get("scope") ?? "").split(" ").filter((scope) => scope !== "" && scope !== "offline_access")
      return tokenResponse(yield* grants.refresh({ refreshToken, clientId, resource, scopes }))
    }
    return oauthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.")
  })

  const revoke = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const form = yield* readForm(request)
    yield* grants.revoke(yield* required(form, "token"), yield* required(form, "client_id"))
    return HttpServerResponse.empty({ status: 200 })
  })

  const post = (path: string, handle: (request: HttpServerRequest, issuer: string) => Answer) =>
    issuerRoute(surface, { method: "POST", path, pages: "any" }, (request, issuer) =>
      Effect.catch(handle(request, issuer), (failure) =>
        Effect.succeed(
          failure instanceof GrantRefused ? oauthError(failure.error, failure.message) : oauthFailure(failure)
        )
      )
    )
  return [post(endpoints.register, register), post(endpoints.token, token), post(endpoints.revoke, revoke)]
}
