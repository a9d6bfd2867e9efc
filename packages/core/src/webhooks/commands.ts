/** Webhooks and their deliveries. */
import { CreateWebhook } from "./commands/CreateWebhook.ts"
import { DeleteWebhook } from "./commands/DeleteWebhook.ts"
import { GetWebhook } from "./commands/GetWebhook.ts"
import { ListDeliveries } from "./commands/ListDeliveries.ts"
import { ListWebhooks } from "./commands/ListWebhooks.ts"
import { RedeliverWebhook } from "./commands/RedeliverWebhook.ts"
import { RotateWebhookSecret } from "./commands/RotateWebhookSecret.ts"
import { TestWebhook } from "./commands/TestWebhook.ts"
import { UpdateWebhook } from "./commands/UpdateWebhook.ts"

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
