/** The thread of an e-mail that is about to leave: the mails with the same subject between its mailbox and its lead. */
import * as Effect from "effect/Effect"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import { bareSubject } from "../leads/threadOf.ts"
import type { EmailView } from "./Email.ts"

/** Mails of a thread that are named. */
const maxReferences = 20

/** The Message-IDs of the thread, the latest first; none where the latest e-mail of the lead belongs to another. */
export const referencesOf = Effect.fnUntraced(function* ({ row }: EmailView) {
  const { fromAddress, id, leadId, organizationId } = row
  const { conversation } = yield* LeadsRepo
  const page = yield* conversation(organizationId, leadId, "EMAIL", { limit: maxReferences })
  // One that bounced is in the conversation when it is sent again.
  const mails = (page?.items ?? []).filter(({ externalId }) => externalId?.startsWith(id) !== true)
  const subject = bareSubject(row.subject)
  // People answer from other addresses of theirs too.
  const isOfThread = ({ mail }: (typeof mails)[number]) =>
    mail != null && bareSubject(mail.subject) === subject && mail.mailbox.toLowerCase() === fromAddress.toLowerCase()
  if (mails[0] === undefined || !isOfThread(mails[0])) return []
  // A mail without a Message-ID has another id here.
  return mails.filter(isOfThread).flatMap(({ externalId }) => (externalId?.includes("@") ? [externalId] : []))
})
