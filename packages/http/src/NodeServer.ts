/**
 * The surface on a port: `node:http` with limits on headers and time, JSON even for what is not HTTP, and an end that
 * answers what was begun.
 *
 * Source: contract 7 "HTTP" (header block 16 KiB within 30 s; SIGTERM). How long a body may take is up to its reader: see
 * `RequestBody.ts` and `uploadRoute.ts`.
 */
import { randomUUID } from "node:crypto"
import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type Failure, fail } from "@svc/core/Failure"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { errorObject } from "./Answer.ts"
import { HttpApp } from "./HttpApp.ts"

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** How long the end waits for requests already begun; 8 seconds. */
  readonly patience?: Duration.Input
}

/** What a caller who does not speak HTTP, or not within the limits, reads. */
const protocolRefusal = (code: unknown): { readonly status: string; readonly message: string } => {
  if (code === "HPE_HEADER_OVERFLOW") {
    return { status: "431 Request Header Fields Too Large", message: "The headers are larger than 16 KiB. Send fewer." }
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { status: "408 Request Timeout", message: "The request was not complete in time. Send it again." }
  }
  return { status: "400 Bad Request", message: "This is not a well-formed HTTP request. Send it again." }
}

/** Ends a connection with a refusal that no route gave. */
const refuseConnection = (socket: Duplex, status: string, message: string): void => {
  const body = JSON.stringify({ error: { message, code: "INVALID_INPUT" } })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Svc-Request-Id: req_${randomUUID()}\r\nConnection: close\r\n\r\n${body}`
  )
}

/** The longest that a request may take to come in, in milliseconds; files do. Bodies have limits of their own. */
const longestRequest = 6 * 3_600_000

/** How long the rest of a body may go on to come in once the request is answered, in milliseconds. */
const lingering = 10_000

/** Closes connections whose request was answered before its body had come in, so that nobody holds them for hours. */
const closeUnread = (server: Server, millis: number): void => {
  const watch = (request: IncomingMessage, response: ServerResponse) => {
    response.once("close", () => {
      if (request.complete) return
      const timer = setTimeout(() => {
        if (!request.complete) request.socket.destroy()
      }, millis).unref()
      request.socket.once("close", () => clearTimeout(timer))
    })
  }
  server.on("request", watch)
  server.on("checkContinue", watch)
}

/** A server with the limits of this surface, which does not listen yet. */
export const makeServer = (lingerMillis = lingering): Server => {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 30_000,
    requestTimeout: longestRequest,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 5_000,
    // Node would refuse such a request itself, with an empty body; see requireHost.
    requireHostHeader: false
  })
  closeUnread(server, lingerMillis)
  server.on("clientError", (error: Error & { readonly code?: unknown }, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
    const { message, status } = protocolRefusal(error.code)
    refuseConnection(socket, status, message)
  })
  server.on("connect", (_, socket) => {
    refuseConnection(socket, "405 Method Not Allowed", "This is no proxy: CONNECT is not a method of any path here.")
  })
  // An expectation that is not known may be ignored; Node alone would answer 417 with an empty body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/** The surface, but JSON for an HTTP/1.1 request that names no host (RFC 9112, section 3.2). */
const requireHost = (handle: HttpApp["Service"]["handle"]): HttpApp["Service"]["handle"] =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, source }) =>
    source instanceof IncomingMessage && source.httpVersion === "1.1" && headers["host"] === undefined
      ? Effect.succeed(
          HttpServerResponse.setHeaders(
            errorObject({ status: 400, code: "INVALID_INPUT", message: "The Host header is missing. Send it." }),
            { "svc-request-id": `req_${randomUUID()}`, connection: "close" }
          )
        )
      : handle
  )

/**
 * Knows which connections carry a request. The function it answers begins the end: connections that carry none are closed
 * at once, the others with their answer. Node alone would wait for one on which nothing was ever asked.
 */
const drainOf = (server: Server): (() => void) => {
  const requests = new Map<Socket, number>()
  let draining = false
  const release = (socket: Socket) => {
    const left = (requests.get(socket) ?? 1) - 1
    requests.set(socket, left)
    if (draining && left === 0) socket.destroySoon()
  }
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0)
    socket.once("close", () => requests.delete(socket))
  })
  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    if (draining) response.shouldKeepAlive = false
    response.once("close", () => release(socket))
  }
  server.on("request", begin)
  server.on("checkContinue", begin)
  return () => {
    draining = true
    for (const [socket, count] of requests) if (count === 0) socket.destroy()
  }
}

const unavailable = ({ host, port }: ListenOptions) =>
  fail(
    "UNAVAILABLE",
    `Nothing can listen on ${host} port ${port}: it is in use, or not this machine's. Choose another with SVC_PORT or --port.`
  )

/**
 * Listens until the scope closes: then no connection is accepted, requests already begun are answered, and what is left
 * after the patience is cut off. Answers the port. Fails with UNAVAILABLE when the address cannot be had.
 */
export const serve = ({
  patience = "8 seconds",
  ...options
}: ListenOptions): Effect.Effect<number, Failure, HttpApp | Scope.Scope> =>
  Effect.gen(function* () {
    const { handle } = yield* HttpApp
    const server = makeServer()
    const drain = drainOf(server)
    const listening = yield* Effect.mapError(
      NodeHttpServer.make(() => server, { ...options, gracefulShutdownTimeout: patience }),
      () => unavailable(options)
    )
    // Runs after the graceful end below and before the wait for the last connection above, so that nobody can hold
    // that wait up.
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    yield* listening.serve(requireHost(handle))
    yield* Effect.addFinalizer(() => Effect.sync(drain))
    // Nothing is upgraded here; without a listener Node answers such a request as any other.
    server.removeAllListeners("upgrade")
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : options.port
  })
