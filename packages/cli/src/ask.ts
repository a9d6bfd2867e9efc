/** One HTTP request over Node's own client, which is there at once; `fetch` takes longer to load than an answer takes. */
import { type IncomingMessage, request as plain } from "node:http"
import { request as secure } from "node:https"

/** A request to a service. `json` is a body, sent as it is written. */
export interface Ask {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly json?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How long an answer may take, in milliseconds. */
const patience = 120_000

/**
 * Sends the request to the base address and answers the response with its body unread. A redirect is not followed: it
 * would take the key elsewhere. Rejects when nobody answers.
 */
export const send = (
  base: string,
  { headers, json, method, path }: Ask,
  timeout: number = patience
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = `${base}${path}`
    const options = {
      method,
      headers: {
        accept: "application/json",
        ...(json === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(json).toString() }),
        ...headers
      },
      signal: AbortSignal.timeout(timeout)
    }
    const request = url.startsWith("https:") ? secure(url, options) : plain(url, options)
    request.once("response", resolve)
    request.once("error", reject)
    request.end(json)
  })

/** The whole body as text. Rejects when it breaks off. */
export const textOf = async (response: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of response) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}
