/** Taking a received mail in: what it is, whose it is, and what follows, in the transaction that remembers it. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor, emit } from "../../kernel/command/Execution.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { canonicalJson, sha256Hex } from "../../kernel/schema/Hash.ts"
import { type InstantText, isoFromMillis, type LeadId, now } from "../../kernel/schema/IdsAndTime.ts"
import { holdLead } from "../../leads/findLead.ts"
import { storeLead } from "../../leads/LeadConsequences.ts"
import { PrivacyRepo } from "../../leads/privacy/PrivacyRepo.ts"
import { applyOptOut, recordOnce } from "../../leads/recordMessage.ts"
import { mailPartsOf } from "../../leads/threadOf.ts"
import { apply, carryOut, decide, recordDelivery } from "../../outreach/carryOut.ts"
import { lifeOf } from "../../outreach/Life.ts"
import { holdEmail } from "../../outreach/TransmissionsRepo.ts"
import { type EmailView, messageIdOf } from "../Email.ts"
import type { InboundMail } from "../InboundMail.ts"
import { MailboxesRepo, type MailboxRow } from "../MailboxesRepo.ts"
import { unsubscribe, unsubscribeTokenIn } from "../unsubscribe.ts"
import { bounceConsequences } from "./bounces.ts"
import { classifyMail, type MailMeaning } from "./classifyMail.ts"
import { emailIdsIn, leadOfMail } from "./matchMail.ts"

/** What became of a mail. `known`: it was taken in before; `unrelated`: nothing of it is kept. */
export const mailResults = [
  "known",
  "own",
  "unrelated",
  "reply",
  "bounce",
  "complaint",
  "automatic",
  "unsubscribed"
] as const
export type MailResult = (typeof mailResults)[number]

const maxContentLength = 20_000

/** Mail programs fold longer lines (RFC 5322). */
const maxLineLength = 998

/** How far the clocks of others may be ahead of ours, in milliseconds. */
const clockSkew = 300_000

/** What a mail is remembered by: its Message-ID, or all that tells it from others. */
export const hashOfMail = ({ date, from, messageId, subject, text }: InboundMail): string =>
  sha256Hex(messageId ?? canonicalJson([from?.address ?? null, date, subject, text]))

/** A text that every store can keep. */
const storable = (text: string, max = maxLineLength): string =>
  text.slice(0, max).replaceAll("\u0000", "").toWellFormed()

/** A mail whose texts every store can keep, whoever parsed it. */
const storableMail = (mail: InboundMail): InboundMail => ({
  ...mail,
  messageId: mail.messageId && storable(mail.messageId, 500),
  references: mail.references.map((id) => storable(id, 500)),
  from: mail.from && { name: storable(mail.from.name, 200), address: storable(mail.from.address) },
  subject: storable(mail.subject),
  text: storable(mail.text, maxContentLength),
  quoted: storable(mail.quoted, maxContentLength),
  attachments: mail.attachments.slice(0, 50).map((name) => storable(name)),
  statuses: mail.statuses.map((one) => ({ ...one, diagnostic: storable(one.diagnostic, 2_000) }))
})

/** The e-mail of ours that a report is about. Fails with NOT_FOUND when there is none. */
const reportedEmail = Effect.fnUntraced(function* ({ quoted, references, reported, text }: InboundMail) {
  const [id] = emailIdsIn([reported ?? "", ...references, text, quoted].join("\n"))
  return id === undefined
    ? undefined
    : yield* Effect.catchTag(holdEmail(id), "NotFound", () => Effect.succeed(undefined))
})

const keyOf = (address: string): string =>
  Result.match(normalizeEmail(address), { onSuccess: ({ key }) => key, onFailure: () => address.toLowerCase() })

/** Blocks an address that does not exist for e-mails; the person may be written to elsewhere. */
const blockAddress = Effect.fnUntraced(function* ({ row }: EmailView, reason: string, createdAt: InstantText) {
  const { leadId, organizationId, toAddress } = row
  const entry = { kind: "bounced", value: keyOf(toAddress), leadId, reason, until: null, createdAt } as const
  yield* (yield* PrivacyRepo).addSuppressions(organizationId, [{ organizationId, ...entry }])
})

/** An e-mail that a report is about has left, even where the process that sent it died before it noted that. */
const sentLife = Effect.fnUntraced(function* (view: EmailView, at: InstantText) {
  const { attempts, state } = view.row
  if (state !== "sending" && state !== "ambiguous") return lifeOf(view)
  const delivery = yield* recordDelivery(view, messageIdOf(view.row), at)
  return yield* apply(lifeOf(view), { _tag: "Confirm", attempt: attempts, ...delivery }, at)
})

const bounced = Effect.fnUntraced(function* (
  view: EmailView,
  { detail, kind, recipient }: Extract<MailMeaning, { readonly _tag: "Bounce" }>
) {
  const at = yield* now
  const { retryDays, suppresses } = bounceConsequences[kind]
  const days = retryDays[view.row.failures]
  const notBefore = days === undefined ? null : isoFromMillis(Date.parse(at) + days * 86_400_000)
  const life = yield* sentLife(view, at)
  const decided = decide(life, { _tag: "Bounce", reason: `bounced_${kind}`, detail, notBefore }, at)
  if (Result.isSuccess(decided)) yield* carryOut(decided.success, at)
  // A report of an address that ours was forwarded to says nothing of ours.
  const isOfAddress = recipient === "" || keyOf(recipient) === keyOf(view.row.toAddress)
  if (suppresses && isOfAddress) yield* blockAddress(view, `The address does not exist: ${detail.slice(0, 300)}`, at)
})

/** The person is away until then: nothing leaves before. */
const isAway = Effect.fnUntraced(function* (leadId: LeadId, until: InstantText | null) {
  const lead = yield* holdLead(leadId)
  const { awayUntil, id } = lead.row
  if (until !== null && until > (awayUntil ?? "")) yield* storeLead(lead, { awayUntil: until })
  yield* emit({ type: "email.auto_replied", subject: { type: "lead", id }, data: { until } })
})

const replied = Effect.fnUntraced(function* (leadId: LeadId, mail: InboundMail, address: string, at: InstantText) {
  const { attachments, from, quoted, subject, text } = mail
  const isPlausible = mail.date !== null && Date.parse(mail.date) <= Date.parse(at) + clockSkew
  yield* recordOnce({
    leadId,
    channel: "EMAIL",
    direction: "inbound",
    content: text,
    date: isPlausible && mail.date !== null ? mail.date : at,
    senderName: from?.name || null,
    externalId: mail.messageId ?? hashOfMail(mail),
    mail: mailPartsOf(subject, from?.address ?? "", address, { quoted, attachments })
  })
})

/** Whether one of the organization's mailboxes sent it. */
const isOwn = Effect.fnUntraced(function* ({ from }: InboundMail) {
  const { organizationId } = yield* Actor
  const key = from && keyOf(from.address)
  return (yield* (yield* MailboxesRepo).list(organizationId)).some(({ address }) => keyOf(address) === key)
})

/** Takes a mail in that came to a mailbox. The same mail changes nothing a second time, whichever way it comes. */
export const receiveMail = Effect.fnUntraced(function* (source: InboundMail, mailbox: Pick<MailboxRow, "address">) {
  const { organizationId } = yield* Actor
  const at = yield* now
  const hash = hashOfMail(source)
  if (!(yield* (yield* MailboxesRepo).takeMail(organizationId, { hash, at }))) return "known" as const
  const mail = storableMail(source)
  const token = unsubscribeTokenIn(mail.subject)
  if (token !== undefined && (yield* unsubscribe(token))) return "unsubscribed" as const
  const meaning = classifyMail(mail, at)
  if (meaning._tag === "Notice") return "unrelated" as const
  if (meaning._tag === "Bounce" || meaning._tag === "Complaint") {
    const view = yield* reportedEmail(mail)
    if (view === undefined) return "unrelated" as const
    if (meaning._tag === "Bounce") {
      yield* bounced(view, meaning)
      return "bounce" as const
    }
    yield* emit({
      type: "email.complained",
      subject: { type: "email", id: view.row.id },
      data: { lead_id: view.row.leadId }
    })
    yield* applyOptOut(view.row.leadId, "reported an e-mail as unwanted")
    return "complaint" as const
  }
  if (yield* isOwn(mail)) return "own" as const
  const leadId = yield* leadOfMail(mail, mailbox)
  if (leadId === undefined) return "unrelated" as const
  if (meaning._tag === "Automatic") {
    yield* isAway(leadId, meaning.until)
    return "automatic" as const
  }
  yield* replied(leadId, mail, mailbox.address, at)
  return "reply" as const
})
