/** Which e-mails belong together: those with one subject between us and one domain. */
import type { MailParts } from "./Lead.ts"

/** What mail programs put before the subject of an answer, in the languages of their users, with their counters: `Re[2]:`. */
const prefix = /^\s*(?:re|aw|antw|sv|vs|ref|rif|odp|ynt|fwd?|wg|tr|rv|enc|i)\s*(?:\[\d+\])?\s*[:：]\s*/i

/** Whether a subject says that its mail answers or forwards another. */
export const isAnswerSubject = (subject: string): boolean => prefix.test(subject)

/** A subject without the prefixes of answers, in lower case with single spaces. */
export const bareSubject = (subject: string): string => {
  let bare = subject.trim()
  while (prefix.test(bare)) bare = bare.replace(prefix, "")
  return bare.replace(/\s+/g, " ").trim().toLowerCase()
}

/** The thread of an e-mail from or to an address of somebody else. */
export const threadOf = (subject: string, address: string): string =>
  `${address.slice(address.lastIndexOf("@") + 1).toLowerCase()} ${bareSubject(subject)}`

/** What is kept of an e-mail beside its text. */
export const mailPartsOf = (
  subject: string,
  address: string,
  mailbox: string,
  more: Partial<MailParts> = {}
): MailParts => ({ subject, quoted: "", attachments: [], mailbox, thread: threadOf(subject, address), ...more })
