/** Input fields that several webhook commands share. */
import * as Schema from "effect/Schema"
import { eventTypes } from "../Event.ts"
import { httpUrl, line } from "../TextFields.ts"

const id = (description: string) => Schema.String.check(Schema.isBetweenLength(1, 64)).annotate({ description })

/** Id of a webhook. */
export const WebhookIdText = id("Id of the webhook")

/** Id of a delivery. */
export const DeliveryIdText = id("Id of the delivery")

/** Where events are posted to. */
export const UrlText = httpUrl.pipe(
  Schema.annotateEncoded({
    description: "https address that takes POST requests, on port 443 or 8443; no private network"
  })
)

/** What may be said of a webhook beside its address. */
export const webhookFields = {
  event_types: Schema.optionalKey(
    Schema.Array(Schema.Literals(eventTypes))
      .check(Schema.isMaxLength(eventTypes.length), Schema.isUnique())
      .annotate({ description: "Only events of these types; empty for all" })
  ),
  description: Schema.optionalKey(line(200, "What the webhook is for")),
  is_active: Schema.optionalKey(Schema.Boolean.annotate({ description: "False pauses it: deliveries wait" }))
}

/** What a new secret is answered with, beside the webhook. */
export const ShownSecret = Schema.NullOr(Schema.String).annotate({
  description: "Secret that deliveries are signed with, shown only now; null in a dry run and in a repeated answer"
})
