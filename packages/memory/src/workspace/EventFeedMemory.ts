/** The event feed in the in-memory store, where events get their numbers when they are written. */

import type { SequencedEvent } from "@svc/core"
import { type EventFeed, feedPage } from "@svc/core/workspace"
import { type EventRow, eventHeads, events } from "../JournalMemory.ts"
import type { MemoryStore } from "../MemoryStore.ts"

/** Without what only undoing takes. */
const shown = ({ keyId: _key, undoes: _undoes, undoneAt: _at, ...event }: EventRow): SequencedEvent => event

/** Reads the events of the journal. */
export const eventFeed = (store: MemoryStore["Service"]): EventFeed => ({
  read: (organizationId, request) =>
    store.read((tables) => {
      const { after, limit, types } = request
      const all = tables.all(events, organizationId).toSorted((a, b) => a.sequence - b.sequence)
      return feedPage(request, {
        events: all
          .filter(({ sequence, type }) => sequence > after && (types === undefined || types.includes(type)))
          .slice(0, limit)
          .map(shown),
        oldest: all[0]?.sequence ?? 0,
        head: tables.get(eventHeads, organizationId, "head") ?? 0
      })
    }),
  recent: (organizationId, limit) =>
    store.read((tables) =>
      tables
        .all(events, organizationId)
        .toSorted((a, b) => b.sequence - a.sequence)
        .slice(0, limit)
        .map(shown)
    )
})
