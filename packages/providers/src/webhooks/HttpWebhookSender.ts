/**
 * Webhooks over HTTP and HTTPS: each request on its own connection, to a checked IP address, without redirects, and over
 * in 15 seconds whatever the receiver does.
 *
 * No request is logged, and no failure text names an IP address, a header or a secret.
 */

import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import { version } from "@svc/core"
import { WebhookTargets } from "@svc/core/internal"
import { type WebhookRequest, type WebhookResponse, WebhookSender } from "@svc/core/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { guarded, type OpenTarget, openRequest, type ResolveName, resolveBySystem } from "./checkTarget.ts"
import { signatureHeaders } from "./signatureHeaders.ts"

/** Options for tests. */
export interface SenderOptions {
  readonly resolve?: ResolveName
  /** Milliseconds from the DNS lookup to the end of the response. */
  readonly timeout?: number
}

/** Milliseconds. */
export const defaultTimeout = 15_000

/** How much of a response is read. */
export const maxResponseBytes = 65_536

const maxSnippetLength = 200

const unanswered = (reason: string): WebhookResponse => ({ _tag: "Unanswered", reason })

const timedOut = (timeout: number): WebhookResponse =>
  unanswered(`The receiver did not respond within ${Math.round(timeout / 1_000)} seconds.`)

/** The code of a failed connection; its message could name addresses. */
const connectionProblem = (error: unknown): WebhookResponse => {
  const code = error instanceof Error && "code" in error ? String(error.code).slice(0, 60) : "unknown"
  const isCertificate = /CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code)
  return unanswered(
    isCertificate
      ? `The receiver's TLS certificate was rejected (${code}).`
      : `The connection to the receiver failed (${code}).`
  )
}

/** The beginning of a body on one line, without control characters. */
const snippetOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, maxSnippetLength * 4)
    .toString("utf8")
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, " ")
    .trim()
    .slice(0, maxSnippetLength)

/** The status and, if a public receiver refused, the beginning of its body. */
const readResponse = (
  response: IncomingMessage,
  sentAt: number,
  isPublic: boolean,
  done: (answer: WebhookResponse) => void
): void => {
  const status = response.statusCode ?? 0
  const chunks: Array<Buffer> = []
  let size = 0
  const end = () => {
    const isShown = isPublic && status >= 400
    done({
      _tag: "Answered",
      status,
      retryAfterSeconds: retryAfterSeconds(response.headers["retry-after"], sentAt),
      snippet: isShown ? snippetOf(Buffer.concat(chunks)) : ""
    })
    response.destroy()
  }
  response.on("data", (chunk: Buffer) => {
    if (size < maxSnippetLength * 4) chunks.push(chunk)
    size += chunk.length
    if (size > maxResponseBytes) end()
  })
  // The status is known, so an interrupted body changes nothing.
  response.on("end", end)
  response.on("error", end)
}

const connect = (
  target: OpenTarget,
  { body, sentAt, ...signed }: WebhookRequest,
  done: (answer: WebhookResponse) => void
): ClientRequest => {
  const content = Buffer.from(body, "utf8")
  const options: RequestOptions = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": content.byteLength,
      "user-agent": `svc/${version}`,
      ...signatureHeaders({ body, sentAt, ...signed })
    }
  }
  const request = openRequest(target, options)
  request.on("response", (response) => readResponse(response, sentAt, target.isPublic, done))
  request.on("error", (error) => done(connectionProblem(error)))
  request.end(content)
  return request
}

/** Sends requests from this process. */
export const layerWith = ({
  resolve = resolveBySystem,
  timeout = defaultTimeout
}: SenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const rule = yield* WebhookTargets
      return WebhookSender.of({
        post: (request) =>
          guarded<WebhookResponse>(
            { url: request.url, rule, resolve, timeout },
            { closed: unanswered, timedOut: timedOut(timeout) },
            (target, finish) => connect(target, request, finish)
          )
      })
    })
  )

/** {@link layerWith} the usual options. */
export const layer: Layer.Layer<WebhookSender> = layerWith()

/** The seconds of a Retry-After (RFC 9110, 10.2.3) from `now`, in milliseconds since 1970; null if it is missing or malformed. */
export const retryAfterSeconds = (header: string | undefined, now: number): number | null => {
  const text = header?.trim().slice(0, 100) ?? ""
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Za-z]{3,9}, /.test(text)) return null
  const seconds = Math.ceil((Date.parse(text) - now) / 1_000)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null
}
