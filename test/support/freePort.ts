/** A port of this machine that nobody listens on, for a program that cannot choose one by itself. */
import { createServer } from "node:net"

/** Finds one. Another process may take it meanwhile. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)))
    })
  })
