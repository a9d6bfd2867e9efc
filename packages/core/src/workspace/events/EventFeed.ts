/**
 * The feed of an organization's events, in an order that never changes.
 *
 * Events are numbered in the order in which they are committed, so a reader that continues from the last number it saw never
 * misses one, however the writers' transactions overlap.
 */

import * as Schema from "effect/Schema"
import { type EventType, eventTypes, type SequencedEvent } from "../../kernel/journal/Event.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { snakeFields } from "../../kernel/schema/snakeCase.ts"

/** The events to read: those after a sequence number, of some types (undefined: all), at most `limit`. */
export interface FeedRequest {
  readonly after: number
  readonly types: ReadonlyArray<EventType> | undefined
  readonly limit: number
}

/** What a store read: the page, and the numbers of the oldest and the latest event of any type, 0 if there is none. */
interface FeedRows {
  readonly events: ReadonlyArray<SequencedEvent>
  readonly oldest: number
  readonly head: number
}

/** A page of the feed. Continuing after `next` neither misses nor repeats an event. */
export interface FeedPage {
  readonly events: ReadonlyArray<SequencedEvent>
  readonly next: number
  /** The number of the oldest event; those before were deleted. */
  readonly oldest: number
}

/**
 * The page for events that were read. A page that is not full reached the end of the feed, so the next one starts after
 * `head`, the latest event of any type, but never before `after`.
 */
export const feedPage = ({ after, limit }: FeedRequest, { events, head, oldest }: FeedRows): FeedPage => ({
  events,
  next: events.length < limit ? Math.max(after, head) : (events.at(-1)?.sequence ?? after),
  oldest
})

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
export const envelopeOf = (event: SequencedEvent): EventEnvelope =>
  snakeFields(event, ["id", "type", "createdAt", "organizationId", "sequence", "actor", "subject", "data"])
