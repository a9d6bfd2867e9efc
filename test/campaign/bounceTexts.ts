/** Reports of mails that were not delivered, as widespread mail servers write them. */
import type { Random } from "../support/random.ts"

/** The mail that a report is about. */
export interface SentMail {
  /** With angle brackets. */
  readonly messageId: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** What is said of it. `kind` is what it must be taken for. */
export interface Failure {
  readonly kind: "hard" | "full" | "policy" | "soft"
  readonly status: string
  readonly words: string
}

/** A report: its headers, and its body. */
export interface Report {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const failure = (kind: Failure["kind"], status: string, words: string): Failure => ({ kind, status, words })

/** What servers say; `RCPT` stands for the address. */
const failures: ReadonlyArray<Failure> = [
  failure("hard", "5.1.1", "550 5.1.1 <RCPT>: Recipient address rejected: User unknown in virtual mailbox table"),
  failure("hard", "5.1.1", "550-5.1.1 The email account that you tried to reach does not exist."),
  failure(
    "hard",
    "5.1.10",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient RCPT not found by SMTP address lookup"
  ),
  failure("hard", "5.0.0", "550 No such user here"),
  failure("hard", "5.1.1", "554 delivery error: dd This user doesn't have an account here (RCPT)"),
  failure(
    "hard",
    "5.4.4",
    "Host or domain name not found. Name service error for name=mx.example type=AAAA: Host not found"
  ),
  failure("hard", "5.2.1", "550 5.2.1 The email account that you tried to reach is disabled."),
  failure("hard", "5.1.1", "550 Requested action not taken: mailbox unavailable"),
  failure("hard", "5.1.1", "550 5.1.1 <RCPT>... User unknown"),
  failure("full", "5.2.2", "552 5.2.2 <RCPT>: Mailbox is full"),
  failure("full", "4.2.2", "452-4.2.2 The email account that you tried to reach is over quota."),
  failure("full", "5.2.2", "552 5.2.2 Quota exceeded (mailbox for user is full)"),
  failure("policy", "5.7.1", "554 5.7.1 Message rejected as spam by content filtering"),
  failure("policy", "5.7.1", "550 5.7.1 Service unavailable; client host [192.0.2.1] blocked using zen.block.example"),
  failure(
    "policy",
    "5.7.26",
    "550-5.7.26 This mail is unauthenticated, which poses a security risk: neither SPF nor DKIM passed"
  ),
  failure("policy", "5.3.4", "552 5.3.4 Message size exceeds fixed limit"),
  failure("soft", "4.4.1", "connect to mx.example[192.0.2.7]:25: Connection timed out"),
  failure("soft", "4.3.2", "421 4.3.2 Service not available, closing transmission channel"),
  failure("soft", "4.4.7", "Message expired: delivery time expired"),
  failure("soft", "4.7.1", "451 4.7.1 Greylisting in action, please come back later")
]

const copyOf = ({ from, messageId, subject, text, to }: SentMail): string =>
  [`From: Ada <${from}>`, `To: <${to}>`, `Subject: ${subject}`, `Message-ID: ${messageId}`, "", text].join("\n")

/** A delivery report (RFC 3464) with a text before it, and the mail or its headers after it. */
const dsn = (
  host: string,
  mail: SentMail,
  { status, words }: Failure,
  text: string,
  isWhole: boolean,
  action = "failed"
): Pick<Report, "body"> & { readonly type: string } => ({
  type: 'multipart/report; report-type=delivery-status; boundary="=_report"',
  body: `This is a MIME-encapsulated message.

--=_report
Content-Type: text/plain; charset=utf-8

${text}

--=_report
Content-Type: message/delivery-status

Reporting-MTA: dns; ${host}
Arrival-Date: Thu, 26 Nov 2026 08:00:00 +0000

Final-Recipient: rfc822; ${mail.to}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.example
Diagnostic-Code: smtp; ${words}

--=_report
Content-Type: ${isWhole ? "message/rfc822" : "text/rfc822-headers"}

${isWhole ? copyOf(mail) : copyOf(mail).split("\n\n")[0]}

--=_report--
`
})

type Writer = (mail: SentMail, failure: Failure) => Report

const report = (from: string, subject: string, { body, type }: ReturnType<typeof dsn>, more = {}): Report => ({
  headers: { From: from, Subject: subject, "MIME-Version": "1.0", "Content-Type": type, ...more },
  body
})

/** Writers of reports, by the server that writes so. */
const writers: Readonly<Record<string, Writer>> = {
  postfix: (mail, what) =>
    report(
      "MAILER-DAEMON@mx.relay.example (Mail Delivery System)",
      "Undelivered Mail Returned to Sender",
      dsn(
        "mx.relay.example",
        mail,
        what,
        `This is the mail system at host mx.relay.example.\n\n<${mail.to}>: host mx.example[192.0.2.7] said: ${what.words} (in reply to RCPT TO command)`,
        true
      ),
      { "Auto-Submitted": "auto-replied" }
    ),
  sendmail: (mail, what) =>
    report(
      "Mail Delivery Subsystem <MAILER-DAEMON@relay.example>",
      `Returned mail: see transcript for details`,
      dsn(
        "relay.example",
        mail,
        what,
        `   ----- The following addresses had permanent fatal errors -----\n<${mail.to}>\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.:\n<<< ${what.words}`,
        false
      ),
      { "Auto-Submitted": "auto-generated (failure)" }
    ),
  exchange: (mail, what) =>
    report(
      "Microsoft Outlook <postmaster@tenant.example>",
      `Undeliverable: ${mail.subject}`,
      dsn(
        "tenant.example",
        mail,
        what,
        `Delivery has failed to these recipients or groups:\n\n${mail.to}\n\nDiagnostic information for administrators:\n\n${what.words}`,
        true
      )
    ),
  gmail: (mail, what) =>
    report(
      "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
      "Delivery Status Notification (Failure)",
      dsn(
        "googlemail.com",
        mail,
        what,
        `** Message not delivered **\n\nYour message wasn't delivered to ${mail.to}.\n\nThe response was:\n${what.words}`,
        true
      ),
      {
        "Auto-Submitted": "auto-replied",
        "X-Failed-Recipients": mail.to,
        References: mail.messageId,
        "In-Reply-To": mail.messageId
      }
    ),
  exim: (mail, what) => ({
    headers: {
      From: "Mail Delivery System <Mailer-Daemon@relay.example>",
      Subject: "Mail delivery failed: returning message to sender",
      "Auto-Submitted": "auto-replied",
      "X-Failed-Recipients": mail.to
    },
    body: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${mail.to}
    host mx.example [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<${mail.to}>:
    ${what.words}

------ This is a copy of the message, including all the headers. ------

${copyOf(mail)}
`
  }),
  qmail: (mail, what) => ({
    headers: { From: "MAILER-DAEMON@relay.example", Subject: "failure notice" },
    body: `Hi. This is the qmail-send program at relay.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${mail.to}>:
192.0.2.7 does not like recipient.
Remote host said: ${what.words}
Giving up on 192.0.2.7.

--- Below this line is a copy of the message.

Return-Path: <${mail.from}>
${copyOf(mail)}
`
  })
}

/** A report of a failure of some kind by some server, and what it must be taken for. */
export const bounceOf = (
  mail: SentMail,
  { pick }: Random
): Report & { readonly failure: Failure; readonly server: string } => {
  const kind = pick(["hard", "hard", "hard", "full", "policy", "soft"] as const)
  const chosen = pick(failures.filter((one) => one.kind === kind))
  const what = { ...chosen, words: chosen.words.replaceAll("RCPT", mail.to) }
  const [server, write] = pick(Object.entries(writers))
  return { ...write(mail, what), failure: what, server }
}

/** A notice that the mail is late; nothing follows from it. */
export const delayOf = (mail: SentMail): Report =>
  report(
    "Mail Delivery System <MAILER-DAEMON@mx.relay.example>",
    "Delayed Mail (still being retried)",
    dsn(
      "mx.relay.example",
      mail,
      failure("soft", "4.4.1", "connect to mx.example: Connection timed out"),
      "THIS IS A WARNING ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.",
      false,
      "delayed"
    ),
    { "Auto-Submitted": "auto-replied" }
  )

/** A complaint (RFC 5965). */
export const complaintOf = (mail: SentMail): Report => ({
  headers: {
    From: "<feedback@isp.example>",
    Subject: "FW: abuse report",
    "MIME-Version": "1.0",
    "Content-Type": 'multipart/report; report-type=feedback-report; boundary="=_arf"'
  },
  body: `--=_arf
Content-Type: text/plain; charset=utf-8

This is an email abuse report for an email message received from 192.0.2.9.

--=_arf
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <${mail.from}>

--=_arf
Content-Type: message/rfc822

${copyOf(mail)}

--=_arf--
`
})
