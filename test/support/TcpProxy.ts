/** A way to a server that a test can make silent: nothing is forwarded, and nothing is closed. */
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** What of the traffic is held back. What was held is forwarded when the silence ends. */
export type Silence = "none" | "answers" | "all"

/** The proxy, on 127.0.0.1. */
export interface TcpProxy {
  readonly port: number
  readonly silence: (which: Silence) => void
  /** Closes every connection, and leads new ones to another port. */
  readonly lead: (port: number) => void
  readonly close: () => Promise<void>
}

/** Starts a proxy before a port of this machine. */
export const startTcpProxy = async (first: number): Promise<TcpProxy> => {
  let target = first
  const pairs = new Set<readonly [client: Socket, server: Socket]>()
  let silent: Silence = "none"
  const apply = ([client, server]: readonly [Socket, Socket]) => {
    if (silent === "all") client.pause()
    else client.resume()
    if (silent === "none") server.resume()
    else server.pause()
  }
  const listener = createServer((client) => {
    const server = connect(target, "127.0.0.1")
    const pair = [client, server] as const
    pairs.add(pair)
    client.on("data", (chunk) => server.write(chunk))
    server.on("data", (chunk) => client.write(chunk))
    for (const socket of pair) {
      socket.on("error", () => undefined)
      socket.on("close", () => {
        pairs.delete(pair)
        client.destroy()
        server.destroy()
      })
    }
    apply(pair)
  }).listen(0, "127.0.0.1")
  await once(listener, "listening")
  return {
    port: Object(listener.address()).port,
    silence: (which) => {
      silent = which
      pairs.forEach(apply)
    },
    lead: (port) => {
      target = port
      for (const [client] of pairs) client.destroy()
    },
    close: async () => {
      for (const [client] of pairs) client.destroy()
      listener.close()
      await once(listener, "close")
    }
  }
}
