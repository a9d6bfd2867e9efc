/** The issuer of tokens, and the resource that they are for: both are URLs of this service. */
import { type Failure, isLoopback, parseUrl, type Scope, scopeBundles } from "@svc/core"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { HttpSettings } from "./HttpSettings.ts"
import { failureResponse } from "./responses.ts"
import { isSecure } from "./sessionCookie.ts"

/**
 * The path that a framework took off a request's `url`, "" for none. Frameworks such as Express keep the whole in
 * `originalUrl`.
 */
const takenOff = (source: object): string => {
  const { originalUrl, url } = source as { readonly originalUrl?: unknown; readonly url?: unknown }
  return typeof originalUrl === "string" && typeof url === "string" && originalUrl.endsWith(url)
    ? originalUrl.slice(0, originalUrl.length - url.length)
    : ""
}

const wellKnown = /^\/\.well-known\/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)(?=\/)/

/** The target of a request below the mount; undefined if it lies elsewhere. */
export const targetBelow = (mount: string, source: object, target: string): string | undefined => {
  if (mount === "") return target
  const whole = takenOff(source) + target
  if (whole.startsWith(`${mount}/`)) return whole.slice(mount.length)
  // The path of a well-known document has that of what it is about after it (RFC 8414, section 3; RFC 9728, section 3).
  const [name = ""] = wellKnown.exec(whole) ?? []
  const rest = whole.slice(name.length)
  return name !== "" && rest.startsWith(mount) && /^($|[/?])/.test(rest.slice(mount.length))
    ? name + rest.slice(mount.length)
    : undefined
}

/** What links to the surface begin with: its public URL, else the path of its mount. */
export const baseOf = ({ mount, publicUrl }: HttpSettings["Service"], { source }: HttpServerRequest): string =>
  publicUrl() ?? (mount || takenOff(source))

/** Path of the protected resource: MCP. */
export const resourcePath = "/mcp"

/** Path of the metadata about it. */
export const metadataPath = "/.well-known/oauth-protected-resource"

const isLocal = (url: URL | undefined): boolean => url !== undefined && isLoopback(url.hostname)

/**
 * The URL of the service as the client of a request knows it, without a trailing slash: its public URL; on this machine, the
 * name that the request used. Undefined where signing in would not be safe: elsewhere than on this machine it takes https.
 */
export const issuerOf = (settings: HttpSettings["Service"], request: HttpServerRequest): string | undefined => {
  const base = baseOf(settings, request)
  const known = parseUrl(base)
  if (known !== undefined && !isLocal(known)) {
    return known.protocol === "https:" ? base : undefined
  }
  // A Web request of a host may have its name in its URL only.
  const host = request.headers["host"] ?? parseUrl(String(Reflect.get(request.source, "url")))?.host ?? ""
  const asked = parseUrl(`${isSecure("", request) ? "https" : "http"}://${host}`)
  if (asked === undefined || !isLocal(asked)) return undefined
  // Encoded, since a framework may have taken any path off.
  return asked.origin + new URL(known?.pathname ?? base, asked).pathname.replace(/\/$/, "")
}

/** The URL of the resource that tokens of an issuer are for. */
export const resourceAt = (issuer: string): string => issuer + resourcePath

/** What `WWW-Authenticate` says to a client without valid credentials, or with too few scopes (RFC 6750; RFC 9728, section 5.1). */
const challenge = (issuer: string, scopes: ReadonlyArray<string>, error?: "invalid_token" | "insufficient_scope") =>
  `Bearer ${[
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${issuer}${metadataPath}"`,
    `scope="${scopes.join(" ")}"`
  ].join(", ")}`

/** What clients are told to ask for at first: reading and drafting. */
export const usualScopes = scopeBundles.drafter

/** The challenge of a 401 at the resource. */
export const unauthenticated = (issuer: string, { headers }: HttpServerRequest): string =>
  challenge(issuer, usualScopes, headers["authorization"] === undefined ? undefined : "invalid_token")

/**
 * The response to a token without scopes that its person could grant: 403 with what to ask for (RFC 6750, section 3.1). It
 * names the scopes that the token has too, so that no client loses them by asking.
 */
export const insufficientScope = (
  issuer: string,
  failure: Failure,
  granted: ReadonlyArray<Scope>,
  lacking: ReadonlyArray<Scope>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    failureResponse(failure),
    "www-authenticate",
    challenge(issuer, [...granted, ...lacking], "insufficient_scope")
  )
