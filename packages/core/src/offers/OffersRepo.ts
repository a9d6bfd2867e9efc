/** Offers of organizations: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Offer } from "./Offer.ts"

/** Which offers of a list: `query` is a part of name or one-liner in any case. */
export interface OfferFilter {
  readonly query: string | undefined
  readonly isDraft: boolean | undefined
}

/** A mission that links an offer. */
export interface OfferUser {
  readonly id: string
  readonly handle: string
  readonly isArchived: boolean
}

/** Stores offers. Fails with UNAVAILABLE when the store cannot be reached. */
export class OffersRepo extends Context.Service<
  OffersRepo,
  {
    readonly find: (organizationId: string, offerId: string) => Effect.Effect<Offer | undefined, Failure>
    /** As `find`, and keeps the offer from being deleted by others until the transaction ends: for linking it. */
    readonly hold: (organizationId: string, offerId: string) => Effect.Effect<Offer | undefined, Failure>
    /**
     * As `find`, and keeps the offer from being changed, deleted or linked by others until the transaction ends; then
     * `users` are the missions that link it, by handle.
     */
    readonly holdForDeletion: (
      organizationId: string,
      offerId: string
    ) => Effect.Effect<{ readonly offer: Offer; readonly users: ReadonlyArray<OfferUser> } | undefined, Failure>
    /** Stores a new offer. When its id is taken nothing is stored and the offer that has it is answered. */
    readonly insert: (offer: Offer) => Effect.Effect<Offer | undefined, Failure>
    /** Replaces an offer but for `lastUsedAt`, unless it changed since `seenUpdatedAt`: answers false then. */
    readonly replace: (offer: Offer, seenUpdatedAt: string) => Effect.Effect<boolean, Failure>
    /**
     * Notes that a mission linked the offer at `at`; an earlier instant than the one stored changes nothing. The offer's
     * `updatedAt` stays.
     */
    readonly touch: (organizationId: string, offerId: string, at: string) => Effect.Effect<void, Failure>
    /** Deletes an offer that is held. Missions that linked it link nothing from `at` on. */
    readonly remove: (organizationId: string, offerId: string, at: string) => Effect.Effect<void, Failure>
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: OfferFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Offer>, Failure>
  }
>()("@svc/core/offers/OffersRepo") {}
