/**
 * The surface inside a host: as a fetch handler, and as a Node request handler that Express, Fastify and `node:http` take.
 *
 * Source: contract 5.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { HttpApp } from "./HttpApp.ts"

/** Answers a Web request. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Answers a Node request; one for a path that is not ours goes to `next`, when the host gives it. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/** The handlers. */
export class Hosts extends Context.Service<Hosts, { readonly fetch: FetchHandler; readonly node: NodeHandler }>()(
  "@svc/http/Hosts"
) {}

/** Handlers that end with the layer. */
export const layer: Layer.Layer<Hosts, never, HttpApp> = Layer.effect(
  Hosts,
  Effect.gen(function* () {
    const { handle, owns } = yield* HttpApp
    // With the layer's own context, so that its loggers and log level hold for both.
    const context = yield* Effect.context<never>()
    const web = HttpEffect.toWebHandlerWith<never, HttpServerRequest>(context)(handle)
    const run = yield* NodeHttpServer.makeHandler(handle, { scope: yield* Effect.scope })
    return Hosts.of({
      fetch: (request) => web(request),
      node: (request, response, next) => {
        if (next !== undefined && !owns(request.url ?? "/")) return next()
        run(request, response)
      }
    })
  })
)
