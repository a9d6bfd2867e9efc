/**
 * E-mail over SMTP, one connection for each message.
 *
 * The server accepts or refuses the message; a failure before its first byte counts as refused; a failure after that is
 * unknown, since the server may have accepted it.
 */

import { Readable } from "node:stream"
import { type Failure, optionalPackage } from "@svc/core"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type SMTPConnection from "nodemailer/lib/smtp-connection"
import { buildMessage, type DkimKey, unsafePart } from "./message.ts"
import type { SmtpTarget } from "./SmtpUrl.ts"

/** nodemailer's connection. Bundlers pass over an import that is awaited where its failure is caught. */
const loadConnection = async () => {
  try {
    return (await import("nodemailer/lib/smtp-connection")).default
  } catch (cause) {
    return Promise.reject(cause)
  }
}

/** Milliseconds until the connection is open, until the greeting, without data, and in total. */
export interface SmtpTimeouts {
  readonly connection: number
  readonly greeting: number
  readonly silence: number
  readonly total: number
}

/** Well below the time that the sending queue waits. */
export const defaultTimeouts: SmtpTimeouts = { connection: 10_000, greeting: 10_000, silence: 20_000, total: 60_000 }

/** An error of nodemailer, untrusted. */
interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
}

const refused = (isPermanent: boolean, reason: string): EmailOutcome => ({
  _tag: isPermanent ? "Refused" : "Unavailable",
  reason
})

/** The operator must fix a failed login, so the e-mail waits. */
const isLogin = ({ code }: SmtpError): boolean => code === "EAUTH" || code === "ENOAUTH"

const outcomeOf = (problem: SmtpError, hasBegun: boolean): EmailOutcome => {
  const code = typeof problem.code === "string" ? problem.code.slice(0, 40) : "unknown"
  const { responseCode } = problem
  if (isLogin(problem)) return refused(false, "The mail server rejected the login (EAUTH). Correct SVC_SMTP_URL.")
  if (typeof responseCode === "number" && responseCode >= 400) {
    return refused(responseCode >= 500, `The mail server responded with ${responseCode}.`)
  }
  if (!hasBegun) return refused(false, `The mail server is unreachable (${code}).`)
  return {
    _tag: "Unknown",
    reason: `The connection to the mail server failed while sending the e-mail (${code}).`
  }
}

/** The message as a stream that calls `onBegin` when the server starts to read it. */
const watched = (message: Buffer, onBegin: () => void): Readable => {
  let sent = false
  return new Readable({
    read() {
      if (!sent) {
        sent = true
        onBegin()
        this.push(message)
      }
      this.push(null)
    }
  })
}

const transmit = (
  Connection: typeof SMTPConnection,
  target: SmtpTarget,
  timeouts: SmtpTimeouts,
  email: OutgoingEmail,
  message: Buffer
) =>
  Effect.callback<EmailOutcome>((resume) => {
    let hasBegun = false
    let isOver = false
    const connection = new Connection({
      host: target.host,
      port: target.port,
      secure: target.isSecure,
      requireTLS: !target.isSecure && !target.isLoopback,
      ignoreTLS: !target.isSecure && target.isLoopback,
      connectionTimeout: timeouts.connection,
      greetingTimeout: timeouts.greeting,
      socketTimeout: timeouts.silence,
      logger: false
    })
    const finish = (outcome: EmailOutcome) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      if (outcome._tag === "Confirmed") connection.quit()
      else connection.close()
      resume(Effect.succeed(outcome))
    }
    const failed = (problem: SmtpError) => finish(outcomeOf(problem, hasBegun))
    const timer = setTimeout(() => failed({ code: "ETIMEDOUT" }), timeouts.total)
    const sendMessage = () =>
      connection.send(
        { from: email.from.address, to: [email.to.address] },
        watched(message, () => {
          hasBegun = true
        }),
        (error) =>
          error === null || error === undefined
            ? finish({ _tag: "Confirmed", messageId: email.messageId })
            : failed(error)
      )
    connection.on("error", failed)
    connection.once("end", () => failed({ code: "ECONNECTION" }))
    connection.connect((error) => {
      if (error !== undefined && error !== null) return failed(error)
      const { login } = target
      if (login === undefined) return sendMessage()
      const credentials = { user: login.user, pass: Redacted.value(login.password) }
      connection.login({ ...credentials, credentials }, (refusal) => {
        if (refusal !== null && refusal !== undefined) return failed(refusal)
        sendMessage()
      })
    })
    return Effect.sync(() => {
      isOver = true
      clearTimeout(timer)
      connection.close()
    })
  })

const send = (target: SmtpTarget, timeouts: SmtpTimeouts, dkim: DkimKey | undefined) =>
  Effect.fnUntraced(function* (email: OutgoingEmail) {
    const unsafe = unsafePart(email)
    if (unsafe !== undefined)
      return refused(true, `Not sent: ${unsafe} contains characters that are not allowed in a header.`)
    const Connection = yield* Effect.promise(loadConnection)
    return yield* Effect.matchEffect(
      Effect.tryPromise(() => buildMessage(email, dkim)),
      {
        onFailure: () => Effect.succeed(refused(true, "Not sent: the e-mail could not be composed.")),
        onSuccess: (message) => transmit(Connection, target, timeouts, email, message)
      }
    )
  })

/** Sends e-mail through a server, signed with a key if there is one. */
export const layer = (
  target: SmtpTarget,
  timeouts: SmtpTimeouts = defaultTimeouts,
  dkim?: DkimKey
): Layer.Layer<EmailGateway> => Layer.succeed(EmailGateway, { send: send(target, timeouts, dkim) })

/** {@link EmailGateway} over SMTP. Loads nodemailer; fails with UNAVAILABLE when that is not installed. */
export const smtpEmailLayer = (target: SmtpTarget, dkim?: DkimKey): Layer.Layer<EmailGateway, Failure> =>
  Layer.unwrap(
    Effect.map(optionalPackage("nodemailer", "SVC_SMTP_URL", loadConnection), () =>
      layer(target, defaultTimeouts, dkim)
    )
  )
