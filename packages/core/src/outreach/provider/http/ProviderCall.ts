/**
 * One HTTP request to a provider, and the one thing that matters about its end: could the request have been carried out?
 *
 * Never fails and never throws. Each request has its own connection: one kept from before may be closed by the other
 * side just as it is used again, which cannot be told from a request that was lost after it was read. Redirects are
 * never followed, so that a body and a key go nowhere else. No answer is read beyond {@link maxResponseBytes}.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { sha256Hex } from "../../../kernel/schema/Hash.ts"
import { connectionFault } from "./connectionFault.ts"

// `fetch` that sends a body at most once.
//
// By its specification `fetch` sends a request again by itself when the answer is 421, unless the body is a stream,
// which it cannot read twice. So the body becomes a stream here, with its length said, as without it would be.

/** As `fetch`; a body of bytes is sent at most once, redirects are not followed. */
const fetchOnce: typeof globalThis.fetch = (input, init) => {
  const body = init?.body
  if (!(body instanceof Uint8Array)) return globalThis.fetch(input, { ...init, redirect: "manual" })
  const headers = new Headers(init?.headers)
  headers.set("content-length", String(body.byteLength))
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (body.byteLength > 0) controller.enqueue(body)
      controller.close()
    }
  })
  return globalThis.fetch(input, { ...init, headers, body: stream, duplex: "half", redirect: "manual" })
}

// A `multipart/form-data` body made by hand: the ready-made one changes the line ends of a text.
//
// Source: RFC 7578.

/** A body and its media type. */
interface FormBody {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Fields in their order. A name is plain ASCII without quotes; a value is any well-formed text. */
const formBody = (fields: ReadonlyArray<readonly [name: string, value: string]>): FormBody => {
  // No text can hold its own digest, so the boundary is in none of the values.
  const boundary = `svc-${sha256Hex(JSON.stringify(fields))}`
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: new TextEncoder().encode(`${parts.join("")}--${boundary}--\r\n`)
  }
}

/** Largest answer that is read, in bytes after decompression. */
const maxResponseBytes = 5 * 1024 * 1024

/** What is sent: nothing, a JSON text, or the fields of a form in their order. */
export type ProviderBody =
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Json"; readonly text: string }
  | { readonly _tag: "Form"; readonly fields: ReadonlyArray<readonly [name: string, value: string]> }

/** A request. `timeoutMillis` covers everything from the connection to the last byte of the answer. */
interface ProviderRequest {
  readonly method: "GET" | "POST" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: ProviderBody
  readonly timeoutMillis: number
}

/** The whole answer came. `text` is empty where the body was not UTF-8; header names are in lower case. */
interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** The request did not leave: the name, the connection or its encryption failed. `detail` is for people. */
interface NotSent {
  readonly _tag: "NotSent"
  readonly detail: string
}

/** The request may have been read, and no whole answer came. `status` is set where at least the head of one did. */
interface Lost {
  readonly _tag: "Lost"
  readonly status: number | null
  readonly detail: string
}

/** How a request ended. */
export type ProviderAnswer = Answered | NotSent | Lost

const isTooLarge = "The response is larger than 5 MiB."

const withBody = (request: HttpClientRequest.HttpClientRequest, body: ProviderBody) => {
  switch (body._tag) {
    case "Empty":
      return request
    case "Json":
      return HttpClientRequest.bodyText(request, body.text, "application/json")
    case "Form": {
      const { bytes, contentType } = formBody(body.fields)
      return HttpClientRequest.bodyUint8Array(request, bytes, contentType)
    }
  }
}

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return ""
  }
}

/** The body, or undefined as soon as it is too large. */
const readBody = (response: HttpClientResponse): Effect.Effect<Uint8Array | undefined, HttpClientError> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return response.stream.pipe(
      Stream.takeWhile((chunk) => {
        size += chunk.byteLength
        if (size > maxResponseBytes) return false
        chunks.push(chunk)
        return true
      }),
      Stream.runDrain,
      Effect.map(() => (size > maxResponseBytes ? undefined : Buffer.concat(chunks)))
    )
  })

/** Carries out a request. Interrupting it closes its connection. */
export const callProvider = (request: ProviderRequest): Effect.Effect<ProviderAnswer, never, HttpClient.HttpClient> =>
  Effect.suspend(() => {
    let status: number | null = null
    const lost = (detail: string): ProviderAnswer => ({ _tag: "Lost", status, detail })
    const exchange = Effect.gen(function* (): Effect.fn.Return<ProviderAnswer, HttpClientError, HttpClient.HttpClient> {
      const client = yield* HttpClient.HttpClient
      const plain = HttpClientRequest.make(request.method)(request.url, {
        headers: { ...request.headers, connection: "close" }
      })
      const response = yield* client.execute(withBody(plain, request.body))
      status = response.status
      const bytes = yield* readBody(response)
      if (bytes === undefined) return lost(isTooLarge)
      return { _tag: "Answered", status: response.status, headers: response.headers, text: decodeUtf8(bytes) }
    })
    return exchange.pipe(
      Effect.catch((error) => {
        const fault = connectionFault(error.reason)
        return Effect.succeed<ProviderAnswer>(
          status === null && fault.isBeforeRequest ? { _tag: "NotSent", detail: fault.detail } : lost(fault.detail)
        )
      }),
      Effect.catchDefect(() => Effect.succeed(lost("The connection to the provider failed."))),
      Effect.timeoutOption(request.timeoutMillis),
      Effect.map(Option.getOrElse(() => lost(`The response was not complete within ${request.timeoutMillis} ms.`))),
      Effect.provideService(HttpClient.TracerPropagationEnabled, false)
    )
  })

/** The client that {@link callProvider} needs: `fetch`, without redirects and repetitions of its own. */
export const providerHttp: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetchOnce))
)
