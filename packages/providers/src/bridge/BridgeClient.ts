/**
 * Calls to a bridge: signed requests and signed responses.
 *
 * Only a response signed for this very request counts. Two statuses need no signature, since a bridge returns them before
 * it passes anything on: 401 (it rejects our signature) and 503.
 */

import { randomUUID } from "node:crypto"
import { Unavailable as UnavailableFailure } from "@svc/core"
import type { ProviderFailure } from "@svc/core/outreach"
import {
  callProvider,
  GatewayError,
  GatewayRejected,
  jsonOrUndefined,
  type Refused,
  type SendResult,
  storable,
  type Unavailable,
  UsageLimit
} from "@svc/core/outreach"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Confirmation, Refusal, Unavailability, UnknownOutcome } from "./BridgeResponses.ts"
import { isSigned, responseId, type SigningKey, sign } from "./BridgeSignature.ts"

/** A request: the last segment of its path and its body without `version`. */
export interface BridgeCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey?: string
}

/** A response that breaks the contract, or none. The read may be retried. */
interface BridgeBroken {
  readonly _tag: "Broken"
  readonly detail: string
}

/** A signed response: JSON of any shape. */
interface BridgeFound {
  readonly _tag: "Found"
  readonly body: unknown
}

/** The result of a read. */
type BridgeRead = BridgeFound | Refused | Unavailable | BridgeBroken

/** The calls of one bridge. */
export interface BridgeClient {
  readonly read: (call: BridgeCall) => Effect.Effect<BridgeRead>
  readonly write: (call: BridgeCall) => Effect.Effect<SendResult>
}

const decodeRefusal = Schema.decodeUnknownOption(Refusal)
const decodeUnavailability = Schema.decodeUnknownOption(Unavailability)
const decodeConfirmation = Schema.decodeUnknownOption(Confirmation)
const decodeUnknownOutcome = Schema.decodeUnknownOption(UnknownOutcome)

const detailOf = (text: string | undefined, otherwise: string): string => storable(text ?? otherwise, 200)

const retryAfter = (seconds: number | undefined): number | null =>
  seconds === undefined || !Number.isFinite(seconds) ? null : Math.min(Math.max(1, Math.ceil(seconds)), 7 * 86_400)

/** The bridge's refusal or unavailability; undefined for anything else. */
const declined = (body: unknown): Refused | Unavailable | undefined => {
  const refusal = Option.getOrUndefined(decodeRefusal(body))
  if (refusal !== undefined) {
    const providerCode = detailOf(refusal.code, refusal.kind)
    return {
      _tag: "Refused",
      kind: refusal.kind,
      providerCode,
      retryAfterSeconds: retryAfter(refusal.retry_after_seconds)
    }
  }
  const unavailable = Option.getOrUndefined(decodeUnavailability(body))
  return unavailable === undefined
    ? undefined
    : { _tag: "Unavailable", detail: detailOf(unavailable.detail, "The bridge is unavailable.") }
}

const writeResult = (body: unknown): SendResult => {
  const confirmed = Option.getOrUndefined(decodeConfirmation(body))
  if (confirmed !== undefined) {
    return { _tag: "Confirmed", messageId: confirmed.message_id ?? null, externalId: confirmed.external_id ?? null }
  }
  const unknownOutcome = Option.getOrUndefined(decodeUnknownOutcome(body))
  if (unknownOutcome !== undefined)
    return { _tag: "Unknown", detail: detailOf(unknownOutcome.detail, "The bridge reported an unknown outcome.") }
  return declined(body) ?? { _tag: "Unknown", detail: "The bridge sent an unexpected response." }
}

/** Timeouts of one request in milliseconds. */
interface BridgeTimeouts {
  readonly read: number
  readonly write: number
}

/** Makes the client of the bridge at a URL without a trailing slash. */
export const makeBridgeClient = (
  url: string,
  key: SigningKey,
  timeouts: BridgeTimeouts,
  http: HttpClient.HttpClient
): BridgeClient => {
  /** The JSON of a signed response, or why there is none. */
  const exchange = ({ path, body, idempotencyKey }: BridgeCall, timeoutMillis: number) =>
    Effect.gen(function* (): Effect.fn.Return<BridgeRead, never, HttpClient.HttpClient> {
      const id = `msg_${randomUUID()}`
      const text = JSON.stringify({ version: 1, ...body })
      const seconds = (yield* Clock.currentTimeMillis) / 1_000
      const response = yield* callProvider({
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
      if (response._tag === "NotSent") return { _tag: "Unavailable", detail: response.detail }
      if (response._tag === "Lost") return { _tag: "Broken", detail: response.detail }
      if (response.status === 503) return { _tag: "Unavailable", detail: "The bridge is unavailable (503)." }
      if (response.status === 401) {
        return { _tag: "Unavailable", detail: "The bridge rejected our signature. Check the secret on both sides." }
      }
      const now = (yield* Clock.currentTimeMillis) / 1_000
      if (response.status !== 200 || !isSigned(key, responseId(id), now, response.text, response.headers)) {
        return { _tag: "Broken", detail: `The bridge's response (${response.status}) has no valid signature.` }
      }
      return { _tag: "Found", body: jsonOrUndefined(response.text) }
    }).pipe(Effect.provideService(HttpClient.HttpClient, http))
  return {
    read: (call) =>
      Effect.map(exchange(call, timeouts.read), (result) =>
        result._tag === "Found" ? (declined(result.body) ?? result) : result
      ),
    write: (call) =>
      Effect.map(exchange(call, timeouts.write), (result): SendResult => {
        if (result._tag === "Found") return writeResult(result.body)
        return result._tag === "Broken" ? { _tag: "Unknown", detail: result.detail } : result
      })
  }
}

/** A failed read as a failure of the product. */
export const bridgeFailure = (result: Exclude<BridgeRead, BridgeFound>): ProviderFailure => {
  switch (result._tag) {
    case "Unavailable":
      return new UnavailableFailure({ message: `${result.detail} Try again in a few seconds.` })
    case "Broken":
      return new GatewayError({ message: `${result.detail} Try again later.` })
    case "Refused":
      return result.kind === "limit"
        ? new UsageLimit({
            message: `LinkedIn account limit reached (${result.providerCode.slice(0, 80)}). Wait, then try again.`,
            ...(result.retryAfterSeconds === null ? undefined : { retryAfterSeconds: result.retryAfterSeconds })
          })
        : new GatewayRejected({
            message: `The bridge refused the request (${result.providerCode.slice(0, 80)}). Check its input.`
          })
  }
}
