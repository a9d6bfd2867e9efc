/** One HTTP request with Node's own client: `fetch` takes longer to load than most requests take. */
import { request as httpRequest, type IncomingMessage } from "node:http"
import type { Duplex, Readable } from "node:stream"

/** A request to a service. `json` is a body in JSON text; `body` one that is streamed. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  readonly path: string
  readonly json?: string
  readonly body?: Readable
  readonly headers?: Readonly<Record<string, string>>
}

/** How a request is sent. */
interface Sending {
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** Makes the connection, in place of one to the address. */
  readonly createConnection?: () => Duplex
}

/** How long a response may take, in milliseconds; a streamed body has no limit. */
const timeout = 120_000

/**
 * Sends the request; resolves to the response with its body unread. Redirects are not followed: they would send the key
 * elsewhere. Rejects when nothing responds.
 */
export const sendRequest = async (
  base: string,
  { body, headers, json, method, path }: ServiceRequest,
  { createConnection, signal = body === undefined ? AbortSignal.timeout(timeout) : undefined }: Sending = {}
): Promise<IncomingMessage> => {
  const url = `${base}${path}`
  // Loaded on use: most services that a command line calls are on the same machine.
  const begin = url.startsWith("https:") ? (await import("node:https")).request : httpRequest
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: {
        accept: "application/json",
        ...(json === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(json).toString() }),
        ...headers
      },
      signal,
      createConnection
    }
    const request = begin(url, options)
    request.on("error", reject)
    if (body === undefined) {
      request.once("response", resolve)
      request.end(json)
      return
    }
    // A service may respond before it has read the whole body; the rest is not sent then.
    request.once("response", (response) => {
      resolve(response)
      response.once("end", () => {
        body.unpipe(request)
        request.destroy()
      })
    })
    body.once("error", (error) => request.destroy(error))
    body.pipe(request)
  })
}

/** The whole body as text. Rejects when the connection is lost. */
export const bodyText = async (response: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}
