/**
 * Answers of the HTTP surface: JSON bodies, the spec's error object, and which failures of the command endpoint use which.
 *
 * Source: spec "Errors"; contract 1.3 and 1.4.
 */
import type { Envelope } from "@svc/core/Envelope"
import type { Failure, FailureCode } from "@svc/core/Failure"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A response with JSON that is already text. */
export const jsonText = (body: string, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { status, contentType: "application/json" })

/** A response with a JSON value. */
export const json = (value: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  jsonText(JSON.stringify(value), status)

/** What every refusal outside the command envelope says. */
export interface Refusal {
  readonly code: FailureCode
  readonly message: string
  readonly status: number
  readonly retryAfterSeconds?: number | undefined
}

/** The refusal of a failure. */
export const refusalOf = (failure: Failure): Refusal => ({
  code: failure.code,
  message: failure.message,
  status: failure.entry.status,
  retryAfterSeconds: failure.retryAfterSeconds
})

const retryAfter = (response: HttpServerResponse.HttpServerResponse, seconds: number | undefined) =>
  seconds === undefined ? response : HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(seconds)))

/** The spec's error object. */
export const errorObject = (refusal: Refusal): HttpServerResponse.HttpServerResponse => {
  const { code, message, status, retryAfterSeconds } = refusal
  const response = retryAfter(json({ error: { message, code } }, status), retryAfterSeconds)
  if (status === 401) return HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")
  // What was not read of a body must not be taken for the next request.
  return status === 413 ? HttpServerResponse.setHeader(response, "connection", "close") : response
}

const enveloped = new Set([400, 404, 409, 502])

/** The command endpoint's answer: the envelope, or the error object where the failure is not one of the command's own. */
export const commandAnswer = (
  envelope: Envelope<unknown>,
  retryAfterSeconds?: number
): HttpServerResponse.HttpServerResponse => {
  if (envelope.ok) return json(envelope, envelope.status)
  if (enveloped.has(envelope.status)) return retryAfter(json(envelope, envelope.status), retryAfterSeconds)
  return errorObject({ ...envelope.error, status: envelope.status, retryAfterSeconds })
}
