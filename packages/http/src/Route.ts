/** Requests by their targets: routes as values, and the router. Paths are written like `/api/v1/offers/{offerId}`. */

import * as Core from "@svc/core"
import * as Arr from "effect/Array"
import type * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"

/** Whether a segment of a path, still encoded, may be routed. */
const isSegment = (raw: string): boolean => {
  const segment = Core.decodePercent(raw)
  return segment !== undefined && !/^\.{0,2}$|[\0/]/.test(segment)
}

/** Paths that need no decoding: plain segments, none of them `.` or `..`. */
const plainPath = /^(?:\/[\w~-][\w.~-]*)+$/

/** The path to route; undefined if it has `//`, `.`, `..`, NUL, `%2F` or broken percent-encoding. */
const routedPath = (target: string): string | undefined => {
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  if (plainPath.test(path)) return path
  const isRouted = path === "/" || (path.startsWith("/") && path.slice(1).split("/").every(isSegment))
  // The router would treat what follows a semicolon as a query.
  return isRouted ? path.replaceAll(";", "%3B") : undefined
}

/** Query parameters by name. */
export type Query = ReadonlyMap<string, string>

/** Reads the query of a target. Fails when a parameter is unknown, repeated or badly encoded. */
export const parseQuery = (target: string, known: ReadonlyArray<string>): Result.Result<Query, Core.Failure> => {
  const start = target.indexOf("?")
  const query = new Map<string, string>()
  if (start === -1) return Result.succeed(query)
  const text = target.slice(start + 1).split("#", 1)[0] ?? ""
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = Core.decodePercent((equals === -1 ? pair : pair.slice(0, equals)).replaceAll("+", " "))
    const value = Core.decodePercent((equals === -1 ? "" : pair.slice(equals + 1)).replaceAll("+", " "))
    if (name === undefined || value === undefined) {
      return Result.fail(
        new Core.InvalidInput({ message: "The query is not valid percent-encoded UTF-8. Encode it again." })
      )
    }
    if (!known.includes(name)) return Result.fail(unknownParameter(name, known))
    if (query.has(name))
      return Result.fail(new Core.InvalidInput({ message: `${name} appears twice in the query. Send it once.` }))
    query.set(name, value)
  }
  return Result.succeed(query)
}

const unknownParameter = (name: string, known: ReadonlyArray<string>): Core.Failure => {
  const all = known.length === 0 ? " This path has no query parameters." : ` Known parameters: ${known.join(", ")}.`
  const hint = Core.didYouMean(name, known) || all
  return new Core.UnknownField({ message: `${Core.quote(name)} is not a query parameter of this path.${hint}` })
}

/** Methods of routes. HEAD is handled as GET. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE"

/** A call of a route. `params` are those of the path, decoded. */
export interface RouteCall {
  readonly request: HttpServerRequest
  readonly requestId: string
  readonly params: Readonly<Record<string, string | undefined>>
}

/** A call by a known actor. `query` fails when a parameter is unknown. */
export interface KeyedCall extends RouteCall {
  readonly actor: Core.ActorIdentity
  readonly query: Result.Result<Query, Core.Failure>
  /** Counts a command that reaches outside against its rate limit. Fails with RATE_LIMITED. */
  readonly takeOutward: (command: Pick<Core.AnyCommand, "category" | "outward">) => Effect.Effect<void, Core.Failure>
}

interface RouteBase {
  readonly method: Method
  readonly path: string
  /** Which web pages of other origins may call the path: any, or those that a check allows; default none. */
  readonly pages?: "any" | ((request: HttpServerRequest) => boolean)
}

/** A route that needs no key. */
interface OpenRoute extends RouteBase {
  readonly access: "open"
  /** Whether an admin port takes it away from the public one. */
  readonly isAdmin?: boolean
  readonly handle: (call: RouteCall) => Effect.Effect<HttpServerResponse, Core.Failure>
}

/** A route that needs a key. `query` names its query parameters. */
interface KeyedRoute extends RouteBase {
  readonly access: "key"
  readonly query: ReadonlyArray<string>
  /** Whether only keys and access tokens are accepted, and not a session of the review page. */
  readonly isForAgents?: boolean
  /** A check before authentication. */
  readonly guard?: (request: HttpServerRequest) => Core.Failure | undefined
  readonly handle: (call: KeyedCall) => Effect.Effect<HttpServerResponse, Core.Failure>
}

/** A route. */
export type Route = OpenRoute | KeyedRoute

/** A route that needs no key. */
export const openRoute = (method: Method, path: string, handle: OpenRoute["handle"]): OpenRoute => ({
  method,
  path,
  access: "open",
  handle
})

/** A route that needs a key. */
export const keyed = (
  method: Method,
  path: string,
  query: ReadonlyArray<string>,
  handle: KeyedRoute["handle"]
): Route => ({ method, path, access: "key", query, handle })

/** A matching route, with the parameters of its path. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

/** No matching route: an unknown path, or one with other methods, listed in `allow`, of which `other` is one. */
export interface NoMatch {
  readonly failure: Core.Failure
  readonly allow: ReadonlyArray<string>
  readonly other?: Route | undefined
}

/** Finds routes by method and request target. */
export interface Router {
  readonly find: (method: string, target: string) => Match | NoMatch
  /** Whether some method has this path. */
  readonly owns: (target: string) => boolean
}

/** A router. A literal segment takes precedence over a parameter. */
export const makeRouter = (routes: ReadonlyArray<Route>): Router => {
  // Paths are strict, and a parameter may be as long as a request.
  const paths = FindMyWay.make<Map<string, Route>>({
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    caseSensitive: true,
    maxParamLength: Number.POSITIVE_INFINITY
  })
  for (const [path, found] of Object.entries(Arr.groupBy(routes, ({ path }) => path))) {
    const pattern: FindMyWay.PathInput = `/${path.slice(1).replaceAll(/\{(\w+)\}/g, ":$1")}`
    paths.on("GET", pattern, new Map(found.map((route) => [route.method, route])))
  }
  const isDocumented = routes.some(({ path }) => path === "/docs")
  const message = `Path not found.${isDocumented ? " See /api/v1/openapi.json or /docs for all paths." : ""}`
  const locate = (target: string) => {
    const path = routedPath(target)
    return path === undefined ? undefined : paths.find("GET", path)
  }
  return {
    owns: (target) => locate(target) !== undefined,
    find: (method, target) => {
      const found = locate(target)
      if (found === undefined) return { failure: new Core.NotFound({ kind: "path", message }), allow: [] }
      const { handler, params } = found
      const route = handler.get(method === "HEAD" ? "GET" : method)
      if (route !== undefined) return { route, params }
      const methods = [...handler.keys()]
      const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
      const shown = /^[A-Z]{1,16}$/.test(method) ? method : "This method"
      return {
        failure: new Core.MethodNotAllowed({
          message: `${shown} is not supported by this path. Use ${methods.join(" or ")}.`
        }),
        allow,
        other: handler.values().next().value
      }
    }
  }
}
