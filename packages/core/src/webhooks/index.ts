/** Webhooks and their deliveries: the public names of the room. */

export { DeliveriesRepo, type DeliveryLeaseRequest } from "./delivery/DeliveriesRepo.ts"
export * as DeliveryWorker from "./delivery/DeliveryWorker.ts"
export { type WebhookRequest, type WebhookResponse, WebhookSender } from "./delivery/deliver.ts"
export { type DeliveryNeeds, deliverAll } from "./delivery/deliverDue.ts"
export { type DeliveryRow, Webhook, type WebhookSecret } from "./Webhook.ts"
export { WebhooksRepo } from "./WebhooksRepo.ts"
export { isLocalName, isLoopbackAddress, isPublicAddress, isPublicHttps, WebhookTargets } from "./WebhookTarget.ts"
