/** Offers in the in-memory store. */

import { changedAt } from "@svc/core"
import { newestFirst } from "@svc/core/internal"
import type { MissionRow } from "@svc/core/missions"
import { type Offer, OffersRepo } from "@svc/core/offers"
import { repository, table, touchLastUsed } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"

/** Offers by id. */
export const offers = table<Offer>("offers")

/** Keeps offers in memory. */
export const layer = repository(OffersRepo)((store) => ({
  find: store.reading((tables, id) => tables.get(offers, id)),
  // Transactions are serialized, so a row that was read cannot change.
  hold: store.reading((tables, id) => tables.get(offers, id)),
  holdForDeletion: store.reading((tables, id) => {
    const offer = tables.get(offers, id)
    if (offer === undefined) return undefined
    const users = tables
      .where(missions, ({ offerId }) => offerId === id)
      .map(({ handle, id: missionId, status }) => ({ id: missionId, handle, isArchived: status === "ARCHIVED" }))
      .toSorted((a, b) => (a.handle < b.handle ? -1 : 1))
    return { offer, users }
  }),
  remove: store.writing((tables, id, at) => {
    const isUser = ({ offerId }: MissionRow) => offerId === id
    tables.updateWhere(missions, isUser, (mission) => ({
      ...mission,
      offerId: null,
      updatedAt: changedAt(mission.updatedAt, at)
    }))
    tables.remove(offers, id)
  }),
  insert: (offer) =>
    store.write(offer.organizationId, (tables) => {
      const taken = tables.get(offers, offer.id)
      if (taken === undefined) tables.set(offers, offer.id, offer)
      return taken
    }),
  replace: (offer, seenUpdatedAt) =>
    store.write(offer.organizationId, (tables) => {
      const stored = tables.get(offers, offer.id)
      if (stored?.updatedAt !== seenUpdatedAt) return false
      tables.set(offers, offer.id, { ...offer, lastUsedAt: stored.lastUsedAt })
      return true
    }),
  touch: store.writing((tables, id, at) => touchLastUsed(tables, offers, id, at)),
  list: store.reading((tables, filter, page) => {
    const needle = filter.query?.toLowerCase()
    const matching = tables
      .where(offers, (offer) => filter.isDraft === undefined || offer.isDraft === filter.isDraft)
      .filter((offer) => needle === undefined || `${offer.name}\n${offer.oneLiner}`.toLowerCase().includes(needle))
    return newestFirst(matching, page)
  })
}))
