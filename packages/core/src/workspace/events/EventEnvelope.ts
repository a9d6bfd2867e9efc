/** An event as readers of the feed and webhooks receive it. */
import * as Schema from "effect/Schema"
import { eventTypes, type SequencedEvent } from "../../kernel/journal/Event.ts"
import { Instant } from "../../kernel/schema/Time.ts"

/** One event. */
export const EventEnvelope = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the event; the same in every copy" }),
  type: Schema.Literals(eventTypes).annotate({ description: "Event type" }),
  created_at: Instant,
  organization_id: Schema.String,
  sequence: Schema.Int.annotate({ description: "Position in the organization's feed, starting at 1, without gaps" }),
  actor: Schema.Struct({ kind: Schema.Literals(["USER", "AI_AGENT", "SYSTEM"]), id: Schema.String }),
  subject: Schema.Struct({ type: Schema.String, id: Schema.String }),
  data: Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Ids and states, depending on the type" })
})

/** See {@link EventEnvelope}. */
export type EventEnvelope = typeof EventEnvelope.Type

/** The envelope of an event. */
export const envelopeOf = (event: SequencedEvent): EventEnvelope => ({
  id: event.id,
  type: event.type,
  created_at: event.createdAt,
  organization_id: event.organizationId,
  sequence: event.sequence,
  actor: event.actor,
  subject: event.subject,
  data: event.data
})
