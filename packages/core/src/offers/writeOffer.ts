/** Creating and updating offers: the rules for all surfaces. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor } from "../kernel/command/Actor.ts"
import { type Execution, emit } from "../kernel/command/Execution.ts"
import { FieldNames } from "../kernel/command/Representation.ts"
import {
  DuplicateId,
  InvalidInput,
  type NotFound,
  type StoreFailure,
  VersionConflict
} from "../kernel/failure/failures.ts"
import { orNotFound } from "../kernel/failure/orNotFound.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import { Ids } from "../kernel/schema/Ids.ts"
import type { OfferId } from "../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../kernel/schema/Time.ts"
import { contentOf, type Offer, type OfferContent } from "./Offer.ts"
import { applyWrite, emptyContent, type OfferWrite } from "./OfferInput.ts"
import { OffersRepo } from "./OffersRepo.ts"

const missing = (write: OfferWrite): ReadonlyArray<string> => [
  ...(write.name === undefined ? ["name (or offer_name)"] : []),
  ...(write.one_liner === undefined && write.is_draft !== true ? ["one_liner"] : []),
  ...(write.value_proposition === undefined && write.is_draft !== true ? ["value_proposition"] : [])
]

/** The write with offer_name, the alias of name, resolved. Fails with INVALID_INPUT if both are sent and differ. */
export const resolveNameAlias = ({ offer_name, ...write }: OfferWrite): Result.Result<OfferWrite, InvalidInput> => {
  if (write.name !== undefined && offer_name !== undefined && write.name !== offer_name) {
    return Result.fail(new InvalidInput({ message: "name and offer_name are aliases but differ. Send one of them." }))
  }
  const name = write.name ?? offer_name
  return Result.succeed(name === undefined ? write : { ...write, name })
}

/** Creates an offer. With the caller's own id it is idempotent: the same content returns the existing offer. */
export const createOffer = Effect.fnUntraced(function* (
  sent: OfferWrite,
  offerId?: OfferId
): Effect.fn.Return<Offer, StoreFailure | DuplicateId | InvalidInput, Actor | Execution | Ids | OffersRepo> {
  const write = yield* Effect.fromResult(resolveNameAlias(sent))
  const gaps = missing(write).map(yield* FieldNames)
  if (gaps.length > 0) {
    const hint = write.is_draft === true ? "" : " A draft offer requires only a name."
    return yield* new InvalidInput({
      message: `${gaps.join(", ")}: required for an offer; add ${gaps.length > 1 ? "them" : "it"}.${hint}`
    })
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
    return yield* new DuplicateId({
      id: offer.id,
      message:
        `offer_id ${offer.id} is already used for an offer with different content. Choose another id, or change that ` +
        "offer with offer.update."
    })
  }
  yield* emit({
    type: "offer.created",
    subject: { type: "offer", id: offer.id },
    data: { name: offer.name }
  })
  return offer
})

/** Updates an offer. Without a change nothing is written and no event is emitted. */
export const updateOffer = Effect.fnUntraced(function* (
  offerId: OfferId,
  write: OfferWrite
): Effect.fn.Return<Offer, StoreFailure | InvalidInput | NotFound, Actor | Execution | OffersRepo> {
  const named = yield* Effect.fromResult(resolveNameAlias(write))
  const offer = yield* getOffer(offerId)
  const content = applyWrite(offer, named)
  if (canonicalJson(content) === canonicalJson(contentOf(offer))) return offer
  if (!content.isDraft && (content.oneLiner === "" || content.valueProposition === "")) {
    const spell = yield* FieldNames
    return yield* new InvalidInput({
      message: `${spell("one_liner")} and ${spell("value_proposition")}: required before an offer stops being a draft; add them.`
    })
  }
  return yield* storeOffer(offer, content)
})

/** Stores and states a change. Fails with VERSION_CONFLICT when the offer changed meanwhile. */
export const storeOffer = Effect.fnUntraced(function* (
  offer: Offer,
  content: OfferContent,
  details: Readonly<Record<string, unknown>> = {}
) {
  const changed: Offer = { ...offer, ...content, updatedAt: changedAt(offer.updatedAt, yield* now) }
  if (!(yield* (yield* OffersRepo).replace(changed, offer.updatedAt))) return yield* new VersionConflict()
  yield* emit({
    type: "offer.updated",
    subject: { type: "offer", id: offer.id },
    data: { name: changed.name, ...details }
  })
  return changed
})

/** Reads an offer. Fails with NOT_FOUND. */
export const getOffer = Effect.fnUntraced(function* (offerId: OfferId) {
  const { organizationId } = yield* Actor
  return yield* orNotFound("offer", offerId, (yield* OffersRepo).find(organizationId, offerId))
})

/** Reads an offer and locks it against deletion until the transaction ends, to link it. Fails with NOT_FOUND. */
export const holdOffer = Effect.fnUntraced(function* (offerId: OfferId) {
  const { organizationId } = yield* Actor
  return yield* orNotFound("offer", offerId, (yield* OffersRepo).hold(organizationId, offerId))
})
