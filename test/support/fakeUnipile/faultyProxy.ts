/** A way to the fake provider that fails as it is told: down, slow, or answering what nobody can read. */
import { createServer, type IncomingMessage, request as outgoing, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** How it fails. `answer` is sent with a status and a body; `redirect` leads to itself. */
export type Fault =
  | "refuse"
  | "drop"
  | "stall"
  | "drip"
  | "redirect"
  | { readonly status: number; readonly body: string | Uint8Array<ArrayBuffer>; readonly type?: string }

/** The proxy. `fault` undefined lets everything through; `only` limits it to requests of some methods. */
export interface FaultyProxy {
  readonly url: string
  fault: Fault | undefined
  only: ReadonlyArray<string> | undefined
  /** Requests that failed. */
  failed: number
  readonly close: () => Promise<void>
}

const fail = (fault: Fault, request: IncomingMessage, response: ServerResponse): void => {
  if (fault === "refuse") return void request.socket.destroy()
  request.resume()
  request.on("end", () => {
    if (fault === "drop") return void request.socket.destroy()
    if (fault === "stall") return
    if (fault === "redirect") return void response.writeHead(302, { location: request.url ?? "/" }).end()
    if (fault === "drip") {
      response.writeHead(200, { "content-type": "application/json" })
      const timer = setInterval(() => response.write(" "), 20)
      response.on("close", () => clearInterval(timer))
      return
    }
    response.writeHead(fault.status, { "content-type": fault.type ?? "application/json" }).end(fault.body)
  })
}

/** Starts a proxy before an address. */
export const startFaultyProxy = async (target: string): Promise<FaultyProxy> => {
  const server = createServer((request, response) => {
    const { fault, only } = proxy
    if (fault !== undefined && (only === undefined || only.includes(request.method ?? ""))) {
      proxy.failed++
      return fail(fault, request, response)
    }
    const { headers, method, url } = request
    const onward = outgoing(new URL(url ?? "/", target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => request.socket.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    only: undefined,
    failed: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
  return proxy
}
