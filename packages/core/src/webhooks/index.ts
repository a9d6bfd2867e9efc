/** Webhooks and their deliveries: the public names of the room. */

export * as DeliveryWorker from "./delivery/DeliveryWorker.ts"
export { type WebhookRequest, type WebhookResponse, WebhookSender } from "./delivery/deliver.ts"
export type { DeliveryNeeds } from "./delivery/deliveryRounds.ts"
export {
  type DeliveryLeaseRequest,
  type DeliveryRow,
  Webhook,
  type WebhookSecret,
  WebhooksRepo
} from "./WebhooksRepo.ts"
