// Your own store: a layer in place of one repository. Here offers live in a catalogue that the host has already.

import { OffersRepo } from "@svc/core/offers"
import { createSvc } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const at = "2026-01-01T00:00:00.000Z"
const blank = { landingPageUrl: "", salesBriefUrl: "", isDraft: false, lastUsedAt: null, createdAt: at, updatedAt: at }
const lists = { references: [], problemSolutions: [], differentiators: [], resources: [] }
const products = new Map([["invoices", { name: "Invoice automation", oneLiner: "Closes the books four days earlier" }]])

const offerOf = (organizationId, id) => {
  const product = products.get(id)
  return product && { id, organizationId, valueProposition: "", description: "", ...blank, ...lists, ...product }
}

const store = Layer.succeed(OffersRepo, {
  find: (organizationId, id) => Effect.succeed(offerOf(organizationId, id)),
  hold: (organizationId, id) => Effect.succeed(offerOf(organizationId, id)),
  list: (organizationId) =>
    Effect.succeed({ items: [...products.keys()].map((id) => offerOf(organizationId, id)), next: undefined }),
  holdForDeletion: () => Effect.succeed(undefined),
  insert: (offer) => Effect.sync(() => void products.set(offer.id, offer)),
  replace: () => Effect.succeed(false),
  touch: () => Effect.void,
  remove: () => Effect.void
})

const svc = await createSvc({ database: "memory:", layers: store, worker: false })
const { offers } = await svc.offers.list({})
console.log(offers.map(({ name, oneLiner }) => `${name}: ${oneLiner}`).join())
const created = await svc.offers.create({ offer_id: "travel", name: "Travel expenses", is_draft: true })
console.log(`created ${created.offer.id}; the host has ${products.size} products`)
await svc.close()
