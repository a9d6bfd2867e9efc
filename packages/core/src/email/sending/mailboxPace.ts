/** What holds a mailbox back: its limits, and the domain that it sends from. */
import * as Effect from "effect/Effect"
import { emit } from "../../kernel/command/Execution.ts"
import { type InstantText, now } from "../../kernel/schema/IdsAndTime.ts"
import type { PaceFacts } from "../../outreach/pacing/Pacing.ts"
import { countedFor } from "../../outreach/pacing/UsageLimits.ts"
import { SendOptions, secondsAfter, secondsBefore } from "../../outreach/SendOptions.ts"
import type { EmailRow } from "../../outreach/Transmission.ts"
import { type Due, TransmissionsRepo } from "../../outreach/TransmissionsRepo.ts"
import { askDomain, keepDomain } from "../checkDomain.ts"
import { type DomainFacts, isUnauthenticated } from "../DomainCheck.ts"
import type { EmailView } from "../Email.ts"
import { MailboxesRepo, mailboxSender } from "../MailboxesRepo.ts"

/** Hours, limits and records may change, so an email that waits for them is rechecked after this time. */
export const recheckSeconds = 600

/** The mailbox of an address of the organization. */
const mailboxOf = Effect.fnUntraced(function* ({ fromAddress, organizationId }: EmailRow) {
  const mailboxes = yield* (yield* MailboxesRepo).list(organizationId)
  return mailboxes.find(({ key }) => key === mailboxSender(fromAddress))
})

/** The mailbox that sends it: its limits, and what it sent, and whether something is being sent to the lead. Nobody else starts anything with it before the transaction ends. */
export const readPace = Effect.fnUntraced(function* (
  { fromAddress, id, leadId, organizationId }: EmailRow,
  at: InstantText
) {
  const { pacing: isLocked } = yield* SendOptions
  const { actions, seconds } = countedFor("email")
  const accountId = mailboxSender(fromAddress)
  const request = {
    organizationId,
    accountId,
    isMailbox: true,
    actions,
    since: secondsBefore(at, seconds),
    isLocked,
    item: { id, leadId }
  }
  const { account: uses, isBusy } = yield* (yield* TransmissionsRepo).accountFacts(request)
  return { uses, isBusy }
})

/** Whether the organization requires a domain that is set up, and that of the mailbox is known not to be. */
export const isUnauthenticatedSender = Effect.fnUntraced(function* ({ row, rules }: EmailView) {
  if (rules.emailAuthentication !== "required") return false
  const domain = (yield* mailboxOf(row))?.domain ?? null
  return domain !== null && isUnauthenticated(domain)
})

/** How long what the DNS said of a domain holds, in milliseconds: a day, or until what waits is looked at again. */
const domainMillis = (domain: DomainFacts) => (isUnauthenticated(domain) ? recheckSeconds * 1_000 : 86_400_000)

/** Asks the DNS where the organization requires a domain that is set up, unless it did today. */
export const precheck = Effect.fnUntraced(function* ({ id, organizationId }: Due) {
  const view = yield* (yield* TransmissionsRepo).find(organizationId, id)
  if (view?.row.kind !== "email" || view.rules.emailAuthentication !== "required") return "claim" as const
  const domain = (yield* mailboxOf(view.row))?.domain ?? null
  const age = domain === null ? Number.NaN : Date.parse(yield* now) - Date.parse(domain.checked_at)
  if (domain !== null && age < domainMillis(domain)) return "claim" as const
  const { fromAddress } = view.row
  yield* keepDomain(organizationId, fromAddress, yield* askDomain(fromAddress))
  return "claim" as const
})

/** Its mailbox has sent as much as it may: what it sends waits, and is looked at again with the mailbox. */
export const holdMailbox = Effect.fnUntraced(function* (
  { agentId, fromAddress, organizationId }: EmailRow,
  pace: PaceFacts | null,
  until: InstantText,
  at: InstantText
) {
  const again = secondsAfter(at, recheckSeconds)
  const id = mailboxSender(fromAddress)
  const hold = { reason: "usage_limit", until, recheckAt: until < again ? until : again } as const
  yield* (yield* TransmissionsRepo).holdAccount(organizationId, id, "message", hold)
  if (pace?.message.pacedReason === "usage_limit") return
  const data = { agent_id: agentId, action: "email", until }
  yield* emit({ type: "usage.limit_reached", subject: { type: "mailbox", id }, data })
})
