/** An e-mail as the bytes that are handed over. */
import type { Mailbox, OutgoingEmail } from "@svc/core/email/EmailGateway"
import MailComposer from "nodemailer/lib/mail-composer"

/** Characters that could end a header line, and other controls. */
const controls = /[\p{Cc}\u2028\u2029]/u

/** A plain address; quoted names before the `@` and everything else unusual are refused. */
const plainAddress = /^[^\s@<>",;:\\()[\]]{1,64}@[^\s@<>",;:\\()[\]]{1,253}$/u

/** What of an e-mail could become a header that nobody asked for; undefined when nothing could. */
export const unsafePart = ({ from, messageId, subject, to }: OutgoingEmail): string | undefined => {
  const isAddress = ({ address }: Mailbox) => plainAddress.test(address) && !controls.test(address)
  if (!isAddress(from)) return "the sender's address"
  if (!isAddress(to)) return "the addressee's address"
  if (controls.test(from.name)) return "the sender's name"
  if (controls.test(to.name)) return "the addressee's name"
  if (controls.test(subject)) return "the subject"
  return plainAddress.test(messageId) ? undefined : "the message id"
}

/** The message in RFC 5322 form. Nothing in it is read from files or addresses. */
export const buildMessage = ({ from, html, messageId, subject, text, to }: OutgoingEmail): Promise<Buffer> =>
  new MailComposer({
    from,
    to,
    subject,
    text,
    ...(html === null ? {} : { html }),
    messageId: `<${messageId}>`,
    disableFileAccess: true,
    disableUrlAccess: true
  })
    .compile()
    .build()
