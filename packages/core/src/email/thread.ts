/** The thread of an e-mail that is about to leave: the mails with the same subject between its mailbox and its lead. */
import * as Effect from "effect/Effect"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import { threadOf } from "../leads/threadOf.ts"
import type { EmailView } from "./Email.ts"

/** Mails of a thread that are named. */
const maxReferences = 20

/** The Message-IDs of the thread, the latest first; none where the latest e-mail of the lead belongs to another. */
export const referencesOf = Effect.fnUntraced(function* ({ row }: EmailView) {
  const { fromAddress, leadId, organizationId, subject, toAddress } = row
  const { conversation } = yield* LeadsRepo
  const page = yield* conversation(organizationId, leadId, "EMAIL", { limit: maxReferences })
  const mails = page?.items ?? []
  const thread = threadOf(subject, toAddress)
  const isOfThread = ({ mail }: (typeof mails)[number]) =>
    mail?.thread === thread && mail.mailbox.toLowerCase() === fromAddress.toLowerCase()
  if (mails[0] === undefined || !isOfThread(mails[0])) return []
  return mails.filter(isOfThread).flatMap(({ externalId }) => externalId ?? [])
})
