/** HTTP servers that only this machine can reach. */
import { createServer, type RequestListener } from "node:http"
import { type Failure, Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"

/**
 * Listens on 127.0.0.1 until the scope closes, and returns the URL, without a path. Port 0 is any free port. Fails with
 * UNAVAILABLE if the port is in use.
 */
export const listenOnLoopback = (port: number, listener: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly url: string; readonly close: () => void }, Failure>((resume) => {
        const server = createServer(listener)
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        server.once("error", () =>
          resume(Effect.fail(new Unavailable({ message: `Can't listen on port ${port}. Choose another with --port.` })))
        )
        server.listen(port, "127.0.0.1", () =>
          resume(Effect.succeed({ url: `http://127.0.0.1:${Object(server.address()).port}`, close }))
        )
      }),
      ({ close }) => Effect.sync(close)
    ),
    ({ url }) => url
  )
