/** New deliveries. */
import * as Effect from "effect/Effect"
import { Ids } from "../../kernel/schema/Ids.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { DeliveryRow } from "../Webhook.ts"

/** The content of a delivery. */
type DeliveryContent = Pick<DeliveryRow, "organization_id" | "webhook_id" | "event_id" | "event_type" | "payload">

/** A delivery that is due now, independent of others. */
export const newDelivery = Effect.fnUntraced(function* (
  content: DeliveryContent
): Effect.fn.Return<DeliveryRow, never, Ids> {
  const at = yield* now
  return {
    organization_id: content.organization_id,
    webhook_id: content.webhook_id,
    event_id: content.event_id,
    event_type: content.event_type,
    payload: content.payload,
    subject: "",
    sequence: null,
    delivery_id: yield* (yield* Ids).next("whd"),
    state: "pending",
    attempts: 0,
    tries: [],
    next_attempt_at: at,
    response_status: null,
    last_error: "",
    redelivery_of: null,
    created_at: at,
    delivered_at: null
  }
})
