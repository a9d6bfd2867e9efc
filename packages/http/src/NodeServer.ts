/**
 * The surface on a port: `node:http` with limits on headers and time, JSON even for what is not HTTP, and an end that
 * answers what was begun.
 *
 * Source: contract 7 "HTTP" (header block 16 KiB within 30 s; SIGTERM).
 */
import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { HttpApp } from "./HttpApp.ts"

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
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

const refuseConnection = (error: Error & { readonly code?: unknown }, socket: Socket): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const { message, status } = protocolRefusal(error.code)
  const body = JSON.stringify({ error: { message, code: "INVALID_INPUT" } })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`
  )
}

const makeServer = (): Server =>
  createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 5_000
  }).on("clientError", refuseConnection)

const unavailable = ({ host, port }: ListenOptions) =>
  fail(
    "UNAVAILABLE",
    `Nothing can listen on ${host} port ${port}: it is in use, or not this machine's. Choose another with SVC_PORT or --port.`
  )

/**
 * Listens until the scope closes: then no connection is accepted, requests already begun are answered, and after 8
 * seconds what is left is cut off. Answers the port. Fails with UNAVAILABLE when the address cannot be had.
 */
export const serve = (options: ListenOptions): Effect.Effect<number, Failure, HttpApp | Scope.Scope> =>
  Effect.gen(function* () {
    const { handle } = yield* HttpApp
    const server = makeServer()
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    const listening = yield* Effect.mapError(
      NodeHttpServer.make(() => server, { ...options, gracefulShutdownTimeout: "8 seconds" }),
      () => unavailable(options)
    )
    yield* listening.serve(handle)
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : options.port
  })
