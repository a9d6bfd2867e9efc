/** Requests to URLs that strangers chose: signed webhooks, and the documents of clients. */

export { checkTarget } from "./checkTarget.ts"
export * as HttpClientDocuments from "./HttpClientDocuments.ts"
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { isSignedWith, signatureHeaders } from "./signatureHeaders.ts"
