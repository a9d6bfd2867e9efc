/** The HTTP surface of a service that a host may close while requests arrive. */

import type { Failure } from "@svc/core"
import type { HttpHandlers, NodeHandler, NodeResponse } from "@svc/http"
import { actAs } from "./callerOf.ts"
import type { HostActor } from "./HostActor.ts"
import type { Life } from "./life.ts"

/** Handles a Web request, on behalf of an actor if the host already knows who makes it. */
export type ActingFetch = (request: Request, options?: { readonly actor?: HostActor }) => Promise<Response>

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
): { readonly fetch: ActingFetch; readonly node: NodeHandler } => ({
  fetch: async (request, { actor } = {}) => {
    if (actor !== undefined) actAs(request, actor)
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
