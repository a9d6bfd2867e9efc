/**
 * Webhooks over HTTP and HTTPS: each request on a connection of its own, to an address that was checked, without
 * redirects, and over in 15 seconds whatever the receiver does.
 *
 * Nothing of a request is logged, and no text of an answer's failure names an address, a header or a secret.
 * Source: G34; reliability, threat D.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import { version } from "@svc/core/Version"
import { type WebhookAnswer, type WebhookRequest, WebhookSender } from "@svc/core/webhooks/delivery/WebhookSender"
import { WebhookTargets } from "@svc/core/webhooks/WebhookTarget"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { retryAfterSeconds } from "./retryAfterSeconds.ts"
import { signatureHeaders } from "./signatureHeaders.ts"
import { checkTarget, type ResolveName, resolveBySystem, type Target, type TargetAddress } from "./targetGate.ts"

/** What differs in tests. */
export interface SenderOptions {
  readonly resolve?: ResolveName
  /** Milliseconds from the look-up of the name to the end of the answer. */
  readonly timeout?: number
}

/** How long a receiver may take, in milliseconds. Source: G34. */
export const standardTimeout = 15_000

/** The most of an answer that is read, in bytes. */
export const longestAnswer = 65_536

const longestSnippet = 200

const unanswered = (reason: string): WebhookAnswer => ({ _tag: "Unanswered", reason })

const tookTooLong = (timeout: number): WebhookAnswer =>
  unanswered(`The receiver did not answer within ${Math.round(timeout / 1_000)} seconds.`)

/** The name that a connection is opened to means exactly the addresses that were checked. */
const pinned =
  (addresses: ReadonlyArray<TargetAddress>): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true) return callback(null, [...addresses])
    return first === undefined
      ? callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "")
      : callback(null, first.address, first.family)
  }

/** A failed connection by its code; its text could name addresses. */
const connectionProblem = (error: unknown): WebhookAnswer => {
  const code = error instanceof Error && "code" in error ? String(error.code).slice(0, 60) : "unknown"
  const isCertificate = /CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code)
  return unanswered(
    isCertificate
      ? `The receiver's certificate or TLS was not accepted (${code}).`
      : `The connection to the receiver failed (${code}).`
  )
}

/** The beginning of a text on one line, without control characters. */
const snippetOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, longestSnippet * 4)
    .toString("utf8")
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, " ")
    .trim()
    .slice(0, longestSnippet)

/** The status and, of a refusal by a public receiver, how its body begins. */
const readAnswer = (
  response: IncomingMessage,
  sentAt: number,
  isPublic: boolean,
  done: (answer: WebhookAnswer) => void
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
    if (size < longestSnippet * 4) chunks.push(chunk)
    size += chunk.length
    if (size > longestAnswer) end()
  })
  // The status was said: a body that breaks off changes nothing.
  response.on("end", end)
  response.on("error", end)
}

const connect = (
  target: Extract<Target, { _tag: "Open" }>,
  { body, sentAt, ...signed }: WebhookRequest,
  done: (answer: WebhookAnswer) => void
): ClientRequest => {
  const content = Buffer.from(body, "utf8")
  const options: RequestOptions = {
    method: "POST",
    // Nothing kept open and no proxy of the environment: where it goes was decided above.
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
  request.on("response", (response) => readAnswer(response, sentAt, target.isPublic, done))
  request.on("error", (error) => done(connectionProblem(error)))
  request.end(content)
  return request
}

/** Sends requests from this process. */
export const layerWith = ({
  resolve = resolveBySystem,
  timeout = standardTimeout
}: SenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const rule = yield* WebhookTargets
      return WebhookSender.of({
        post: (request) =>
          Effect.callback<WebhookAnswer>((resume) => {
            let open: ClientRequest | undefined
            let isOver = false
            const finish = (answer: WebhookAnswer | undefined) => {
              if (isOver) return
              isOver = true
              clearTimeout(timer)
              open?.destroy()
              if (answer !== undefined) resume(Effect.succeed(answer))
            }
            const timer = setTimeout(() => finish(tookTooLong(timeout)), timeout)
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
