/** Whose answer a received mail is: by the mail that it refers to, by its sender's address, or by the subject of a colleague. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../../kernel/command/Execution.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { type EmailId, isoFromMillis, type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { resolveOne } from "../../leads/LeadBatch.ts"
import { bareSubject, isAnswerSubject, threadOf } from "../../leads/threadOf.ts"
import { TransmissionsRepo } from "../../outreach/TransmissionsRepo.ts"
import type { InboundMail } from "../InboundMail.ts"
import { MailboxesRepo, type MailboxRow } from "../MailboxesRepo.ts"

/** How long a colleague may answer under the subject of an e-mail, in milliseconds. */
const subjectMillis = 90 * 86_400_000

/** Domains where one address says nothing of another. */
const publicDomains =
  /^(?:g(?:oogle)?mail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|t-online|freenet|proton(?:mail)?|pm|mail|yandex|zoho|orange|wanadoo|free|laposte|libero|seznam|qq|163|126)\.[a-z.]{2,6}$/

/** The ids of e-mails of ours that a Message-ID stands for: `eml_…@domain`. */
export const emailIdsIn = (text: string): ReadonlyArray<EmailId> =>
  [...text.matchAll(/\b(eml_[0-9A-Z]{1,40})@/g)].map(([, id]) => id as EmailId)

/** The lead of one of our e-mails, which may be on its way still. */
const leadOfEmails = Effect.fnUntraced(function* (ids: ReadonlyArray<EmailId>) {
  const { organizationId } = yield* Actor
  const { find } = yield* TransmissionsRepo
  for (const id of ids) {
    const view = yield* find(organizationId, id)
    if (view !== undefined) return view.row.leadId
  }
  return undefined
})

/** The lead with an e-mail address. */
const leadOfAddress = Effect.fnUntraced(function* (address: string) {
  const { organizationId } = yield* Actor
  const key = normalizeEmail(address)
  if (Result.isFailure(key)) return undefined
  const identity = { kind: "email", value: key.success.key, derived: false } as const
  const { leads } = yield* resolveOne(organizationId, { identities: [identity] })
  return leads[0]?.row.id
})

/** The lead whose colleague answers: the only one of that company to whom this subject was sent from the mailbox. */
const leadOfColleague = Effect.fnUntraced(function* ({ from, subject }: InboundMail, mailbox: string) {
  const { organizationId } = yield* Actor
  const domain = from?.address.slice(from.address.lastIndexOf("@") + 1).toLowerCase() ?? ""
  if (bareSubject(subject) === "" || !isAnswerSubject(subject) || publicDomains.test(domain)) return undefined
  const since = isoFromMillis(Date.parse(yield* now) - subjectMillis)
  const thread = threadOf(subject, `@${domain}`)
  const [only, other] = yield* (yield* MailboxesRepo).leadsOfThread(organizationId, { thread, mailbox, since })
  return other === undefined ? only : undefined
})

/** The lead who wrote, or whose mailbox did; undefined for a stranger. */
export const leadOfMail = Effect.fnUntraced(function* (mail: InboundMail, { address }: Pick<MailboxRow, "address">) {
  const { organizationId } = yield* Actor
  const { leadOfMails } = yield* MailboxesRepo
  const { references } = mail
  const referred: LeadId | undefined =
    (references.length === 0 ? undefined : yield* leadOfMails(organizationId, references)) ??
    (yield* leadOfEmails(references.flatMap(emailIdsIn)))
  if (referred !== undefined) return referred
  const known = mail.from === null ? undefined : yield* leadOfAddress(mail.from.address)
  return known ?? (yield* leadOfColleague(mail, address))
})
