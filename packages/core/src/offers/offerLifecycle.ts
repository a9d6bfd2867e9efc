/** Publishing and deleting offers: the rules for all surfaces. */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { type Execution, emit, warn } from "../kernel/command/Execution.ts"
import { type NotFound, type StoreFailure, WrongState } from "../kernel/failure/failures.ts"
import { orNotFound } from "../kernel/failure/orNotFound.ts"
import type { Finding } from "../kernel/schema/Finding.ts"
import type { OfferId } from "../kernel/schema/RecordIds.ts"
import { now } from "../kernel/schema/Time.ts"
import { checkOffer } from "./check/checkOffer.ts"
import { OfferInUse } from "./failures.ts"
import { contentOf, type Offer } from "./Offer.ts"
import { OffersRepo } from "./OffersRepo.ts"
import { getOffer, storeOffer } from "./writeOffer.ts"

const shownWeak = 10
const shownMissions = 5

const lineOf = ({ message, path }: Finding): string => `${path}: ${message}`

/**
 * Publishes a draft. Findings of severity error make it fail with WRONG_STATE, which lists them and the warnings; otherwise
 * warnings become warnings of the result. A published offer stays as it is.
 */
export const publishOffer = Effect.fnUntraced(function* (
  offerId: OfferId
): Effect.fn.Return<Offer, StoreFailure | NotFound | WrongState, Actor | Execution | OffersRepo> {
  const offer = yield* getOffer(offerId)
  if (!offer.isDraft) return offer
  const { findings } = checkOffer(offer)
  const errors = findings.filter(({ severity }) => severity === "error")
  const weak = findings
    .filter(({ severity }) => severity === "warning")
    .slice(0, shownWeak)
    .map(lineOf)
  if (errors.length > 0) {
    const parts = errors.slice(0, shownWeak).map(lineOf)
    return yield* new WrongState({
      message:
        `The offer cannot be published yet. ${parts.join(" ")} Change it with offer.update; offer.check lists all ` +
        "findings.",
      warnings: [...parts, ...weak]
    })
  }
  const published = yield* storeOffer(offer, { ...contentOf(offer), isDraft: false }, { published: true })
  for (const line of weak) yield* warn(`weak_part: ${line}`)
  return published
})

/** Deletes an offer that no mission links, not even an archived one. Fails with NOT_FOUND and WRONG_STATE. */
export const deleteUnusedOffer = Effect.fnUntraced(function* (offerId: OfferId) {
  const { organizationId } = yield* Actor
  const { users } = yield* orNotFound("offer", offerId, (yield* OffersRepo).holdForDeletion(organizationId, offerId))
  if (users.length > 0) return yield* new WrongState({ message: "Missions use the offer." })
  yield* deleteOffer(offerId)
})

/**
 * Deletes an offer. Archived missions that linked it have no offer from then on: each emits an event, and a warning counts
 * them. Fails with NOT_FOUND, and with OFFER_IN_USE while a mission that is not archived links it.
 */
export const deleteOffer = Effect.fnUntraced(function* (
  offerId: OfferId
): Effect.fn.Return<string, StoreFailure | NotFound | OfferInUse, Actor | Execution | OffersRepo> {
  const { organizationId } = yield* Actor
  const repo = yield* OffersRepo
  const { offer, users } = yield* orNotFound("offer", offerId, repo.holdForDeletion(organizationId, offerId))
  const live = users.filter(({ isArchived }) => !isArchived)
  if (live.length > 0) {
    const handles = live.slice(0, shownMissions).map(({ handle }) => handle)
    const more = live.length > handles.length ? ` and ${live.length - handles.length} more` : ""
    return yield* new OfferInUse({
      offerId: offer.id,
      missions: handles,
      message:
        `Missions that are not archived use the offer: ${handles.join(", ")}${more}. Link another offer to them with ` +
        "mission.update, or archive them first."
    })
  }
  yield* repo.remove(organizationId, offer.id, yield* now)
  yield* emit({
    type: "offer.updated",
    subject: { type: "offer", id: offer.id },
    data: { name: offer.name, deleted: true }
  })
  for (const { handle, id } of users) {
    yield* emit({ type: "mission.updated", subject: { type: "mission", id }, data: { handle, offer_id: null } })
  }
  if (users.length > 0) yield* warn(`unlinked: ${users.length} archived missions no longer have an offer.`)
  return offer.id
})
