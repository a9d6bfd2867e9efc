/**
 * Calls of a bridge: signed requests, signed answers.
 *
 * Only an answer that the bridge signed for this very request says anything. Two statuses count without a signature,
 * since a bridge gives them before it passes anything on: 401 (it refuses our signature) and 503.
 *
 * Source: contract 7 "Sending"; `README.md` beside this file.
 */
import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../../Failure.ts"
import type { Refused, SendResult, Unavailable } from "../LinkedInGateway.ts"
import { Confirmation, Doubt, Refusal, Unavailability } from "./BridgeAnswers.ts"
import { answerId, isSigned, type SigningKey, sign } from "./BridgeSignature.ts"
import { callProvider } from "./ProviderCall.ts"
import { jsonOrUndefined, storable } from "./ProviderText.ts"

/** A request: the last segment of its path and the members of its body, version apart. */
export interface BridgeCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey?: string
}

/** A read that no bridge answered as agreed; it may be tried again. */
export interface BridgeBroken {
  readonly _tag: "Broken"
  readonly detail: string
}

/** A read that was answered: JSON of any shape, from the bridge itself. */
export interface BridgeFound {
  readonly _tag: "Found"
  readonly body: unknown
}

/** How a read ended. */
export type BridgeRead = BridgeFound | Refused | Unavailable | BridgeBroken

/** The calls of one bridge. */
export interface BridgeClient {
  readonly read: (call: BridgeCall) => Effect.Effect<BridgeRead>
  readonly write: (call: BridgeCall) => Effect.Effect<SendResult>
}

const decodeRefusal = Schema.decodeUnknownOption(Refusal)
const decodeUnavailability = Schema.decodeUnknownOption(Unavailability)
const decodeConfirmation = Schema.decodeUnknownOption(Confirmation)
const decodeDoubt = Schema.decodeUnknownOption(Doubt)

const words = (text: string | undefined, otherwise: string): string => storable(text ?? otherwise, 200)

const advice = (seconds: number | undefined): number | null =>
  seconds === undefined || !Number.isFinite(seconds) ? null : Math.min(Math.max(1, Math.ceil(seconds)), 7 * 86_400)

/** A refusal or unavailability in the bridge's words; undefined for anything else. */
const declined = (body: unknown): Refused | Unavailable | undefined => {
  const refusal = Option.getOrUndefined(decodeRefusal(body))
  if (refusal !== undefined) {
    const providerCode = words(refusal.code, refusal.kind)
    return { _tag: "Refused", kind: refusal.kind, providerCode, retryAfterSeconds: advice(refusal.retry_after_seconds) }
  }
  const unavailable = Option.getOrUndefined(decodeUnavailability(body))
  return unavailable === undefined
    ? undefined
    : { _tag: "Unavailable", detail: words(unavailable.detail, "The bridge is unavailable.") }
}

const writeResult = (body: unknown): SendResult => {
  const confirmed = Option.getOrUndefined(decodeConfirmation(body))
  if (confirmed !== undefined) {
    return { _tag: "Confirmed", messageId: confirmed.message_id ?? null, externalId: confirmed.external_id ?? null }
  }
  const doubt = Option.getOrUndefined(decodeDoubt(body))
  if (doubt !== undefined) return { _tag: "Unknown", detail: words(doubt.detail, "The bridge does not know.") }
  return declined(body) ?? { _tag: "Unknown", detail: "The bridge's answer cannot be understood." }
}

/** Milliseconds for one request of each sort. */
export interface BridgePatience {
  readonly read: number
  readonly write: number
}

/** Makes the calls of the bridge at an address without a slash at its end. */
export const makeBridgeClient = (
  url: string,
  key: SigningKey,
  patience: BridgePatience,
  http: HttpClient.HttpClient
): BridgeClient => {
  /** The JSON of a signed answer, or how it ended otherwise. */
  const exchange = ({ path, body, idempotencyKey }: BridgeCall, timeoutMillis: number) =>
    Effect.gen(function* (): Effect.fn.Return<BridgeRead, never, HttpClient.HttpClient> {
      const id = `msg_${randomUUID()}`
      const text = JSON.stringify({ version: 1, ...body })
      const seconds = (yield* Clock.currentTimeMillis) / 1_000
      const answer = yield* callProvider({
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
      if (answer._tag === "NotSent") return { _tag: "Unavailable", detail: answer.detail }
      if (answer._tag === "Lost") return { _tag: "Broken", detail: answer.detail }
      if (answer.status === 503) return { _tag: "Unavailable", detail: "The bridge is unavailable (503)." }
      if (answer.status === 401) {
        return { _tag: "Unavailable", detail: "The bridge refuses our signature. Check the secret on both sides." }
      }
      const now = (yield* Clock.currentTimeMillis) / 1_000
      if (answer.status !== 200 || !isSigned(key, answerId(id), now, answer.text, answer.headers)) {
        return { _tag: "Broken", detail: `The bridge's answer (${answer.status}) is not signed as agreed.` }
      }
      return { _tag: "Found", body: jsonOrUndefined(answer.text) }
    }).pipe(Effect.provideService(HttpClient.HttpClient, http))
  return {
    read: (call) =>
      Effect.map(exchange(call, patience.read), (end) => (end._tag === "Found" ? (declined(end.body) ?? end) : end)),
    write: (call) =>
      Effect.map(exchange(call, patience.write), (end): SendResult => {
        if (end._tag === "Found") return writeResult(end.body)
        return end._tag === "Broken" ? { _tag: "Unknown", detail: end.detail } : end
      })
  }
}

/** A read without result, as a failure. */
export const bridgeFailure = (end: Exclude<BridgeRead, BridgeFound>): Failure => {
  switch (end._tag) {
    case "Unavailable":
      return fail("UNAVAILABLE", `${end.detail} Try again in a few seconds.`)
    case "Broken":
      return fail("GATEWAY_ERROR", `${end.detail} Try again later.`)
    case "Refused":
      return end.kind === "limit"
        ? fail(
            "USAGE_LIMIT",
            `The bridge says that a limit is reached (${end.providerCode.slice(0, 80)}). Wait, then try again.`,
            end.retryAfterSeconds === null ? undefined : { retryAfterSeconds: end.retryAfterSeconds }
          )
        : fail("GATEWAY_REJECTED", `The bridge refused (${end.providerCode.slice(0, 80)}). Check what was asked for.`)
  }
}
