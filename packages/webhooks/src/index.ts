/** Delivery of signed webhooks over HTTP. */
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { signatureHeaders } from "./signatureHeaders.ts"
export { checkTarget, isPublicAddress } from "./targetGate.ts"
