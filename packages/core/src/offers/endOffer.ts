/** Publishing and deleting offers: the rules that commands and REST share. Source: catalogue 4.1 (offer.publish, offer.delete). */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, emit, warn } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import type { Finding } from "../Finding.ts"
import { changedAt, now } from "../Time.ts"
import { checkOffer } from "./check/checkOffer.ts"
import type { Offer } from "./Offer.ts"
import { OffersRepo } from "./OffersRepo.ts"
import { getOffer } from "./writeOffer.ts"

const shownWeak = 10
const shownMissions = 5

const lineOf = ({ message, path }: Finding): string => `${path}: ${message}`

/**
 * Makes a draft an offer that is ready to be used. What a prospect would stumble over refuses it (WRONG_STATE, with every
 * missing and weak part); what is merely weak becomes warnings. An offer that is published stays as it is.
 */
export const publishOffer = Effect.fnUntraced(function* (
  offerId: string
): Effect.fn.Return<Offer, Failure, Actor | Execution | OffersRepo> {
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
    return yield* fail(
      "WRONG_STATE",
      `The offer cannot be published yet. ${parts.join(" ")} Change it with offer.update; offer.check says the rest.`,
      { warnings: [...parts, ...weak] }
    )
  }
  const published: Offer = { ...offer, isDraft: false, updatedAt: changedAt(offer.updatedAt, yield* now) }
  if (!(yield* (yield* OffersRepo).replace(published, offer.updatedAt))) return yield* fail("VERSION_CONFLICT")
  yield* emit({
    type: "offer.updated",
    subject: { type: "offer", id: offer.id },
    data: { name: offer.name, published: true }
  })
  for (const line of weak) yield* warn(`weak_part: ${line}`)
  return published
})

/**
 * Deletes an offer for good. Archived missions that proposed it propose nothing from then on; each says so with an event,
 * and a warning counts them. Fails with NOT_FOUND, and with OFFER_IN_USE while a mission that is not archived links it.
 */
export const deleteOffer = Effect.fnUntraced(function* (
  offerId: string
): Effect.fn.Return<string, Failure, Actor | Execution | OffersRepo> {
  const { organizationId } = yield* Actor
  const repo = yield* OffersRepo
  const held = yield* repo.holdForDeletion(organizationId, offerId)
  if (held === undefined) return yield* notFound("offer", offerId)
  const { offer, users } = held
  const live = users.filter(({ isArchived }) => !isArchived)
  if (live.length > 0) {
    const handles = live.slice(0, shownMissions).map(({ handle }) => handle)
    const more = live.length > handles.length ? ` and ${live.length - handles.length} more` : ""
    return yield* fail(
      "OFFER_IN_USE",
      `Missions that are not archived propose the offer: ${handles.join(", ")}${more}. Link another offer to them with mission.update, or archive them first.`
    )
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
  if (users.length > 0) yield* warn(`unlinked: ${users.length} archived missions no longer propose an offer.`)
  return offer.id
})
