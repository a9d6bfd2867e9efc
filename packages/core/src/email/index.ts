/** E-mails and their reviews: the public names of the room. */
export {
  EmailGateway,
  type EmailOutcome,
  layerNone as emailGatewayLayerNone,
  type Mailbox,
  type OutgoingEmail
} from "./EmailGateway.ts"
export { mailApprovals, type NoticeNeeds, NoticeSender, noticesLayer } from "./notices/mailApprovals.ts"
export { dispatchEmails, type EmailNeeds, emailWorkerLayer } from "./sending/emails.ts"
