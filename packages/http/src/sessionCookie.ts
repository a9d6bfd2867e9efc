/** The cookie of a session of the review page, and which requests may use it. */
import { type Failure, ForbiddenHost, parseUrl } from "@svc/core"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const session = "svc_session"

/** How long browsers keep the cookie, in seconds; the session itself ends no later. */
const maxAge = 7 * 24 * 3600

/**
 * Whether the browser reached the service over TLS, which a proxy may have ended. A client that claims so wrongly only makes its
 * own cookie stricter.
 */
export const isSecure = (base: string, { headers, source }: HttpServerRequest): boolean => {
  const { protocol, socket, url } = source as Readonly<Record<string, unknown>>
  const isEncrypted = typeof socket === "object" && socket !== null && Reflect.get(socket, "encrypted") === true
  return (
    isEncrypted ||
    protocol === "https" ||
    headers["x-forwarded-proto"]?.split(",")[0]?.trim().toLowerCase() === "https" ||
    [base, url].some((text) => typeof text === "string" && text.startsWith("https:"))
  )
}

/** Where a cookie of the service at a base applies. */
export const cookiePath = (base: string): string => (parseUrl(base)?.pathname ?? base).replace(/\/$/, "") || "/"

/**
 * The name of a cookie of the service at a base. Over https it has a prefix, so that browsers take it from no other host, nor over
 * http (RFC 6265bis, section 4.1.3).
 */
export const cookieName = (name: string, base: string, request: HttpServerRequest): string => {
  if (!isSecure(base, request)) return name
  return `${cookiePath(base) === "/" ? "__Host-" : "__Secure-"}${name}`
}

/** The token of a session that a request has as a cookie. Of several, browsers send the one of the longest path first. */
export const sessionToken = (base: string, request: HttpServerRequest): string | undefined =>
  request.cookies[cookieName(session, base, request)]

/** The header that sets the cookie of a session; `undefined` deletes it. */
export const sessionCookie = (base: string, request: HttpServerRequest, token: string | undefined): string =>
  [
    `${cookieName(session, base, request)}=${token ?? ""}`,
    `Path=${cookiePath(base)}`,
    `Max-Age=${token === undefined ? 0 : maxAge}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure(base, request) ? ["Secure"] : [])
  ].join("; ")

/** The failure for a request of a page of another origin. Browsers tell by Sec-Fetch-Site, older ones by Origin. */
export const crossOriginProblem = (base: string, { headers }: HttpServerRequest): Failure | undefined => {
  const site = headers["sec-fetch-site"]
  const host = parseUrl(headers["origin"] ?? "")?.host
  const isOwn =
    site === undefined
      ? host !== undefined && [headers["host"], parseUrl(base)?.host].includes(host)
      : site === "same-origin"
  return isOwn
    ? undefined
    : new ForbiddenHost({ message: "Only the service's own pages may send this request. Open /review and try again." })
}

/** Why a session must not make a request, or undefined if it may: what changes something must come from the page itself. */
export const sessionProblem = (base: string, request: HttpServerRequest): Failure | undefined => {
  if (request.method === "GET" || request.method === "HEAD") return undefined
  return request.headers["svc-session"] === "1"
    ? crossOriginProblem(base, request)
    : new ForbiddenHost({ message: "Requests of a session that are not GET need the header Svc-Session: 1. Add it." })
}
