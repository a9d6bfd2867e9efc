/** Creating and changing offers: the rules that commands and REST share. Source: catalogue 4.1, G30, contract 7. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, emit } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { canonicalJson } from "../Hash.ts"
import { Ids } from "../Ids.ts"
import { changedAt, now } from "../Time.ts"
import { contentOf, type Offer } from "./Offer.ts"
import { applyWrite, emptyContent, type OfferWrite } from "./OfferInput.ts"
import { OffersRepo } from "./OffersRepo.ts"

/** How a surface spells the three required texts, for messages. */
export type OfferSpelling = Readonly<Record<"name" | "oneLiner" | "valueProposition", string>>

/** The spelling of commands. */
export const commandSpelling: OfferSpelling = {
  name: "name (or offer_name)",
  oneLiner: "one_liner",
  valueProposition: "value_proposition"
}

/** The spelling of REST. */
export const restSpelling: OfferSpelling = {
  name: "name",
  oneLiner: "oneLiner",
  valueProposition: "valueProposition"
}

const missing = (write: OfferWrite, spelling: OfferSpelling): ReadonlyArray<string> => [
  ...(write.name === undefined ? [spelling.name] : []),
  ...(write.oneLiner === undefined && write.isDraft !== true ? [spelling.oneLiner] : []),
  ...(write.valueProposition === undefined && write.isDraft !== true ? [spelling.valueProposition] : [])
]

/** Creates an offer. With the caller's own id the call is idempotent: the same content answers the existing offer. */
export const createOffer = Effect.fnUntraced(function* (
  write: OfferWrite,
  spelling: OfferSpelling,
  offerId?: string
): Effect.fn.Return<Offer, Failure, Actor | Execution | Ids | OffersRepo> {
  const gaps = missing(write, spelling)
  if (gaps.length > 0) {
    const hint = write.isDraft === true ? "" : " A draft offer needs its name only."
    return yield* fail(
      "INVALID_INPUT",
      `${gaps.join(", ")}: required for an offer; add ${gaps.length > 1 ? "them" : "it"}.${hint}`
    )
  }
  const { organizationId } = yield* Actor
  const at = yield* now
  const offer: Offer = {
    id: offerId ?? (yield* (yield* Ids).next("off")),
    organizationId,
    ...applyWrite(emptyContent, write),
    lastUsedAt: null,
    createdAt: at,
    updatedAt: at
  }
  const taken = yield* (yield* OffersRepo).insert(offer)
  if (taken !== undefined) {
    if (canonicalJson(contentOf(taken)) === canonicalJson(contentOf(offer))) return taken
    return yield* fail(
      "DUPLICATE_ID",
      `offer_id ${offer.id} is taken by an offer with other content. Choose another id, or change that offer with offer.update.`
    )
  }
  yield* emit({ type: "offer.created", subject: { type: "offer", id: offer.id }, data: { name: offer.name } })
  return offer
})

/** Changes an offer. Without a change nothing is written and no event is stated. */
export const updateOffer = Effect.fnUntraced(function* (
  offerId: string,
  write: OfferWrite,
  spelling: OfferSpelling
): Effect.fn.Return<Offer, Failure, Actor | Execution | OffersRepo> {
  const offer = yield* getOffer(offerId)
  const content = applyWrite(offer, write)
  if (canonicalJson(content) === canonicalJson(contentOf(offer))) return offer
  if (!content.isDraft && (content.oneLiner === "" || content.valueProposition === "")) {
    return yield* fail(
      "INVALID_INPUT",
      `${spelling.oneLiner} and ${spelling.valueProposition}: required before an offer stops being a draft; add them.`
    )
  }
  const at = yield* now
  const changed: Offer = { ...offer, ...content, updatedAt: changedAt(offer.updatedAt, at) }
  if (!(yield* (yield* OffersRepo).replace(changed, offer.updatedAt))) return yield* fail("VERSION_CONFLICT")
  yield* emit({ type: "offer.updated", subject: { type: "offer", id: offer.id }, data: { name: changed.name } })
  return changed
})

/** Reads an offer. Fails with NOT_FOUND. */
export const getOffer = Effect.fnUntraced(function* (
  offerId: string
): Effect.fn.Return<Offer, Failure, Actor | OffersRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* OffersRepo).find(organizationId, offerId)) ?? (yield* notFound("offer", offerId.slice(0, 64)))
})

/** Reads an offer and keeps it from being deleted until the transaction ends: for linking it. Fails with NOT_FOUND. */
export const holdOffer = Effect.fnUntraced(function* (
  offerId: string
): Effect.fn.Return<Offer, Failure, Actor | OffersRepo> {
  const { organizationId } = yield* Actor
  return (yield* (yield* OffersRepo).hold(organizationId, offerId)) ?? (yield* notFound("offer", offerId))
})
