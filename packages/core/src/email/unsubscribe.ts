/**
 * Unsubscribing: tokens that e-mails carry (RFC 8058), and what follows from one that comes back.
 *
 * A token is random and only its hash is kept, so that neither a copy of the database nor a replaced key forges or breaks one. It
 * outlives the person's erasure, after which there is nobody to write to.
 */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import { runAsService } from "../kernel/background/Worker.ts"
import { Actor, PublicUrl } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { sha256Hex } from "../kernel/schema/Hash.ts"
import { now } from "../kernel/schema/IdsAndTime.ts"
import { applyOptOut } from "../leads/recordMessage.ts"
import type { EmailView } from "./Email.ts"
import type { OutgoingEmail } from "./EmailGateway.ts"
import { MailboxesRepo } from "./MailboxesRepo.ts"

/** The token of an unsubscribing mail, which its subject names. */
export const unsubscribeTokenIn = (subject: string): string | undefined =>
  /^\s*unsubscribe ([\w-]{43})\s*$/i.exec(subject)?.[1]

/** What an e-mail offers that is about to leave: an address of its sender and, where this service has one of HTTPS, one click. */
export const offerUnsubscribing = Effect.fnUntraced(function* ({ row }: EmailView) {
  const { fromAddress, id: emailId, leadId, organizationId } = row
  const token = randomBytes(32).toString("base64url")
  yield* (yield* MailboxesRepo).saveToken({
    hash: sha256Hex(token),
    organizationId,
    leadId,
    emailId,
    createdAt: yield* now
  })
  const base = (yield* PublicUrl)()
  return {
    mailto: `mailto:${encodeURIComponent(fromAddress).replace("%40", "@")}?subject=unsubscribe%20${token}`,
    url: base?.startsWith("https://") ? `${base}/unsubscribe/${token}` : null
  } satisfies OutgoingEmail["unsubscribe"]
})

/** Opts the person of a token out; false for a token of nobody here. The same again changes nothing. */
export const unsubscribe = Effect.fnUntraced(function* (token: string) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* MailboxesRepo).findToken(sha256Hex(token))
  if (found?.organizationId !== organizationId) return false
  const { leadId } = found
  if (leadId !== null) yield* Effect.catchTag(applyOptOut(leadId, "unsubscribed"), "NotFound", () => Effect.void)
  return true
})

/** {@link unsubscribe} for whoever has a token, without a key. Fails with NOT_FOUND for an unknown one. */
export const unsubscribeByToken = Effect.fnUntraced(function* (token: string) {
  const found = yield* (yield* MailboxesRepo).findToken(sha256Hex(token))
  if (found === undefined) {
    return yield* new NotFound({
      kind: "token",
      message: "This link is not known. Answer the e-mail to be taken off the list."
    })
  }
  yield* runAsService(found.organizationId, unsubscribe(token))
})
