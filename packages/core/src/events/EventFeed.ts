/**
 * The feed of an organization's events, in one order that never changes: the port.
 *
 * Events are numbered for readers after they were committed, so a reader that goes on from the last number it saw never
 * misses one, however the writers' transactions overlapped. Source: contract 1.12 and 7 "Events"; G34.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { EventType, SequencedEvent } from "../Event.ts"
import type { Failure } from "../Failure.ts"

/** Which events: those after a number, of some types (undefined: of all), at most `limit`. */
export interface FeedRequest {
  readonly after: number
  readonly types: ReadonlyArray<EventType> | undefined
  readonly limit: number
}

/** A page of the feed. Reading on after `next` misses nothing and repeats nothing. */
export interface FeedPage {
  readonly events: ReadonlyArray<SequencedEvent>
  readonly next: number
}

/** Reads events. Fails with UNAVAILABLE when the store cannot be reached. */
export class EventFeed extends Context.Service<
  EventFeed,
  {
    /** Oldest first. One statement. */
    readonly read: (organizationId: string, request: FeedRequest) => Effect.Effect<FeedPage, Failure>
    /** The latest, newest first. One statement. */
    readonly recent: (organizationId: string, limit: number) => Effect.Effect<ReadonlyArray<SequencedEvent>, Failure>
  }
>()("@svc/core/events/EventFeed") {}

/**
 * The page of events that were read. A page that is not full was read to the end of the feed, so the next one starts
 * after `head`, the latest event of whatever type; it never goes back behind what was asked for.
 */
export const feedPage = (
  { after, limit }: FeedRequest,
  events: ReadonlyArray<SequencedEvent>,
  head: number
): FeedPage => ({
  events,
  next: events.length < limit ? Math.max(after, head) : (events.at(-1)?.sequence ?? after)
})
