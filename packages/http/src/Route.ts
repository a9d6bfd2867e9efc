/**
 * Routes as values, and finding the one for a request.
 *
 * A path is written as in the spec: `/api/v1/offers/{offerId}`. Method comes before anything else of the request: a path
 * that exists under other methods answers 405. Source: contract 7 "HTTP".
 */
import type { ActorIdentity } from "@svc/core/Actor"
import type { AnyCommand } from "@svc/core/Command"
import { type Failure, fail } from "@svc/core/Failure"
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Result from "effect/Result"
import type { Query } from "./RequestTarget.ts"

/** The methods that routes have. HEAD is answered as GET without its body. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE"

/** What a route is called with. `params` are the path's own, decoded. */
export interface RouteCall {
  readonly request: HttpServerRequest
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
}

/** A route call by a known actor. `query` fails when a parameter is unknown; a route says how it answers that. */
export interface KeyedCall extends RouteCall {
  readonly actor: ActorIdentity
  readonly query: Result.Result<Query, Failure>
  /** What a command that reaches outside takes beside the request; fails with RATE_LIMITED. */
  readonly takeOutward: (command: Pick<AnyCommand, "category" | "outward">) => Effect.Effect<void, Failure>
}

interface RouteFacts {
  readonly method: Method
  readonly path: string
}

/** A route that needs no key. */
export interface OpenRoute extends RouteFacts {
  readonly access: "open"
  readonly handle: (call: RouteCall) => Effect.Effect<HttpServerResponse, Failure>
}

/** A route that needs a key. `query` names the parameters it takes. */
export interface KeyedRoute extends RouteFacts {
  readonly access: "key"
  readonly query: ReadonlyArray<string>
  /** Why a request is refused before anybody asks for its key. */
  readonly guard?: (request: HttpServerRequest) => Failure | undefined
  readonly handle: (call: KeyedCall) => Effect.Effect<HttpServerResponse, Failure>
}

/** A route. */
export type Route = OpenRoute | KeyedRoute

/** A route that was found, with the parameters of its path. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** What no route answers: an unknown path, or one that has other methods, which `allow` lists. */
export interface NoMatch {
  readonly failure: Failure
  readonly allow: ReadonlyArray<string>
}

interface Node {
  readonly literal: Map<string, Node>
  parameter: Node | undefined
  readonly routes: Map<string, { readonly route: Route; readonly names: ReadonlyArray<string> }>
}

const emptyNode = (): Node => ({ literal: new Map(), parameter: undefined, routes: new Map() })

const step = (node: Node, segment: string): Node => {
  if (segment.startsWith("{")) {
    node.parameter ??= emptyNode()
    return node.parameter
  }
  const next = node.literal.get(segment) ?? emptyNode()
  node.literal.set(segment, next)
  return next
}

const find = (
  node: Node,
  segments: ReadonlyArray<string>,
  values: ReadonlyArray<string>
): { readonly node: Node; readonly values: ReadonlyArray<string> } | undefined => {
  const [segment, ...rest] = segments
  if (segment === undefined) return node.routes.size > 0 ? { node, values } : undefined
  const literal = node.literal.get(segment)
  const found = literal && find(literal, rest, values)
  if (found !== undefined) return found
  return node.parameter && find(node.parameter, rest, [...values, segment])
}

/** Finds routes by method and path segments. */
export interface Router {
  readonly find: (method: string, segments: ReadonlyArray<string> | undefined) => Match | NoMatch
  /** Whether some method has this path. */
  readonly owns: (segments: ReadonlyArray<string> | undefined) => boolean
}

/** The answer to a path that no route has. */
export const noSuchPath = (): NoMatch => ({
  failure: fail("NOT_FOUND", "There is nothing at this path. The paths are listed at /api/v1/openapi.json and /docs."),
  allow: []
})

/** A router over routes. A literal segment goes before a parameter. */
export const makeRouter = (routes: ReadonlyArray<Route>): Router => {
  const root = emptyNode()
  for (const route of routes) {
    const segments = route.path.slice(1).split("/")
    const names = segments.filter((segment) => segment.startsWith("{")).map((segment) => segment.slice(1, -1))
    segments.reduce(step, root).routes.set(route.method, { route, names })
  }
  const locate = (segments: ReadonlyArray<string> | undefined) => segments && find(root, segments, [])
  return {
    owns: (segments) => locate(segments) !== undefined,
    find: (method, segments) => {
      const found = locate(segments)
      if (found === undefined) return noSuchPath()
      const entry = found.node.routes.get(method === "HEAD" ? "GET" : method)
      if (entry !== undefined) {
        const params = Object.fromEntries(entry.names.map((name, index) => [name, found.values[index] ?? ""]))
        return { route: entry.route, params }
      }
      const methods = [...found.node.routes.keys()]
      const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
      const shown = /^[A-Z]{1,16}$/.test(method) ? method : "This method"
      return {
        failure: fail("METHOD_NOT_ALLOWED", `${shown} is not a method of this path. Use ${methods.join(" or ")}.`),
        allow
      }
    }
  }
}
