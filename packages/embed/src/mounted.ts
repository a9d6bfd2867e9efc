/** The HTTP surface of a service that a host may close while requests arrive. */

import type { Failure } from "@svc/core"
import { isOptions } from "@svc/core/names"
import type { FrameworkRequest, HttpHandlers, NodeHandler, NodeRequest, NodeResponse } from "@svc/http"
import { actAs, seenAs } from "./callerOf.ts"
import { type HostActor, isActor } from "./HostActor.ts"
import { orThrow } from "./hostFailure.ts"
import type { Life } from "./life.ts"

/** Handles a Web request, on behalf of an actor if the host already knows who makes it. */
export type ActingFetch = (request: Request, options?: { readonly actor?: HostActor }) => Promise<Response>

const isActing = isOptions<NonNullable<Parameters<ActingFetch>[1]>>({ actor: isActor })

/** What of `ServerResponse` is needed here. */
interface Writable extends NodeResponse {
  readonly once: (event: "close", listener: () => void) => unknown
  readonly writeHead: (status: number, headers: Readonly<Record<string, string>>) => unknown
  readonly end: (body: string) => unknown
}

const json = { "content-type": "application/json" }

const bodyOf = ({ code, message }: Failure): string => JSON.stringify({ error: { message, code } })

/** The request of `node:http`, with what the host's framework knows of it. */
const rawOf = (request: NodeRequest | FrameworkRequest): NodeRequest => {
  if (!("raw" in request)) return request
  const { body, raw } = request
  seenAs(raw, request)
  return body === undefined ? raw : Object.assign(raw, { body })
}

/** A response, and when its body was read to its end, or nobody reads it. */
const followed = (response: Response): { readonly response: Response; readonly sent: Promise<void> } => {
  const { body, headers } = response
  // A body of a known length is there as a whole.
  if (body === null || headers.has("content-length")) return { response, sent: Promise.resolve() }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const sent = body.pipeTo(writable).catch(() => {})
  return { response: new Response(readable, response), sent }
}

/** The handlers of a running service; after its end they respond 503. */
export const mounted = (
  { fetch, node, owns }: HttpHandlers["Service"],
  life: Life
): { readonly fetch: ActingFetch; readonly node: NodeHandler } => ({
  fetch: async (request, options = {}) => {
    orThrow(isActing(options, "options", true))
    if (options.actor !== undefined) actAs(request, options.actor)
    const ended = life.ended()
    if (ended !== undefined) return new Response(bodyOf(ended), { status: ended.entry.status, headers: json })
    return new Promise((resolve, reject) => {
      const sending = async () => {
        const { response, sent } = followed(await fetch(request))
        resolve(response)
        await sent
      }
      life.during(sending).catch(reject)
    })
  },
  node: (givenRequest, givenResponse, next) => {
    const request = rawOf(givenRequest)
    if (next !== undefined && !owns(request)) return next()
    if ("hijack" in givenResponse) givenResponse.hijack()
    const response = ("raw" in givenResponse ? givenResponse.raw : givenResponse) as Writable
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
