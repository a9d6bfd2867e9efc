/** A receiver of webhooks on loopback that keeps what reaches it and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

/** A request that came in. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
}

/** The receiver, its address, and how many connections were ever opened to it. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Array<Received>
  readonly connections: () => number
}

/** Counts connections of a server and closes it with the scope. */
export const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly port: number; readonly connections: () => number }>((resolve) => {
          let count = 0
          server.on("connection", () => {
            count++
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({ port: (server.address() as AddressInfo).port, connections: () => count })
          )
        })
    ),
    () =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.closeAllConnections()
            server.close(() => resolve())
          })
      )
  )

/** Starts a receiver; `answer` says what it does, 204 by itself. */
export const receiver = (answer: RequestListener = (_request, response) => void response.writeHead(204).end()) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        received.push({
          headers: request.headers,
          body: Buffer.concat(chunks).toString("utf8"),
          path: request.url ?? ""
        })
        answer(request, response)
      })
    })
    const { connections, port } = yield* listening(server)
    return { url: `http://127.0.0.1:${port}/hook`, port, received, connections } satisfies Receiver
  })
