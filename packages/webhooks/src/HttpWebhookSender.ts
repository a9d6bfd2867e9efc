/**
 * Webhooks over HTTP and HTTPS: each request on its own connection, to a checked IP address, without redirects, and over
 * in 15 seconds whatever the receiver does.
 *
 * No request is logged, and no failure text names an IP address, a header or a secret.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import { version } from "@svc/core"
import { type WebhookRequest, type WebhookResponse, WebhookSender, WebhookTargets } from "@svc/core/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { checkTarget, type ResolveName, resolveBySystem, type Target, type TargetAddress } from "./checkTarget.ts"
import { retryAfterSeconds } from "./retryAfterSeconds.ts"
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

/** Resolves any name to the checked addresses. */
const pinned =
  (addresses: ReadonlyArray<TargetAddress>): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true) return callback(null, [...addresses])
    return first === undefined
      ? callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "")
      : callback(null, first.address, first.family)
  }

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
  target: Extract<Target, { _tag: "Open" }>,
  { body, sentAt, ...signed }: WebhookRequest,
  done: (answer: WebhookResponse) => void
): ClientRequest => {
  const content = Buffer.from(body, "utf8")
  const options: RequestOptions = {
    method: "POST",
    // No kept connection and no proxy of the environment: the target was decided above.
    agent: false,
    lookup: pinned(target.addresses),
    headers: {
      "content-type": "application/json",
      "content-length": content.byteLength,
      "user-agent": `svc/${version}`,
      ...signatureHeaders({ body, sentAt, ...signed })
    }
  }
  const request = (target.url.protocol === "https:" ? httpsRequest : httpRequest)(target.url, options)
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
          Effect.callback<WebhookResponse>((resume) => {
            let open: ClientRequest | undefined
            let isOver = false
            const finish = (answer: WebhookResponse | undefined) => {
              if (isOver) return
              isOver = true
              clearTimeout(timer)
              open?.destroy()
              if (answer !== undefined) resume(Effect.succeed(answer))
            }
            const timer = setTimeout(() => finish(timedOut(timeout)), timeout)
            void checkTarget(request.url, rule, resolve).then((target) => {
              if (isOver) return
              if (target._tag === "Closed") return finish(unanswered(target.reason))
              open = connect(target, request, finish)
            })
            return Effect.sync(() => finish(undefined))
          })
      })
    })
  )

/** See {@link layerWith}. */
export const layer: Layer.Layer<WebhookSender> = layerWith()
