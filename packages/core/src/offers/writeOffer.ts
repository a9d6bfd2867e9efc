/** Creating and updating offers: the rules for all surfaces. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { FieldNames } from "../kernel/command/Delegation.ts"
import { Actor, emit, ownRecord, warn } from "../kernel/command/Execution.ts"
import { DuplicateId, InvalidInput, VersionConflict, WrongState } from "../kernel/failure/failures.ts"
import type { Finding } from "../kernel/schema/Finding.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import { changedAt, Ids, now, type OfferId } from "../kernel/schema/IdsAndTime.ts"
import { checkOffer } from "./check/checkOffer.ts"
import { OfferInUse } from "./failures.ts"
import { contentOf, type Offer, type OfferContent, OffersRepo } from "./Offer.ts"
import { applyWrite, emptyContent, type OfferWrite } from "./OfferInput.ts"

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

/** States a change of an offer. */
const told = (type: "offer.created" | "offer.updated", { id, name }: Offer, details = {}) =>
  emit({ type, subject: { type: "offer", id }, data: { name, ...details } })

/** Creates an offer. With the caller's own id it is idempotent: the same content returns the existing offer. */
export const createOffer = Effect.fnUntraced(function* (sent: OfferWrite, offerId?: OfferId) {
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
  yield* told("offer.created", offer)
  return offer
})

/** Updates an offer. Without a change nothing is written and no event is emitted. */
export const updateOffer = Effect.fnUntraced(function* (offerId: OfferId, write: OfferWrite) {
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
const storeOffer = Effect.fnUntraced(function* (
  offer: Offer,
  content: OfferContent,
  details: Readonly<Record<string, unknown>> = {}
) {
  const changed: Offer = { ...offer, ...content, updatedAt: changedAt(offer.updatedAt, yield* now) }
  if (!(yield* (yield* OffersRepo).replace(changed, offer.updatedAt))) return yield* new VersionConflict()
  yield* told("offer.updated", changed, details)
  return changed
})

/** Reads an offer. Fails with NOT_FOUND. */
export const getOffer = (offerId: OfferId) =>
  Effect.flatMap(OffersRepo, ({ find }) => ownRecord("offer", offerId, find))

/** Reads an offer and locks it against deletion until the transaction ends, to link it. Fails with NOT_FOUND. */
export const holdOffer = (offerId: OfferId) =>
  Effect.flatMap(OffersRepo, ({ hold }) => ownRecord("offer", offerId, hold))

const shownWeak = 10

const shownMissions = 5

const lineOf = ({ message, path }: Finding): string => `${path}: ${message}`

/**
 * Publishes a draft. Findings of severity error make it fail with WRONG_STATE, which lists them and the warnings; otherwise
 * warnings become warnings of the result. A published offer stays as it is.
 */
export const publishOffer = Effect.fnUntraced(function* (offerId: OfferId) {
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
  const { users } = yield* ownRecord("offer", offerId, (yield* OffersRepo).holdForDeletion)
  if (users.length > 0) return yield* new WrongState({ message: "Missions use the offer." })
  yield* deleteOffer(offerId)
})

/**
 * Deletes an offer. Archived missions that linked it have no offer from then on: each emits an event, and a warning counts
 * them. Fails with NOT_FOUND, and with OFFER_IN_USE while a mission that is not archived links it.
 */
export const deleteOffer = Effect.fnUntraced(function* (offerId: OfferId) {
  const { organizationId } = yield* Actor
  const repo = yield* OffersRepo
  const { offer, users } = yield* ownRecord("offer", offerId, repo.holdForDeletion)
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
  yield* told("offer.updated", offer, { deleted: true })
  for (const { handle, id } of users) {
    yield* emit({ type: "mission.updated", subject: { type: "mission", id }, data: { handle, offer_id: null } })
  }
  if (users.length > 0) yield* warn(`unlinked: ${users.length} archived missions no longer have an offer.`)
  return offer.id
})
