/** The worker that deletes old rows, with the ages of the settings. */
import { Retention, RetentionWorker } from "@svc/core/workspace"
import * as Layer from "effect/Layer"
import type { Settings } from "./Settings.ts"

/** Runs as long as the layer. */
export const retentionLayer = (settings: Settings): typeof RetentionWorker.layer =>
  RetentionWorker.layer.pipe(
    Layer.provide(
      Layer.succeed(Retention, {
        idempotency: settings.retainIdempotencyDays,
        deliveries: settings.retainDeliveriesDays,
        events: settings.retainEventsDays,
        importRows: settings.retainImportRowsDays,
        audit: settings.retainAuditDays
      })
    )
  )
