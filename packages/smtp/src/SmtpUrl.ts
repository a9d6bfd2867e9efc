/** Where e-mail is handed over: `SVC_SMTP_URL`. */
import { type Failure, fail } from "@svc/core/Failure"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** A server that takes e-mail. */
export interface SmtpTarget {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS is required, but to this machine. */
  readonly isSecure: boolean
  readonly isLoopback: boolean
  readonly login: { readonly user: string; readonly password: Redacted.Redacted } | undefined
}

const expected =
  "SVC_SMTP_URL must be smtps://USER:PASSWORD@HOST:465, or smtp://USER:PASSWORD@HOST:587 (STARTTLS); special characters percent-encoded."

const bad: Result.Result<never, Failure> = Result.fail(fail("INVALID_INPUT", expected))

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Reads the address of a server. Fails with INVALID_INPUT and never repeats it, as it holds a password. */
export const parseSmtpUrl = (text: string): Result.Result<SmtpTarget, Failure> => {
  const url = text.length <= 2_048 && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") return bad
  if (url.search !== "" || url.hash !== "" || (url.pathname !== "" && url.pathname !== "/")) return bad
  const isSecure = url.protocol === "smtps:"
  const user = decoded(url.username)
  const password = decoded(url.password)
  if (user === undefined || password === undefined || (user === "") !== (password === "")) return bad
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return Result.succeed({
    host,
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    isLoopback: host === "localhost" || host === "::1" || host.startsWith("127."),
    login: user === "" ? undefined : { user, password: Redacted.make(password, { label: "SMTP password" }) }
  })
}
