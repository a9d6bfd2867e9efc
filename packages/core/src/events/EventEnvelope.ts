/** An event as readers and webhooks get it. Source: contract 7 "Events"; G34. */
import * as Schema from "effect/Schema"
import { eventTypes, type SequencedEvent } from "../Event.ts"
import { Instant } from "../Time.ts"

/** What happened, when, to what, and who did it. */
export const EventEnvelope = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the event; the same in every copy of it" }),
  type: Schema.Literals(eventTypes).annotate({ description: "What happened" }),
  created_at: Instant,
  organization_id: Schema.String,
  sequence: Schema.Int.annotate({ description: "Place in the organization's feed, from 1 without gaps" }),
  actor: Schema.Struct({ kind: Schema.Literals(["USER", "AI_AGENT", "SYSTEM"]), id: Schema.String }),
  subject: Schema.Struct({ type: Schema.String, id: Schema.String }),
  data: Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "Ids and states that belong to the type" })
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
