/** HTTP servers that only this machine can reach. */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"

/**
 * Listens on 127.0.0.1 until the scope closes, and returns the URL, without a path. Port 0 is any free port. Fails with
 * UNAVAILABLE if the port is in use.
 */
export const listenOnLoopback = Effect.fnUntraced(function* (port: number, listener: RequestListener) {
  const server = createServer(listener)
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
  yield* Effect.tryPromise({
    try: () => once(server.listen(port, "127.0.0.1"), "listening"),
    catch: () => new Unavailable({ message: `Can't listen on port ${port}. Choose another with --port.` })
  })
  return `http://127.0.0.1:${Object(server.address()).port}`
})
