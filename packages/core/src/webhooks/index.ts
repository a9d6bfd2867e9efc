/** Webhooks: who is told of events, and how that goes. */
import { CreateWebhook } from "./commands/CreateWebhook.ts"
import { DeleteWebhook } from "./commands/DeleteWebhook.ts"
import { GetWebhook } from "./commands/GetWebhook.ts"
import { ListDeliveries } from "./commands/ListDeliveries.ts"
import { ListWebhooks } from "./commands/ListWebhooks.ts"
import { RedeliverWebhook } from "./commands/RedeliverWebhook.ts"
import { RotateWebhookSecret } from "./commands/RotateWebhookSecret.ts"
import { TestWebhook } from "./commands/TestWebhook.ts"
import { UpdateWebhook } from "./commands/UpdateWebhook.ts"

export { DeliveriesRepo } from "./delivery/DeliveriesRepo.ts"
export { type DeliveryNeeds, deliverDue } from "./delivery/deliverDue.ts"
export { newDelivery } from "./delivery/newDelivery.ts"
export { type WebhookAnswer, type WebhookRequest, WebhookSender } from "./delivery/WebhookSender.ts"
export { restCommands } from "./rest.ts"
export type { DeliveryRow, Webhook, WebhookSecret } from "./Webhook.ts"
export { WebhooksRepo } from "./WebhooksRepo.ts"
export { isPrivateAddress, isPrivateUrl, requireTarget, WebhookTargets } from "./WebhookTarget.ts"
export { ensureReviewWebhook } from "./writeWebhook.ts"

/** The commands of this domain. */
export const commands = [
  ListWebhooks,
  GetWebhook,
  CreateWebhook,
  UpdateWebhook,
  DeleteWebhook,
  RotateWebhookSecret,
  TestWebhook,
  ListDeliveries,
  RedeliverWebhook
] as const
