/** Mailboxes over IMAP, and reading the source text of mails. */
export { imapInboxLayer } from "./ImapInbox.ts"
export { mailReaderLayer } from "./readMail.ts"
