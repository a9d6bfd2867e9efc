/** A receiver of requests on this machine, for `svc webhooks listen`. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http"
import { type Failure, Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A received request, and how to respond to it. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly respond: (status: number) => void
}

/** Size limit in bytes, more than any delivery. */
const maxBody = 1_048_576

const read = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/**
 * Listens on 127.0.0.1 until the scope closes, and returns the URL. Port 0 is any free port. Fails with UNAVAILABLE if the
 * port is in use.
 */
export const listenOnLoopback = (
  port: number,
  receive: (request: ReceivedRequest) => void
): Effect.Effect<string, Failure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }, Failure>((resume) => {
      const server = createServer((request, response) => {
        const respond = (status: number) => void response.writeHead(status).end()
        read(request).then(
          (body) => {
            if (request.method !== "POST") return respond(405)
            if (body === undefined) return respond(413)
            receive({ headers: request.headers, body, respond })
          },
          () => respond(400)
        )
      })
      server.once("error", () =>
        resume(Effect.fail(new Unavailable({ message: `Can't listen on port ${port}. Choose another with --port.` })))
      )
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        const taken = typeof address === "object" && address !== null ? address.port : port
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${taken}/`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url }) => url))
