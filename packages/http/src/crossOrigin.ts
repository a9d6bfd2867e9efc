/**
 * Which web pages may call a route, and the headers that tell their browser so (CORS). Cookies are never allowed: what a page
 * may do here takes a key or token that it holds itself.
 */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Route } from "./Route.ts"

/** The headers that clients of MCP send, in every served revision. */
const sent = [
  "Authorization",
  "Content-Type",
  "Accept",
  "Mcp-Protocol-Version",
  "Mcp-Session-Id",
  "Mcp-Method",
  "Mcp-Name",
  "Last-Event-ID",
  "Svc-Actor-Kind",
  "Svc-Client"
].join(", ")

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
