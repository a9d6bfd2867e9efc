/** The surface inside a host program: a fetch handler, and a Node handler for Express, Fastify and `node:http`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { HttpApp } from "./HttpApp.ts"
import * as NodeHttpServer from "./nodeHttpServer.ts"

/** Handles a Web request. */
export type FetchHandler = (request: Request) => Promise<Response>

/** A request of `node:http`, or one that a framework made of it. */
export interface NodeRequest {
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly headers: object
  readonly socket: object
}

/** A response of `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly req: object
}

/** The request of a framework such as Fastify, around the one of `node:http`, with the body that it parsed. */
export interface FrameworkRequest {
  readonly raw: NodeRequest
  readonly body?: unknown
}

/** The response of such a framework. */
export interface FrameworkResponse {
  readonly raw: NodeResponse
  /** Says that the framework is not to respond itself. */
  readonly hijack: () => unknown
}

/** Handles a Node request, also one of Fastify. Unknown paths go to `next`, if given. */
export type NodeHandler = (
  request: NodeRequest | FrameworkRequest,
  response: NodeResponse | FrameworkResponse,
  next?: () => void
) => void

/** The handlers. */
export class HttpHandlers extends Context.Service<
  HttpHandlers,
  {
    readonly fetch: FetchHandler
    readonly node: (request: NodeRequest, response: NodeResponse) => void
    /** Whether the path of a request belongs to the surface. */
    readonly owns: (request: NodeRequest) => boolean
  }
>()("@svc/http/HttpHandlers") {}

/** Handlers that live as long as the layer. */
export const layer: Layer.Layer<HttpHandlers, never, HttpApp> = Layer.effect(
  HttpHandlers,
  Effect.gen(function* () {
    const { handle, owns } = yield* HttpApp
    // The layer's context, so that its loggers and log level apply to both.
    const context = yield* Effect.context<never>()
    const web = HttpEffect.toWebHandlerWith<never, HttpServerRequest>(context)(handle)
    const run = yield* NodeHttpServer.makeHandler(handle, { scope: yield* Effect.scope })
    return HttpHandlers.of({
      fetch: (request) => web(request),
      owns: (request) => owns(request, request.url ?? "/"),
      // Said structurally, so that hosts need no types of Node.
      node: (request, response) => run(request as IncomingMessage, response as ServerResponse)
    })
  })
)
