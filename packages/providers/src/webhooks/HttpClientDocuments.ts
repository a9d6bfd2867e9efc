/** Documents of clients over HTTPS, from checked addresses only, as webhooks are sent. */
import type { IncomingMessage } from "node:http"
import { version } from "@svc/core"
import { WebhookTargets } from "@svc/core/internal"
import { type ClientDocument, ClientDocuments } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { guarded, openRequest, resolveBySystem } from "./checkTarget.ts"
import type { SenderOptions } from "./HttpWebhookSender.ts"

/** Milliseconds. */
const defaultTimeout = 5_000

/** Most bytes of a document. */
export const maxDocumentBytes = 10_240

const missing = (reason: string): ClientDocument => ({ _tag: "Missing", reason })

/** How long a response may be kept, in seconds; undefined if it does not say. */
const maxAgeOf = (cacheControl: string | undefined): number | undefined => {
  if (cacheControl === undefined) return undefined
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0
  const seconds = /\bmax-age=(\d{1,9})/i.exec(cacheControl)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** Why a response is no document, by its status and headers. */
const headProblem = ({ headers, statusCode }: IncomingMessage): string | undefined => {
  if (statusCode !== 200) return `Its server responded with ${statusCode}, not 200.`
  const isJson = /^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? "")
  return isJson ? undefined : "Its media type must be application/json."
}

const readDocument = (response: IncomingMessage, done: (document: ClientDocument) => void): void => {
  const { headers } = response
  const problem = headProblem(response)
  if (problem !== undefined) done(missing(problem))
  const chunks: Array<Buffer> = []
  let size = 0
  response.on("data", (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size > maxDocumentBytes) done(missing(`It is larger than ${maxDocumentBytes / 1024} KiB.`))
  })
  response.on("end", () =>
    done({ _tag: "Found", body: Buffer.concat(chunks).toString("utf8"), maxAge: maxAgeOf(headers["cache-control"]) })
  )
  response.on("error", () => done(missing("Its server did not send it whole.")))
}

/** Reads documents from this process. */
export const layerWith = ({
  resolve = resolveBySystem,
  timeout = defaultTimeout
}: SenderOptions = {}): Layer.Layer<ClientDocuments> =>
  Layer.effect(
    ClientDocuments,
    Effect.map(WebhookTargets, (rule) =>
      ClientDocuments.of({
        read: (url) =>
          guarded<ClientDocument>(
            { url, rule, resolve, timeout },
            // Says nothing of networks, since anybody can ask.
            {
              closed: () => missing("Its URL cannot be used here."),
              timedOut: missing("Its server did not respond in time.")
            },
            (target, finish) => {
              const headers = { accept: "application/json", "user-agent": `svc/${version}` }
              const request = openRequest(target, { method: "GET", headers })
              request.on("response", (response) => readDocument(response, finish))
              request.on("error", () => finish(missing("Its server could not be reached.")))
              request.end()
              return request
            }
          )
      })
    )
  )

/** See {@link layerWith}. */
export const layer: Layer.Layer<ClientDocuments> = layerWith()
