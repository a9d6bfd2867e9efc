/** Offers in the in-memory store. */

import { changedAt, type OrganizationId } from "@svc/core"
import { newestFirst } from "@svc/core/internal"
import type { MissionRow } from "@svc/core/missions"
import { type Offer, OffersRepo } from "@svc/core/offers"
import { repository, table, touchLastUsed } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"

/** Offers by id. */
export const offers = table<Offer>("offers")

/** Keeps offers in memory. */
export const layer = repository(OffersRepo)((store) => {
  const find = (organizationId: OrganizationId, id: string) =>
    store.read(organizationId, (tables) => tables.get(offers, id))
  return {
    find,
    // Transactions are serialized, so a row that was read cannot change.
    hold: find,
    holdForDeletion: (organizationId, id) =>
      store.read(organizationId, (tables) => {
        const offer = tables.get(offers, id)
        if (offer === undefined) return undefined
        const users = tables
          .where(missions, ({ offerId }) => offerId === id)
          .map(({ handle, id: missionId, status }) => ({ id: missionId, handle, isArchived: status === "ARCHIVED" }))
          .toSorted((a, b) => (a.handle < b.handle ? -1 : 1))
        return { offer, users }
      }),
    remove: (organizationId, id, at) =>
      store.write(organizationId, (tables) => {
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
    touch: (organizationId, id, at) => store.write(organizationId, (tables) => touchLastUsed(tables, offers, id, at)),
    list: (organizationId, filter, page) =>
      store.read(organizationId, (tables) => {
        const needle = filter.query?.toLowerCase()
        const matching = tables
          .where(offers, (offer) => filter.isDraft === undefined || offer.isDraft === filter.isDraft)
          .filter((offer) => needle === undefined || `${offer.name}\n${offer.oneLiner}`.toLowerCase().includes(needle))
        return newestFirst(matching, page)
      })
  }
})
