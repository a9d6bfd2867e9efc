/** Offers in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, table } from "../MemoryStore.ts"
import { newestFirst } from "../Page.ts"
import type { Offer } from "./Offer.ts"
import { OffersRepo } from "./OffersRepo.ts"

/** Offers by id. */
export const offers = table<Offer>("offers")

/** Keeps offers in memory. */
export const layer: Layer.Layer<OffersRepo, never, MemoryStore> = Layer.effect(
  OffersRepo,
  Effect.map(MemoryStore, (store) =>
    OffersRepo.of({
      find: (organizationId, id) => store.read((tables) => tables.get(offers, organizationId, id)),
      insert: (offer) =>
        store.write((tables) => {
          const taken = tables.get(offers, offer.organizationId, offer.id)
          if (taken === undefined) tables.set(offers, offer.organizationId, offer.id, offer)
          return taken
        }),
      replace: (offer, seenUpdatedAt) =>
        store.write((tables) => {
          const stored = tables.get(offers, offer.organizationId, offer.id)
          if (stored?.updatedAt !== seenUpdatedAt) return false
          tables.set(offers, offer.organizationId, offer.id, { ...offer, lastUsedAt: stored.lastUsedAt })
          return true
        }),
      touch: (organizationId, id, at) =>
        store.write((tables) => {
          const stored = tables.get(offers, organizationId, id)
          if (stored === undefined || (stored.lastUsedAt ?? "") >= at) return
          tables.set(offers, organizationId, id, { ...stored, lastUsedAt: at })
        }),
      list: (organizationId, filter, page) =>
        store.read((tables) => {
          const needle = filter.query?.toLowerCase()
          const matching = tables
            .all(offers, organizationId)
            .filter((offer) => filter.isDraft === undefined || offer.isDraft === filter.isDraft)
            .filter(
              (offer) => needle === undefined || `${offer.name}\n${offer.oneLiner}`.toLowerCase().includes(needle)
            )
          return newestFirst(matching, page)
        })
    })
  )
)
