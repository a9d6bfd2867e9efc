/** E-mails and their reviews: the public names of the room. */
export { EmailGateway, type EmailOutcome, type Mailbox, type OutgoingEmail } from "./EmailGateway.ts"
export type { NoticeNeeds } from "./notices/mailApprovals.ts"
export type { EmailNeeds } from "./sending/emails.ts"
