/** The work in the background: on request, and as long as a process runs. */
import { EmailWorker, noticesLayer } from "@svc/core/email"
import { OutreachWorker } from "@svc/core/outreach"
import { DeliveryWorker, type WebhookSender } from "@svc/core/webhooks"
import { ExpiryWorker, Retention, RetentionWorker, SealWorker } from "@svc/core/workspace"
import { HttpWebhookSender } from "@svc/providers/webhooks"
import * as Layer from "effect/Layer"
import * as BackgroundWork from "./BackgroundWork.ts"
import type { Settings } from "./Settings.ts"

/** What is done on request and, where this process `isWorker`, again and again. */
export const workersLayer = (
  settings: Settings,
  isWorker: boolean
): Layer.Layer<BackgroundWork.BackgroundWork, never, Exclude<BackgroundWork.WorkNeeds, WebhookSender>> => {
  const jobs = { concurrency: settings.workers }
  const workers = Layer.mergeAll(
    OutreachWorker.layer(jobs),
    DeliveryWorker.layer,
    EmailWorker.layer,
    noticesLayer,
    ExpiryWorker.layer,
    SealWorker.layer,
    RetentionWorker.layer
  )
  const retention = Layer.succeed(Retention, {
    idempotency: settings.retainIdempotencyDays,
    deliveries: settings.retainDeliveriesDays,
    events: settings.retainEventsDays,
    importRows: settings.retainImportRowsDays,
    audit: settings.retainAuditDays
  })
  return Layer.merge(BackgroundWork.layer(jobs), isWorker ? workers : Layer.empty).pipe(
    Layer.provide(Layer.merge(HttpWebhookSender.layer, retention))
  )
}
