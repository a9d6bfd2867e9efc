/**
 * Signatures of the bridge, both ways, in the form of Standard Webhooks: three headers, and HMAC-SHA-256 over
 * `id.timestamp.body` with the bytes behind `whsec_`.
 *
 * An answer has the id of its request with `answer_` before it, so that neither can be passed off as the other, and an
 * answer belongs to one request. Source: G34; reliability 1, Standard Webhooks.
 */
import { createHmac } from "node:crypto"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Failure, fail } from "../../Failure.ts"
import { constantTimeEqual } from "../../Hash.ts"

/** How far the clocks of the two sides may be apart, in seconds. */
export const signatureTolerance = 300

/** The bytes of a signing secret. */
export type SigningKey = Redacted.Redacted<Uint8Array>

/** The headers of a signed body. */
export interface SignatureHeaders {
  readonly "webhook-id": string
  readonly "webhook-timestamp": string
  readonly "webhook-signature": string
}

/** The key in `whsec_` and base64 of 24 to 64 bytes. Fails with INVALID_INPUT and never repeats the secret. */
export const signingKey = (secret: Redacted.Redacted): Result.Result<SigningKey, Failure> => {
  const text = Redacted.value(secret)
  const encoded = text.startsWith("whsec_") ? text.slice(6) : ""
  const bytes = /^[A-Za-z0-9+/]{32,88}={0,2}$/.test(encoded) ? Buffer.from(encoded, "base64") : Buffer.alloc(0)
  return bytes.length >= 24 && bytes.length <= 64
    ? Result.succeed(Redacted.make(new Uint8Array(bytes)))
    : Result.fail(
        fail(
          "INVALID_INPUT",
          "The bridge's secret must be whsec_ and the base64 of 24 to 64 random bytes, the same on both sides."
        )
      )
}

const signature = (key: SigningKey, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac("sha256", Redacted.value(key)).update(`${id}.${timestamp}.${body}`, "utf8").digest("base64")}`

/** Signs a body. `seconds` is the present in seconds since 1970. */
export const sign = (key: SigningKey, id: string, seconds: number, body: string): SignatureHeaders => {
  const timestamp = String(Math.floor(seconds))
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature(key, id, timestamp, body)
  }
}

/**
 * Whether a body was signed with the key, under this id, not more than {@link signatureTolerance} ago or ahead. The
 * header may hold several signatures with spaces between them, as during a change of secrets.
 */
export const isSigned = (
  key: SigningKey,
  id: string,
  seconds: number,
  body: string,
  headers: Readonly<Record<string, string | undefined>>
): boolean => {
  const timestamp = headers["webhook-timestamp"] ?? ""
  if (headers["webhook-id"] !== id || !/^[0-9]{1,12}$/.test(timestamp)) return false
  if (Math.abs(seconds - Number(timestamp)) > signatureTolerance) return false
  const wanted = signature(key, id, timestamp, body)
  const given = (headers["webhook-signature"] ?? "").slice(0, 1_000).split(" ")
  return given.some((one) => constantTimeEqual(one, wanted))
}

/** The id that the answer to a request must have. */
export const answerId = (requestId: string): string => `answer_${requestId}`
