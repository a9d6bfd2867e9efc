/**
 * The surface inside a host: as a fetch handler, and as a Node request handler that Express, Fastify and `node:http` take.
 *
 * Source: contract 5.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as Scope from "effect/Scope"
import { HttpApp } from "./HttpApp.ts"

/** Answers a Web request. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Answers a Node request; one for a path that is not ours goes to `next`, when the host gives it. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/** The fetch handler. */
export const fetchHandler: Effect.Effect<FetchHandler, never, HttpApp> = Effect.map(HttpApp, ({ handle }) => {
  const web = HttpEffect.toWebHandler(handle)
  return (request) => web(request)
})

/** The Node handler; requests in progress end with the scope. */
export const nodeHandler: Effect.Effect<NodeHandler, never, HttpApp | Scope.Scope> = Effect.gen(function* () {
  const { handle, owns } = yield* HttpApp
  const run = yield* NodeHttpServer.makeHandler(handle, { scope: yield* Effect.scope })
  return (request, response, next) => {
    if (next !== undefined && !owns(request.url ?? "/")) return next()
    run(request, response)
  }
})
