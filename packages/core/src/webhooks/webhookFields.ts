/** Input fields that several webhook commands share. */
import * as Schema from "effect/Schema"
import { eventTypes } from "../kernel/journal/Event.ts"
import { httpUrl, line } from "../kernel/schema/TextFields.ts"

const id = (description: string) => Schema.String.check(Schema.isBetweenLength(1, 64)).annotate({ description })

/** Id of a webhook. */
export const WebhookIdText = id("Id of the webhook")

/** Id of a delivery. */
export const DeliveryIdText = id("Id of the delivery")

/** Input field `url`. */
export const UrlText = httpUrl.pipe(
  Schema.annotateEncoded({
    description: "https URL that accepts POST requests, on port 443 or 8443, in a public network"
  })
)

/** The optional input fields of a webhook. */
export const webhookFields = {
  event_types: Schema.optionalKey(
    Schema.Array(Schema.Literals(eventTypes))
      .check(Schema.isMaxLength(eventTypes.length), Schema.isUnique())
      .annotate({ description: "Only events of these types; empty for all" })
  ),
  description: Schema.optionalKey(line(200, "Purpose of the webhook")),
  is_active: Schema.optionalKey(Schema.Boolean.annotate({ description: "False pauses the webhook: deliveries wait" }))
}

/** Output field `secret`. */
export const ShownSecret = Schema.NullOr(Schema.String).annotate({
  description: "Signing secret, shown only once; null in a dry run and in a repeated response"
})
