/** Routes as values, and the router. Paths are written like `/api/v1/offers/{offerId}`. */
import { type ActorIdentity, type AnyCommand, type Failure, MethodNotAllowed, NotFound } from "@svc/core"
import * as Arr from "effect/Array"
import type * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Result from "effect/Result"
import { type Query, routedPath } from "./RequestTarget.ts"

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
  readonly actor: ActorIdentity
  readonly query: Result.Result<Query, Failure>
  /** Counts a command that reaches outside against its rate limit. Fails with RATE_LIMITED. */
  readonly takeOutward: (command: Pick<AnyCommand, "category" | "outward">) => Effect.Effect<void, Failure>
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
  readonly handle: (call: RouteCall) => Effect.Effect<HttpServerResponse, Failure>
}

/** A route that needs a key. `query` names its query parameters. */
interface KeyedRoute extends RouteBase {
  readonly access: "key"
  readonly query: ReadonlyArray<string>
  /** Whether only keys and access tokens are accepted, and not a session of the review page. */
  readonly isForAgents?: boolean
  /** A check before authentication. */
  readonly guard?: (request: HttpServerRequest) => Failure | undefined
  readonly handle: (call: KeyedCall) => Effect.Effect<HttpServerResponse, Failure>
}

/** A route. */
export type Route = OpenRoute | KeyedRoute

/** A matching route, with the parameters of its path. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

/** No matching route: an unknown path, or one with other methods, listed in `allow`, of which `other` is one. */
export interface NoMatch {
  readonly failure: Failure
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
      if (found === undefined) return { failure: new NotFound({ kind: "path", message }), allow: [] }
      const { handler, params } = found
      const route = handler.get(method === "HEAD" ? "GET" : method)
      if (route !== undefined) return { route, params }
      const methods = [...handler.keys()]
      const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
      const shown = /^[A-Z]{1,16}$/.test(method) ? method : "This method"
      return {
        failure: new MethodNotAllowed({
          message: `${shown} is not supported by this path. Use ${methods.join(" or ")}.`
        }),
        allow,
        other: handler.values().next().value
      }
    }
  }
}
