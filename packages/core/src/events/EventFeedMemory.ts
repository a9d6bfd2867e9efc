/** The feed in the in-memory store, where events are numbered as they are written. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventHeads, events } from "../JournalMemory.ts"
import { MemoryStore } from "../MemoryStore.ts"
import { EventFeed, feedPage } from "./EventFeed.ts"

/** Reads what the journal keeps in memory. */
export const layer: Layer.Layer<EventFeed, never, MemoryStore> = Layer.effect(
  EventFeed,
  Effect.map(MemoryStore, (store) =>
    EventFeed.of({
      read: (organizationId, request) =>
        store.read((tables) => {
          const { after, limit, types } = request
          const page = tables
            .all(events, organizationId)
            .filter(({ sequence, type }) => sequence > after && (types === undefined || types.includes(type)))
            .sort((a, b) => a.sequence - b.sequence)
            .slice(0, limit)
          return feedPage(request, page, tables.get(eventHeads, organizationId, "head") ?? 0)
        }),
      recent: (organizationId, limit) =>
        store.read((tables) =>
          tables
            .all(events, organizationId)
            .toSorted((a, b) => b.sequence - a.sequence)
            .slice(0, limit)
        )
    })
  )
)
