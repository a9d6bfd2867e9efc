/**
 * Signatures of requests and responses, as in Standard Webhooks: three headers, and HMAC-SHA-256 over `id.timestamp.body`
 * with the bytes after `whsec_`.
 *
 * A response has the id `answer_` plus the id of its request, so it belongs to one request and neither can pass for the
 * other.
 */
import { constantTimeEqual, type Failure, InvalidInput } from "@svc/core"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { signatureHeaders } from "../webhooks/signatureHeaders.ts"

/** Maximum clock difference between both sides, in seconds. */
const signatureTolerance = 300

/** A well-formed signing secret. */
export type SigningKey = Redacted.Redacted

/** The key in `whsec_` plus the base64 of 24 to 64 bytes. Fails with INVALID_INPUT, without quoting the secret. */
export const signingKey = (secret: Redacted.Redacted): Result.Result<SigningKey, Failure> => {
  const text = Redacted.value(secret)
  const encoded = text.startsWith("whsec_") ? text.slice(6) : ""
  const bytes = /^[A-Za-z0-9+/]{32,88}={0,2}$/.test(encoded) ? Buffer.from(encoded, "base64") : Buffer.alloc(0)
  return bytes.length >= 24 && bytes.length <= 64
    ? Result.succeed(Redacted.make(`whsec_${bytes.toString("base64")}`))
    : Result.fail(
        new InvalidInput({
          message:
            "The bridge's secret must be whsec_ plus the base64 of 24 to 64 random bytes, the same on both sides."
        })
      )
}

/** Signs a body. `seconds` is the current time in seconds since 1970. */
export const sign = (key: SigningKey, id: string, seconds: number, body: string) =>
  signatureHeaders({ body, messageId: id, secrets: [key], sentAt: seconds * 1_000 })

/**
 * Whether a body was signed with the key under this id, within {@link signatureTolerance}. The header may hold several
 * signatures separated by spaces, as during a rotation of secrets.
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
  const wanted = sign(key, id, Number(timestamp), body)["webhook-signature"]
  const given = (headers["webhook-signature"] ?? "").slice(0, 1_000).split(" ")
  return given.some((one) => constantTimeEqual(one, wanted))
}

/** The id that the response to a request must have. */
export const responseId = (requestId: string): string => `answer_${requestId}`
