/** The mail server: `SVC_SMTP_URL`. */
import { decodePercent, type Failure, InvalidInput, isLoopback, parseUrl } from "@svc/core"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** A mail server. */
export interface SmtpTarget {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS is required, except to this machine. */
  readonly isSecure: boolean
  readonly isLoopback: boolean
  readonly login: { readonly user: string; readonly password: Redacted.Redacted } | undefined
}

const expected =
  "SVC_SMTP_URL must be smtps://USER:PASSWORD@HOST:465, or smtp://USER:PASSWORD@HOST:587 (STARTTLS); special characters percent-encoded."

const bad: Result.Result<never, Failure> = Result.fail(new InvalidInput({ message: expected }))

/** Reads the URL of a server. Fails with INVALID_INPUT, without quoting the URL, which holds a password. */
export const parseSmtpUrl = (text: string): Result.Result<SmtpTarget, Failure> => {
  const url = text.length <= 2_048 ? parseUrl(text) : undefined
  if (url === undefined || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") return bad
  if (url.search !== "" || url.hash !== "" || (url.pathname !== "" && url.pathname !== "/")) return bad
  const isSecure = url.protocol === "smtps:"
  const user = decodePercent(url.username)
  const password = decodePercent(url.password)
  if (user === undefined || password === undefined || (user === "") !== (password === "")) return bad
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return Result.succeed({
    host,
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    isLoopback: isLoopback(host),
    login: user === "" ? undefined : { user, password: Redacted.make(password, { label: "SMTP password" }) }
  })
}
