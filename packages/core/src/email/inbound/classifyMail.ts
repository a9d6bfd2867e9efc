/** What a received mail is: an answer of a person, or a bounce, a complaint or an automatic answer, which are none. Pure. */
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"
import { isAnswerSubject } from "../../leads/threadOf.ts"
import type { DeliveryStatus, InboundMail } from "../InboundMail.ts"
import { awayUntil } from "./awayUntil.ts"
import { type BounceKind, bounceKindOf } from "./bounces.ts"

/** What a mail is. */
export type MailMeaning =
  /** Written by a person. */
  | { readonly _tag: "Letter" }
  /** One mail that was not delivered. `recipient` is empty where the report does not say whose it was. */
  | { readonly _tag: "Bounce"; readonly kind: BounceKind; readonly recipient: string; readonly detail: string }
  /** The recipient reported an e-mail as unwanted (RFC 5965). */
  | { readonly _tag: "Complaint" }
  /** Sent by a program (RFC 3834). `until`: when the person is back. */
  | { readonly _tag: "Automatic"; readonly until: InstantText | null }
  /** About delivery, and nothing follows from it: it is late, or has arrived. */
  | { readonly _tag: "Notice" }

const nothing: MailMeaning = { _tag: "Notice" }

/** Senders that write nothing but reports: RFC 2142, RFC 5321. */
const daemons = /^(?:mailer-?daemon|post_?master|mdaemon|maildaemon|double-?bounce|mail-?delivery\w*)\b/i

/** Senders that write reports among other things. */
const reporters = /^(?:mail(?:er)?|bounces?|smtp|symail|mmdf|uucp|no-?reply)\b|-admin@/i

const reporterNames = /mail(?:er)? ?(?:delivery|daemon|system)|postmaster|delivery (?:sub)?system|mail administrator/i

const bounceSubjects =
  /undeliver|deliver(?:y|ed|ing)?[^\n]{0,30}(?:fail|status|notif|problem|error|report|unsuccess|delay|incomplete)|(?:fail|unable|could not|cannot|error|problem)[^\n]{0,30}(?:deliver|send|mail)|return(?:ed|ing)[^\n]{0,20}(?:mail|message|to sender)|mail (?:system )?error|non.?(?:delivery|remis)|not delivered|message (?:delayed|not sent|could not)|rejected mail|nondeliverable|bounce|unzustellbar|warning: (?:could|message)|\bdsn\b|(?:mail )?failure(?: notice)?$|user unknown|loop alert/i

/** Subjects that nobody but a mail server writes. */
const serverSubjects =
  /^(?:returned mail\b|(?:mail )?delivery (?:fail|status notif)|(?:mail|message) (?:could not be|not) delivered|undeliver|failure notice)|\(delivery failed\)$|エラー通知/i

/** Whether a mail that is no delivery report in form says that another was not delivered. */
const isFreeReport = ({ from, headers, subject }: InboundMail): boolean => {
  // People write from such addresses too, and answer what speaks of bounces.
  const isReporter =
    from === null || (!isAnswerSubject(subject) && (reporters.test(from.address) || reporterNames.test(from.name)))
  const hasNoReturn = /^<?>?$/.test(headers.get("return-path") ?? "-")
  return (
    (from !== null && daemons.test(from.address)) ||
    serverSubjects.test(subject) ||
    ((isReporter || hasNoReturn) && bounceSubjects.test(subject)) ||
    headers.has("x-failed-recipients") ||
    /report-type="?delivery-status/i.test(headers.get("content-type") ?? "")
  )
}

/** Where a report begins to repeat the mail that it is about. */
const copyBegins =
  /^.{0,20}(?:original message (?:follows|header)|(?:below|this) (?:this line )?is (?:a copy|the (?:original|returned))|(?:copy of|header of) (?:the|your) (?:original )?message|included is|returned message|message (?:header|text) follows|unsent message below|return-path: |received: from )/im

/** The text of a report without the mail that it is about. */
const wordsOf = ({ quoted, text }: InboundMail): string => {
  const all = `${text}\n${quoted}`
  const end = all.search(copyBegins)
  return end > 40 ? all.slice(0, end) : all
}

const late = /^(?:delayed)$/
const arrived = /^(?:delivered|relayed|expanded)$/

const isLateSubject = (subject: string): boolean => /\b(?:delayed|warning|delay)\b/i.test(subject)

/** The status that matters most: a failure before a delay. */
const bounceOf = (mail: InboundMail, { diagnostic, recipient, status }: DeliveryStatus): MailMeaning => {
  const words = diagnostic === "" ? wordsOf(mail) : diagnostic
  return { _tag: "Bounce", kind: bounceKindOf(words, status), recipient, detail: words.slice(0, 500).trim() }
}

const reportOf = (mail: InboundMail): MailMeaning | undefined => {
  const [first] = mail.statuses
  if (first === undefined) return undefined
  const failed = mail.statuses.find(
    ({ action, status }) => action === "failed" || (action === "" && /^[45]/.test(status))
  )
  if (failed !== undefined) return bounceOf(mail, failed)
  return mail.statuses.every(({ action }) => late.test(action) || arrived.test(action))
    ? nothing
    : bounceOf(mail, first)
}

const freeReportOf = (mail: InboundMail): MailMeaning => {
  const text = wordsOf(mail)
  if (isLateSubject(mail.subject) && !/permanent|fatal|final|giving up|returned|no such user/i.test(text))
    return nothing
  const status = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? ""
  const recipient = mail.headers.get("x-failed-recipients") ?? ""
  return bounceOf(mail, { action: "failed", status, recipient, diagnostic: "" })
}

const complaints = /^(?:abuse|fraud|opt-out|opt-out-list|miscategorized|virus)$/

/** Subjects of automatic answers, which some programs put after `Re:`. */
const automaticSubjects =
  /^(?:\W*(?:re|aw|fwd?):)*\W*(?:auto(?:matic|mated|matisch\w*|matique)?[\s:-]*(?:reply|response|responder|antwort|answer)|automatische? (?:antwort|abwesenheit\w*)|out of (?:the )?office|réponse automatique|respuesta autom|risposta autom|fuori ufficio|automatisch antwoord|resposta autom|自動)/i

/** Subjects that say the same, or answer what speaks of absences. */
const absentSubjects =
  /^\W*(?:ooo\b|abwesen|nicht im (?:büro|haus)|absen(?:t|ce)|afwezig|vacation|away from|on (?:vacation|leave|holiday)|urlaub)/i

/** Whether a program sent it: RFC 3834, RFC 2076, and the headers of older programs. */
const isAutomatic = ({ headers, references, subject }: InboundMail): boolean => {
  const submitted = headers.get("auto-submitted")?.toLowerCase() ?? "no"
  return (
    !/^no\b/.test(submitted) ||
    /^(?:auto_?reply|bulk|junk|list)/i.test(headers.get("precedence") ?? "") ||
    ["x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-vacation", "x-mail-autoreply"].some((name) =>
      headers.has(name)
    ) ||
    (headers.has("list-id") && references.length === 0) ||
    /text\/calendar/i.test(headers.get("content-type") ?? "") ||
    automaticSubjects.test(subject) ||
    absentSubjects.test(subject)
  )
}

/** Until when its author is away; days without a year are those after it was written, whatever a clock ahead of ours says. */
const absenceOf = ({ date, subject, text }: InboundMail, at: InstantText): InstantText | null => {
  const until = awayUntil(`${subject}\n${text}`, date !== null && date < at ? date : at)
  return until !== null && until > at ? until : null
}

/** What a mail is that was received at an instant. */
export const classifyMail = (mail: InboundMail, at: InstantText): MailMeaning => {
  if (mail.feedback !== null) return complaints.test(mail.feedback) ? { _tag: "Complaint" } : nothing
  const report = reportOf(mail)
  if (report !== undefined) return report
  const isDisposition = /report-type="?disposition/i.test(mail.headers.get("content-type") ?? "")
  // A filter at the recipient's server rejects mails with such a report, too (RFC 5429).
  if (isDisposition && !/\(rejected\)/i.test(mail.headers.get("auto-submitted") ?? "")) return nothing
  if (isFreeReport(mail)) return freeReportOf(mail)
  return isAutomatic(mail) ? { _tag: "Automatic", until: absenceOf(mail, at) } : { _tag: "Letter" }
}
