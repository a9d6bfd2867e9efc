/** One HTTP request with Node's own client: `fetch` takes longer to load than most requests take. */
import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"

/** A request to a service. `json` is a body in JSON text; `body` one that is streamed. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  readonly path: string
  readonly json?: string
  readonly body?: Readable
  readonly headers?: Readonly<Record<string, string>>
}

/** A query of the fields that are given; empty if none is. */
export const queryOf = (fields: Readonly<Record<string, string | number | boolean | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? "" : `?${query}`
}

/** All headers of a request but the length of its body. */
export const headersOf = ({ headers, json }: ServiceRequest): Readonly<Record<string, string>> => ({
  accept: "application/json",
  ...(json === undefined ? {} : { "content-type": "application/json" }),
  ...headers
})

/** How long a response may take, in milliseconds; a streamed body has no limit. */
const timeout = 120_000

/**
 * Sends the request; resolves to the response with its body unread. Redirects are not followed: they would send the key
 * elsewhere. Rejects when nothing responds.
 */
export const sendRequest = (
  base: string,
  service: ServiceRequest,
  signal = service.body === undefined ? AbortSignal.timeout(timeout) : undefined
): Promise<IncomingMessage> => {
  const { body, json, method, path } = service
  const url = `${base}${path}`
  // An import of it would load Node's own fetch as well, which takes longer than most commands.
  const { request: begin } = process.getBuiltinModule(url.startsWith("https:") ? "node:https" : "node:http")
  return new Promise((resolve, reject) => {
    const length = json === undefined ? {} : { "content-length": Buffer.byteLength(json).toString() }
    const request = begin(url, { method, headers: { ...length, ...headersOf(service) }, signal })
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
