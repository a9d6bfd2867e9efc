/** Builds the MIME message of an e-mail. */
import type { Mailbox, OutgoingEmail } from "@svc/core/email"
import { addressHeader, textHeader } from "./headers.ts"
import { loadComposer } from "./nodemailer.ts"

/** Line breaks in any reader, and other control characters except the tab. */
const controls = /(?!\t)[\p{Cc}\u2028\u2029]/u

/** A plain address; quoted names before the `@` and everything else unusual are refused. */
const plainAddress = /^[^\s@<>",;:\\()[\]]{1,64}@[^\s@<>",;:\\()[\]]{1,253}$/u

/** The part of an e-mail that could inject a header; undefined when none can. */
export const unsafePart = ({ from, messageId, subject, to }: OutgoingEmail): string | undefined => {
  const isAddress = ({ address }: Mailbox) => plainAddress.test(address) && !controls.test(address)
  if (!isAddress(from)) return "the sender's address"
  if (!isAddress(to)) return "the recipient's address"
  if (controls.test(from.name)) return "the sender's name"
  if (controls.test(to.name)) return "the recipient's name"
  if (controls.test(subject)) return "the subject"
  return plainAddress.test(messageId) ? undefined : "the message id"
}

/** The message in RFC 5322 form. Never reads files or URLs. */
export const buildMessage = async ({ from, html, messageId, subject, text, to }: OutgoingEmail): Promise<Buffer> => {
  const { default: MailComposer } = await loadComposer()
  const composed = new MailComposer({
    text,
    ...(html === null ? {} : { html }),
    messageId: `<${messageId}>`,
    disableFileAccess: true,
    disableUrlAccess: true
  })
  // The composer leaves encoded words in texts unchanged, and readers would decode them.
  const written = addressHeader("From", from) + addressHeader("To", to) + textHeader("Subject", subject)
  return Buffer.concat([Buffer.from(written), await composed.compile().build()])
}
