/** Delivery of signed webhooks over HTTP. */

export { checkTarget, isPublicAddress } from "./checkTarget.ts"
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { signatureHeaders } from "./signatureHeaders.ts"
export { isSignedWith } from "./verifySignature.ts"
