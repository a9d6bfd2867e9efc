/**
 * The orderly end of a server.
 *
 * A connection closed while its client is sending is a reset for that client, which cannot know whether the request was
 * handled. So a draining server closes no connection that may still be used: it responds to the next request on it with
 * `Connection: close`, or lets it go idle until both sides expect its end (`Keep-Alive: timeout`).
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as Effect from "effect/Effect"

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
export const closeOrderly = (server: Server): ((drainMillis: number) => Effect.Effect<void>) => {
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
    while (performance.now() < Math.min(end, lastRequestAt + drainMillis)) yield* Effect.sleep("50 millis")
    yield* Effect.callback<void>((resume) => {
      closeListener(performance.now() + quietTimeout, () => resume(Effect.void))
      if (drainMillis === 0) closeIdle()
      else setTimeout(closeIdle, firstRequestTimeout).unref()
    })
  })
}
