/** Webhooks and their deliveries: the public names of the room. */

export * as DeliveryWorker from "./delivery/DeliveryWorker.ts"
export {
  type DeliveryNeeds,
  deliverAll,
  type WebhookRequest,
  type WebhookResponse,
  WebhookSender
} from "./delivery/deliver.ts"
export { type DeliveryRow, Webhook, type WebhookSecret } from "./Webhook.ts"
export { type DeliveryLeaseRequest, WebhooksRepo } from "./WebhooksRepo.ts"
export { isLocalName, isLoopbackAddress, isPublicAddress, isPublicHttps, WebhookTargets } from "./WebhookTarget.ts"
