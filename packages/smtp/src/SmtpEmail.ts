/**
 * E-mail handed to a server over SMTP, one connection for each.
 *
 * The outcome is exactly what is known. The server's yes to the message is acceptance; its no, or a failure before the
 * first byte of the message, is a refusal; a failure after that is unknown, since the server may have taken it.
 * Source: issue 4; G10.
 */
import { Readable } from "node:stream"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "@svc/core/email/EmailGateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import { buildMessage, unsafePart } from "./buildMessage.ts"
import type { SmtpTarget } from "./SmtpUrl.ts"

/** Milliseconds: until the connection stands, until the server greets, of silence, and for all of it. */
export interface SmtpTimeouts {
  readonly connection: number
  readonly greeting: number
  readonly silence: number
  readonly total: number
}

/** What holds when nothing is said: all of it well below the time after which nobody waits any more. */
export const standardTimeouts: SmtpTimeouts = { connection: 10_000, greeting: 10_000, silence: 20_000, total: 60_000 }

/** What nodemailer says of a failure, read without trusting it. */
interface Problem {
  readonly code?: unknown
  readonly responseCode?: unknown
}

const refused = (isPermanent: boolean, reason: string): EmailOutcome => ({ _tag: "Refused", isPermanent, reason })

/** Failures of the login are the operator's to mend, so the e-mail waits. */
const isLogin = ({ code }: Problem): boolean => code === "EAUTH" || code === "ENOAUTH"

const outcomeOf = (problem: Problem, hasBegun: boolean): EmailOutcome => {
  const code = typeof problem.code === "string" ? problem.code.slice(0, 40) : "unknown"
  const { responseCode } = problem
  if (isLogin(problem)) return refused(false, "The mail server did not accept the login (EAUTH). Correct SVC_SMTP_URL.")
  if (typeof responseCode === "number" && responseCode >= 400) {
    return refused(responseCode >= 500, `The mail server answered ${responseCode}.`)
  }
  if (!hasBegun) return refused(false, `The mail server could not be used (${code}).`)
  return {
    _tag: "Unknown",
    reason: `The connection to the mail server failed while the e-mail was handed over (${code}).`
  }
}

/** The message as a stream that tells when its first byte is asked for: not before the server wants it. */
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
  target: SmtpTarget,
  timeouts: SmtpTimeouts,
  email: OutgoingEmail,
  message: Buffer
): Effect.Effect<EmailOutcome> =>
  Effect.callback<EmailOutcome>((resume) => {
    let hasBegun = false
    let isOver = false
    const connection = new SMTPConnection({
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
      if (outcome._tag === "Accepted") connection.quit()
      else connection.close()
      resume(Effect.succeed(outcome))
    }
    const failed = (problem: Problem) => finish(outcomeOf(problem, hasBegun))
    const timer = setTimeout(() => failed({ code: "ETIMEDOUT" }), timeouts.total)
    const hand = () =>
      connection.send(
        { from: email.from.address, to: [email.to.address] },
        watched(message, () => {
          hasBegun = true
        }),
        (error) =>
          error === null || error === undefined
            ? finish({ _tag: "Accepted", messageId: email.messageId })
            : failed(error)
      )
    connection.on("error", failed)
    connection.once("end", () => failed({ code: "ECONNECTION" }))
    connection.connect((error) => {
      if (error !== undefined && error !== null) return failed(error)
      const { login } = target
      if (login === undefined) return hand()
      const credentials = { user: login.user, pass: Redacted.value(login.password) }
      connection.login({ ...credentials, credentials }, (refusal) => {
        if (refusal !== null && refusal !== undefined) return failed(refusal)
        hand()
      })
    })
    return Effect.sync(() => {
      isOver = true
      clearTimeout(timer)
      connection.close()
    })
  })

const send = (target: SmtpTarget, timeouts: SmtpTimeouts) =>
  Effect.fnUntraced(function* (email: OutgoingEmail): Effect.fn.Return<EmailOutcome> {
    const unsafe = unsafePart(email)
    if (unsafe !== undefined) return refused(true, `Not sent: ${unsafe} holds characters that no header may have.`)
    return yield* Effect.matchEffect(
      Effect.tryPromise(() => buildMessage(email)),
      {
        onFailure: () => Effect.succeed(refused(true, "Not sent: it could not be written as an e-mail.")),
        onSuccess: (message) => transmit(target, timeouts, email, message)
      }
    )
  })

/** Hands e-mails to a server. */
export const layer = (target: SmtpTarget, timeouts: SmtpTimeouts = standardTimeouts): Layer.Layer<EmailGateway> =>
  Layer.succeed(EmailGateway, { send: send(target, timeouts) })
