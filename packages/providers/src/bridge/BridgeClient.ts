/**
 * Calls to a bridge: signed requests and signed responses.
 *
 * Only a response signed for this very request counts. Two statuses need no signature, since a bridge returns them before
 * it passes anything on: 401 (it rejects our signature) and 503.
 */

import { randomUUID } from "node:crypto"
import { type Failure, InvalidInput, isLoopback, parseUrl } from "@svc/core"
import { jsonOrUndefined, storable } from "@svc/core/internal"
import type { Refused, SendResult, Unavailable } from "@svc/core/outreach"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { decoded, type FailedRead, failed, readAs, respond, settled } from "../ProviderRead.ts"
import { Confirmation, Refusal, Unavailability, UnknownOutcome } from "./BridgeResponses.ts"
import { isSigned, responseId, type SigningKey, sign } from "./BridgeSignature.ts"

/** A request: the last segment of its path and its body without `version`. */
interface BridgeCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey?: string
}

/** The calls of one bridge. */
export interface BridgeClient {
  /** The decoded body of a read. */
  readonly read: <S extends Schema.ConstraintDecoder<unknown>>(
    call: BridgeCall,
    schema: S
  ) => Effect.Effect<S["Type"], FailedRead>
  readonly write: (call: BridgeCall) => Effect.Effect<SendResult>
}

const Declined = Schema.Union([Refusal, Unavailability])
const Written = Schema.Union([Confirmation, UnknownOutcome])

const detailOf = (text: string | undefined, otherwise: string): string => storable(text ?? otherwise, 200)

const retryAfter = (seconds: number | undefined): number | null =>
  seconds === undefined || !Number.isFinite(seconds) ? null : Math.min(Math.max(1, Math.ceil(seconds)), 7 * 86_400)

/** The bridge's refusal or unavailability; undefined for anything else. */
const declined = (body: unknown): Refused | Unavailable | undefined => {
  const answer = readAs(Declined, body)
  if (answer?.outcome === "refused") {
    const { code, kind, retry_after_seconds } = answer
    const retryAfterSeconds = retryAfter(retry_after_seconds)
    return { _tag: "Refused", kind, providerCode: detailOf(code, kind), retryAfterSeconds }
  }
  return answer && { _tag: "Unavailable", detail: detailOf(answer.detail, "The bridge is unavailable.") }
}

const writeResult = (body: unknown): SendResult => {
  const answer = readAs(Written, body)
  if (answer?.outcome === "confirmed") {
    return { _tag: "Confirmed", messageId: answer.message_id ?? null, externalId: answer.external_id ?? null }
  }
  const detail = answer && detailOf(answer.detail, "The bridge reported an unknown outcome.")
  return { _tag: "Unknown", detail: detail ?? "The bridge sent an unexpected response." }
}

/** Makes the client of the bridge at a URL without a trailing slash. Timeouts of one request are in milliseconds. */
export const makeBridgeClient = (
  url: string,
  key: SigningKey,
  timeouts: { readonly read: number; readonly write: number },
  http: HttpClient.HttpClient
): BridgeClient => {
  /** The JSON of a signed response. Fails where there is none, or where it declines the request. */
  const exchange = ({ path, body, idempotencyKey }: BridgeCall, timeoutMillis: number) =>
    Effect.gen(function* () {
      const id = `msg_${randomUUID()}`
      const text = JSON.stringify({ version: 1, ...body })
      const seconds = (yield* Clock.currentTimeMillis) / 1_000
      const response = yield* respond({
        method: "POST",
        url: `${url}/${path}`,
        headers: {
          accept: "application/json",
          ...sign(key, id, seconds, text),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
        },
        body: { _tag: "Json", text },
        timeoutMillis
      })
      if (response.status === 503) return yield* failed("Unavailable", "The bridge is unavailable (503).")
      if (response.status === 401) {
        return yield* failed("Unavailable", "The bridge rejected our signature. Check the secret on both sides.")
      }
      const now = (yield* Clock.currentTimeMillis) / 1_000
      if (response.status !== 200 || !isSigned(key, responseId(id), now, response.text, response.headers)) {
        return yield* failed("Broken", `The bridge's response (${response.status}) has no valid signature.`)
      }
      const found = jsonOrUndefined(response.text)
      const refusal = declined(found)
      return refusal === undefined ? found : yield* Effect.fail<FailedRead>(refusal)
    }).pipe(Effect.provideService(HttpClient.HttpClient, http))
  return {
    read: (call, schema) =>
      Effect.flatMap(exchange(call, timeouts.read), (body) => decoded(body, schema, "The bridge")),
    write: (call) => settled(exchange(call, timeouts.write), writeResult)
  }
}

/** The bridge's URL without a trailing slash. Fails with INVALID_INPUT. */
export const parseBridgeUrl = (text: string): Result.Result<string, Failure> => {
  const url = text.length <= 500 ? parseUrl(text) : undefined
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  if (url === undefined || !isSafe || url.username + url.password + url.search + url.hash !== "") {
    return Result.fail(
      new InvalidInput({
        message: "The bridge's URL must be https (http on loopback only), without credentials, query and fragment."
      })
    )
  }
  return Result.succeed(`${url.origin}${url.pathname}`.replace(/\/$/, ""))
}
