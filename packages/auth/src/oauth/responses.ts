/** Responses of the endpoints that clients call (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
import type { Failure } from "@svc/core"
import type { GrantRefused } from "@svc/core/workspace"
import { json } from "@svc/http"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Codes of errors that clients handle. */
type OAuthErrorCode =
  | GrantRefused["error"]
  | "invalid_request"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_redirect_uri"
  | "unsupported_grant_type"
  | "temporarily_unavailable"

/** An error, with a sentence for the client's developer. */
export const oauthError = (
  error: OAuthErrorCode,
  description: string,
  status = 400
): HttpServerResponse.HttpServerResponse => json({ error, error_description: description }, status)

/** The error of a failure of this service: a bad request, a rate limit, or a store that is unreachable. */
export const oauthFailure = ({ entry, message, retryAfterSeconds }: Failure): HttpServerResponse.HttpServerResponse => {
  const isTemporary = entry.status === 429 || entry.status >= 500
  const response = oauthError(isTemporary ? "temporarily_unavailable" : "invalid_request", message, entry.status)
  return retryAfterSeconds === undefined
    ? response
    : HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(retryAfterSeconds)))
}
