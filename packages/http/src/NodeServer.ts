/**
 * The surface on a port: `node:http` with limits on headers and time, JSON errors even for malformed HTTP, and a graceful
 * shutdown.
 */

import { randomUUID } from "node:crypto"
import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type Failure, InvalidInput, Unavailable } from "@svc/core"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { HttpApp } from "./HttpApp.ts"
import * as NodeHttpServer from "./nodeHttpServer.ts"
import { failureResponse } from "./responses.ts"

/** Where to listen. Port 0 is any free port. */
interface ListenOptions {
  readonly host: string
  readonly port: number
  /**
   * How long to keep serving when stopped, with `/readyz` off and every response closing its connection, so that balancers
   * and clients move on; default 0. A server without requests for `keepAliveSeconds` stops at once.
   */
  readonly drainSeconds?: number
  /** How long a connection stays open without a request; default 65, longer than load balancers keep theirs (60). */
  readonly keepAliveSeconds?: number
  /** How long shutdown then waits for running requests; default what is left of 8 seconds, and at least 3. */
  readonly shutdownTimeout?: Duration.Input
  /** Serves health and metrics only. */
  readonly isAdmin?: boolean
}

/** The response to malformed HTTP, or to a request beyond the limits of the server. */
const protocolError = (code: unknown): { readonly status: string; readonly message: string } => {
  if (code === "HPE_HEADER_OVERFLOW") {
    return { status: "431 Request Header Fields Too Large", message: "The headers are larger than 16 KiB. Send fewer." }
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { status: "408 Request Timeout", message: "The request was not complete in time. Send it again." }
  }
  return { status: "400 Bad Request", message: "This is not a well-formed HTTP request. Send it again." }
}

/** Closes a connection with an error outside of any route. */
const closeWithError = (socket: Duplex, status: string, message: string): void => {
  const body = JSON.stringify({ error: { message, code: "INVALID_INPUT" } })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Svc-Request-Id: req_${randomUUID()}\r\nConnection: close\r\n\r\n${body}`
  )
}

/** How long a request may take to arrive, in milliseconds. JSON bodies have a shorter limit of their own. */
const requestTimeout = 6 * 3_600_000

/** How long the rest of a body may take to arrive after the response, in milliseconds. */
const defaultUnreadTimeout = 10_000

/** Seconds. A connection that the server closes first may lose a request that a balancer is just sending on it. */
const defaultKeepAlive = 65

/** Closes connections whose body is still arriving long after the response. */
const closeUnread = (server: Server, millis: number): void => {
  const watch = (request: IncomingMessage, response: ServerResponse) => {
    response.once("close", () => {
      if (request.complete) return
      // A timer, not a listener on the socket: one socket may carry any number of such requests.
      setTimeout(() => {
        if (!request.complete) request.socket.destroy()
      }, millis).unref()
    })
  }
  server.on("request", watch)
  server.on("checkContinue", watch)
}

/** A server with the limits of this surface, not yet listening. */
export const makeServer = (unreadTimeout = defaultUnreadTimeout, keepAliveSeconds = defaultKeepAlive): Server => {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 30_000,
    requestTimeout,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: keepAliveSeconds * 1_000,
    // Node would reject a request without Host with an empty body; see requireHost.
    requireHostHeader: false
  })
  closeUnread(server, unreadTimeout)
  server.on("clientError", (error: Error & { readonly code?: unknown }, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
    const { message, status } = protocolError(error.code)
    closeWithError(socket, status, message)
  })
  server.on("connect", (_, socket) => {
    closeWithError(socket, "405 Method Not Allowed", "CONNECT is not supported.")
  })
  // An unknown expectation may be ignored. Node would respond 417 with an empty body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/** Rejects an HTTP/1.1 request without Host (RFC 9112, section 3.2) with JSON. */
const requireHost = (handle: HttpApp["Service"]["handle"]): HttpApp["Service"]["handle"] =>
  Effect.withFiber(({ context }) => {
    const { headers, source } = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    return source instanceof IncomingMessage && source.httpVersion === "1.1" && headers["host"] === undefined
      ? Effect.succeed(
          HttpServerResponse.setHeaders(
            failureResponse(new InvalidInput({ message: "The Host header is required." })),
            { "svc-request-id": `req_${randomUUID()}`, connection: "close" }
          )
        )
      : handle
  })

const unavailable = ({ host, isAdmin, port }: ListenOptions) =>
  new Unavailable({
    message:
      `Can't listen on ${host} port ${port}: it is in use, or not an address of this machine. Choose another with ` +
      (isAdmin === true ? "SVC_ADMIN_PORT." : "SVC_PORT or --port.")
  })

/**
 * Listens until the scope closes, and returns the port. Then it drains, accepts no more connections, and waits for running
 * requests; what is left after the timeout is closed. Fails with UNAVAILABLE when it cannot listen there.
 */
export const serve = (options: ListenOptions): Effect.Effect<number, Failure, HttpApp | Scope.Scope> =>
  Effect.gen(function* () {
    const { drainSeconds = 0, host, isAdmin = false, keepAliveSeconds, port } = options
    const shutdownTimeout = options.shutdownTimeout ?? Math.max(3_000, 8_000 - drainSeconds * 1_000)
    const app = yield* HttpApp
    const server = makeServer(undefined, keepAliveSeconds)
    const close = closeOrderly(server)
    const listening = yield* Effect.mapError(
      NodeHttpServer.make(() => server, { host, port }),
      () => unavailable(options)
    )
    yield* listening.serve(requireHost(isAdmin ? app.handleAdmin : app.handle))
    yield* Effect.addFinalizer(() =>
      app.stop.pipe(
        Effect.andThen(close(drainSeconds * 1_000)),
        Effect.timeoutOption(drainSeconds * 1_000 + Duration.toMillis(shutdownTimeout)),
        Effect.andThen(Effect.sync(() => server.closeAllConnections()))
      )
    )
    // Nothing is upgraded here; without a listener Node handles such a request like any other.
    server.removeAllListeners("upgrade")
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : port
  })

// The orderly end of a server.
//
// A connection closed while its client is sending is a reset for that client, which cannot know whether the request was
// handled. So a draining server closes no connection that may still be used: it responds to the next request on it with
// `Connection: close`, or lets it go idle until both sides expect its end (`Keep-Alive: timeout`).

/** How long a connection that was just accepted may take to bring its first request, in milliseconds. */
const firstRequestTimeout = 1_000

/** How long to wait for a turn of the event loop without activity before the listener closes all the same, in milliseconds. */
const quietTimeout = 250

/** How many of its requests still run, and the response to the last of them, after which it may close. */
interface Connection {
  requests: number
  response: ServerResponse | undefined
}

/**
 * Tracks the connections of a server, and returns what ends it: drains for at most some milliseconds, then closes the
 * listener and idle connections, and completes when every running request has its response.
 */
const closeOrderly = (server: Server): ((drainMillis: number) => Effect.Effect<void>) => {
  const connections = new Map<Socket, Connection>()
  let state: "open" | "draining" | "closing" = "open"
  let lastRequestAt = Number.NEGATIVE_INFINITY
  let activity = 0
  server.on("connection", (socket: Socket) => {
    activity++
    connections.set(socket, { requests: 0, response: undefined })
    socket.once("close", () => connections.delete(socket))
  })
  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    activity++
    lastRequestAt = performance.now()
    connection.requests++
    connection.response = response
    if (state !== "open") response.shouldKeepAlive = false
    response.once("close", () => {
      activity++
      connection.requests--
      if (connection.requests > 0) return
      connection.response = undefined
      if (state === "closing") socket.destroySoon()
    })
  }
  server.on("request", begin)
  server.on("checkContinue", begin)
  const closeIdle = () => {
    for (const [socket, { requests }] of connections) if (requests === 0) socket.destroy()
  }
  /**
   * Closing the listener resets connections that the system has set up and the process has not accepted. It accepts one in
   * each turn of the event loop, so the listener closes after a turn in which nothing came. A connection may still come in
   * between, from a client that ignores that readiness is off.
   */
  const closeListener = (end: number, done: () => void): void => {
    const before = activity
    setImmediate(() => {
      if (activity !== before && performance.now() < end) return closeListener(end, done)
      state = "closing"
      server.close(done)
    })
  }
  return Effect.fnUntraced(function* (drainMillis) {
    state = "draining"
    for (const { response } of connections.values()) if (response !== undefined) response.shouldKeepAlive = false
    const end = performance.now() + drainMillis
    while (performance.now() < Math.min(end, lastRequestAt + server.keepAliveTimeout)) yield* Effect.sleep("50 millis")
    yield* Effect.callback<void>((resume) => {
      closeListener(performance.now() + quietTimeout, () => resume(Effect.void))
      if (drainMillis === 0) closeIdle()
      else setTimeout(closeIdle, firstRequestTimeout).unref()
    })
  })
}
