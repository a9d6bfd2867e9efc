/** A receiver of requests on this machine, for `svc webhooks listen`. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http"
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A request that came in, and how to answer it. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly answer: (status: number) => void
}

/** More than any delivery, in bytes. */
const longestBody = 1_048_576

const read = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > longestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/**
 * Listens on 127.0.0.1 until the scope closes, and answers its address. Port 0 takes a free one. Fails with UNAVAILABLE
 * when the port cannot be had.
 */
export const listenOnLoopback = (
  port: number,
  receive: (request: ReceivedRequest) => void
): Effect.Effect<string, Failure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }, Failure>((resume) => {
      const server = createServer((request, response) => {
        const answer = (status: number) => void response.writeHead(status).end()
        read(request).then(
          (body) => {
            if (request.method !== "POST") return answer(405)
            if (body === undefined) return answer(413)
            receive({ headers: request.headers, body, answer })
          },
          () => answer(400)
        )
      })
      server.once("error", () =>
        resume(Effect.fail(fail("UNAVAILABLE", `Port ${port} cannot be listened on. Choose another with --port.`)))
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
