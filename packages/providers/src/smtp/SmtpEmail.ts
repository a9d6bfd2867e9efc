/**
 * E-mail over SMTP, one connection for each message.
 *
 * The server accepts or refuses the message; a failure before its first byte counts as refused; a failure after that is
 * unknown, since the server may have accepted it.
 */

import { Readable } from "node:stream"
import { type Failure, optionalPackage } from "@svc/core"
import { EmailGateway, type EmailOutcome, type Mailbox, type OutgoingEmail } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type SMTPConnection from "nodemailer/lib/smtp-connection"
import type { SmtpTarget } from "./SmtpUrl.ts"

/** The parts of nodemailer that are used. Bundlers pass over an import that is awaited where its failure is caught. */
const loadNodemailer = async () => {
  try {
    const connection = await import("nodemailer/lib/smtp-connection")
    const composer = await import("nodemailer/lib/mail-composer")
    return { Connection: connection.default, MailComposer: composer.default }
  } catch (cause) {
    return Promise.reject(cause)
  }
}

/** Maximum characters of a line with encoded words, and maximum bytes of text in one word. */
const lineLength = 76

const bytesPerWord = 36

/** Joins parts with spaces, folding lines that would become too long. */
const header = (name: string, parts: ReadonlyArray<string>): string => {
  const lines = [`${name}: ${parts[0] ?? ""}`]
  for (const part of parts.slice(1)) {
    const longer = `${lines.at(-1)} ${part}`
    if (longer.length <= lineLength) lines[lines.length - 1] = longer
    else lines.push(` ${part}`)
  }
  return `${lines.join("\r\n")}\r\n`
}

/** Encoded words, split between characters. Readers drop the white space between them. */
const encodedWords = (text: string): ReadonlyArray<string> => {
  const words = [""]
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`
    if (Buffer.byteLength(longer) <= bytesPerWord) words[words.length - 1] = longer
    else words.push(character)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`)
}

/** Printable ASCII without anything to decode or trim. */
const isPlain = (text: string): boolean => /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text) && !text.includes("=?")

/** A text header, such as the subject. */
const textHeader = (name: string, text: string): string => header(name, isPlain(text) ? [text] : encodedWords(text))

/** An address header with a display name. */
const addressHeader = (name: string, { address, name: shown }: Mailbox): string => {
  const phrase = /^\w+(?: \w+)*$/.test(shown) ? [shown] : encodedWords(shown)
  return header(name, [...(shown === "" ? [] : phrase), `<${address}>`])
}

/** Line breaks in any reader, and other control characters except the tab. */
const controls = /(?!\t)[\p{Cc}\u2028\u2029]/u

/** A plain address; quoted names before the `@` and everything else unusual are refused. */
const plainAddress = /^[^\s@<>",;:\\()[\]]{1,64}@[^\s@<>",;:\\()[\]]{1,253}$/u

/** The part of an e-mail that could inject a header; undefined when none can. */
export const unsafePart = ({ from, messageId, subject, to }: OutgoingEmail): string | undefined => {
  const isAddress = ({ address }: Mailbox) => plainAddress.test(address) && !controls.test(address)
  if (!isAddress(from)) return "the sender's address"
  if (!isAddress(to)) return "the recipient's address"
  if (controls.test(from.name)) return "the sender's name"
  if (controls.test(to.name)) return "the recipient's name"
  if (controls.test(subject)) return "the subject"
  return plainAddress.test(messageId) ? undefined : "the message id"
}

/** The message in RFC 5322 form. Never reads files or URLs. */
export const buildMessage = async ({ from, html, messageId, subject, text, to }: OutgoingEmail): Promise<Buffer> => {
  const { MailComposer } = await loadNodemailer()
  const composed = new MailComposer({
    text,
    ...(html === null ? {} : { html }),
    messageId: `<${messageId}>`,
    disableFileAccess: true,
    disableUrlAccess: true
  })
  // The composer leaves encoded words in texts unchanged, and readers would decode them.
  const written = addressHeader("From", from) + addressHeader("To", to) + textHeader("Subject", subject)
  return Buffer.concat([Buffer.from(written), await composed.compile().build()])
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

const send = (target: SmtpTarget, timeouts: SmtpTimeouts) =>
  Effect.fnUntraced(function* (email: OutgoingEmail) {
    const unsafe = unsafePart(email)
    if (unsafe !== undefined)
      return refused(true, `Not sent: ${unsafe} contains characters that are not allowed in a header.`)
    const { Connection } = yield* Effect.promise(loadNodemailer)
    return yield* Effect.matchEffect(
      Effect.tryPromise(() => buildMessage(email)),
      {
        onFailure: () => Effect.succeed(refused(true, "Not sent: the e-mail could not be composed.")),
        onSuccess: (message) => transmit(Connection, target, timeouts, email, message)
      }
    )
  })

/** Sends e-mail through a server. */
export const layer = (target: SmtpTarget, timeouts: SmtpTimeouts = defaultTimeouts): Layer.Layer<EmailGateway> =>
  Layer.succeed(EmailGateway, { send: send(target, timeouts) })

/** {@link EmailGateway} over SMTP. Loads nodemailer; fails with UNAVAILABLE when that is not installed. */
export const smtpEmailLayer = (target: SmtpTarget): Layer.Layer<EmailGateway, Failure> =>
  Layer.unwrap(Effect.map(optionalPackage("nodemailer", "SVC_SMTP_URL", loadNodemailer), () => layer(target)))
