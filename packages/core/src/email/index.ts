/** E-mails and their reviews, and mailboxes: the public names of the room. */
export { DomainCheck, type DomainFacts } from "./DomainCheck.ts"
export { EmailGateway, type EmailOutcome, type Mailbox, type OutgoingEmail } from "./EmailGateway.ts"
export { type DeliveryStatus, type InboundMail, MailReader } from "./InboundMail.ts"
export * from "./InboxGateway.ts"
export * from "./MailboxesRepo.ts"
export type { NoticeNeeds } from "./notices/mailApprovals.ts"
export type { EmailNeeds } from "./sending/emails.ts"
