/** A service of a host on a port, and the command line as its client. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { svcInProcess } from "./svcInProcess.ts"
import type { Ran } from "./svcProcess.ts"

/** Serves a service while it is used. */
export const listening = async <A>(
  { node }: { readonly node: (request: IncomingMessage, response: ServerResponse) => void },
  use: (url: string) => Promise<A>
): Promise<A> => {
  const server = createServer((request, response) => node(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Runs `svc` against a URL. */
export const svcAt = (url: string, key: string, args: ReadonlyArray<string>): Promise<Ran> =>
  svcInProcess(args, { env: { SVC_BASE_URL: url, SVC_API_KEY: key } })
