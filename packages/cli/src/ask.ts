/** One HTTP request over Node's own client, which is there at once; `fetch` takes longer to load than an answer takes. */
import { type IncomingMessage, request as plain } from "node:http"
import type { Readable } from "node:stream"

/** A request to a service. `json` is a body, sent as it is written; `body` one that is sent while it is read. */
export interface Ask {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly json?: string
  readonly body?: Readable
  readonly headers?: Readonly<Record<string, string>>
}

/** How long an answer may take, in milliseconds; one to a body that is read on the way may take as long as it takes. */
const patience = 120_000

/**
 * Sends the request to the base address and answers the response with its body unread. A redirect is not followed: it
 * would take the key elsewhere. Rejects when nobody answers.
 */
export const send = async (
  base: string,
  { body, headers, json, method, path }: Ask,
  timeout: number = patience,
  signal: AbortSignal = body === undefined ? AbortSignal.timeout(timeout) : new AbortController().signal
): Promise<IncomingMessage> => {
  const url = `${base}${path}`
  // Loaded here, since most services that a command line asks are on the same machine.
  const begin = url.startsWith("https:") ? (await import("node:https")).request : plain
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
      signal
    }
    const request = begin(url, options)
    request.on("error", reject)
    if (body === undefined) {
      request.once("response", resolve)
      request.end(json)
      return
    }
    // A service may answer before it has read everything; what is left is not sent then.
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

/** The whole body as text. Rejects when it breaks off. */
export const textOf = async (response: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of response) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}
