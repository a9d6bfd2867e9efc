/** The HTTP surface of a service that a host may close while requests arrive. */

import type { Failure } from "@svc/core"
import type { FetchHandler, HttpHandlers, NodeHandler, NodeResponse } from "@svc/http"
import type { Life } from "./life.ts"

/** What of `ServerResponse` is needed here. */
interface Writable extends NodeResponse {
  readonly once: (event: "close", listener: () => void) => unknown
  readonly writeHead: (status: number, headers: Readonly<Record<string, string>>) => unknown
  readonly end: (body: string) => unknown
}

const json = { "content-type": "application/json" }

const bodyOf = ({ code, message }: Failure): string => JSON.stringify({ error: { message, code } })

/** The handlers of a running service; after its end they respond 503. */
export const mounted = (
  { fetch, node, owns }: HttpHandlers["Service"],
  life: Life
): { readonly fetch: FetchHandler; readonly node: NodeHandler } => ({
  fetch: async (request) => {
    const ended = life.ended()
    if (ended === undefined) return life.during(() => fetch(request))
    return new Response(bodyOf(ended), { status: ended.entry.status, headers: json })
  },
  node: (request, given, next) => {
    if (next !== undefined && !owns(request.url ?? "/")) return next()
    const response = given as Writable
    const ended = life.ended()
    if (ended !== undefined) {
      response.writeHead(ended.entry.status, { ...json, connection: "close" })
      response.end(bodyOf(ended))
      return
    }
    void life.during(() => {
      const closed = new Promise<void>((resolve) => response.once("close", resolve))
      node(request, response)
      return closed
    })
  }
})
