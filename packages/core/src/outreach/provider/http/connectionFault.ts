/**
 * What a broken connection says about the request: whether it can have been read by anybody.
 *
 * Only what is known to happen before the first byte of a request counts as that; everything else, known or new, means
 * that the request may have been carried out.
 */
import type { HttpClientErrorReason } from "effect/http/HttpClientError"

/** A fault. `detail` is one sentence for people, made of fixed words and an error code. */
interface ConnectionFault {
  readonly isBeforeRequest: boolean
  readonly detail: string
}

// Codes of a certificate that was refused, or of a handshake that did not come about.
const tlsCodes = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "INVALID_CA",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_TLS_HANDSHAKE_TIMEOUT",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_UNSUPPORTED_PROTOCOL",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
  "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
  "ERR_SSL_TLSV1_UNRECOGNIZED_NAME"
])

const handshakeMessage = "Client network socket disconnected before secure TLS connection was established"

const text = (value: unknown, key: string): string => {
  const found = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === "string" ? found : ""
}

/** Node says which call failed; the errors of its own client and of encryption have none. */
const isBefore = (error: unknown): boolean => {
  const syscall = text(error, "syscall")
  if (syscall === "connect" || syscall === "getaddrinfo") return true
  const code = text(error, "code")
  const message = text(error, "message")
  return (
    code === "UND_ERR_CONNECT_TIMEOUT" || tlsCodes.has(code) || message === handshakeMessage || message === "bad port"
  )
}

const wordFor = (error: unknown): string => {
  const code = text(error, "code")
  if (/^[A-Z0-9_]{1,60}$/.test(code)) return code
  return text(error, "message") === "bad port" ? "BAD_PORT" : "no code"
}

/** The errors behind a failed `fetch`: its cause, or each try of a connection to a name with several addresses. */
const errorsOf = (cause: unknown): ReadonlyArray<unknown> => {
  const inner = typeof cause === "object" && cause !== null ? Reflect.get(cause, "cause") : undefined
  const tries = typeof inner === "object" && inner !== null ? Reflect.get(inner, "errors") : undefined
  if (Array.isArray(tries) && tries.length > 0) return tries
  return [inner ?? cause]
}

/** Reads a fault out of what the HTTP client failed with. */
export const connectionFault = (reason: HttpClientErrorReason): ConnectionFault => {
  if (reason._tag === "InvalidUrlError" || reason._tag === "EncodeError") {
    return { isBeforeRequest: true, detail: "The request could not be sent." }
  }
  const errors = errorsOf(reason.cause)
  const word = wordFor(errors[0])
  return errors.every(isBefore)
    ? { isBeforeRequest: true, detail: `Can't reach the provider (${word}).` }
    : { isBeforeRequest: false, detail: `The connection to the provider broke (${word}).` }
}
