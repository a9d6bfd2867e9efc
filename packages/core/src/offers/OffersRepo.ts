/** The repository of offers: a port. Every method sees only one organization. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { InstantText, MissionId, OfferId, OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { StoredJson } from "../kernel/schema/Json.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { Offer } from "./Offer.ts"

/** Filters of a list; `query` is part of the name or the one-liner, ignoring case. */
interface OfferFilter {
  readonly query: string | undefined
  readonly isDraft: boolean | undefined
}

/** A mission that links an offer. */
export interface OfferUser {
  readonly id: MissionId
  readonly handle: string
  readonly isArchived: boolean
}

/** Stores offers. Fails with UNAVAILABLE when the store cannot be reached. */
export class OffersRepo extends Context.Service<
  OffersRepo,
  {
    readonly find: (organizationId: OrganizationId, offerId: OfferId) => Effect.Effect<Offer | undefined, StoreFailure>
    /** Like `find`, but locks the offer against deletion until the transaction ends, to link it. */
    readonly hold: (organizationId: OrganizationId, offerId: OfferId) => Effect.Effect<Offer | undefined, StoreFailure>
    /**
     * Like `find`, but locks the offer against changes, deletion and linking until the transaction ends; `users` are the
     * missions that link it, by handle.
     */
    readonly holdForDeletion: (
      organizationId: OrganizationId,
      offerId: OfferId
    ) => Effect.Effect<{ readonly offer: Offer; readonly users: ReadonlyArray<OfferUser> } | undefined, StoreFailure>
    /** Stores a new offer. If its id is taken, stores nothing and returns the offer that has it. */
    readonly insert: (offer: Offer) => Effect.Effect<Offer | undefined, StoreFailure>
    /** Replaces an offer except `lastUsedAt`; returns false if it changed since `seenUpdatedAt`. */
    readonly replace: (offer: Offer, seenUpdatedAt: InstantText) => Effect.Effect<boolean, StoreFailure>
    /**
     * Records that a mission linked the offer at `at`; an earlier instant than the stored one changes nothing. `updatedAt`
     * stays.
     */
    readonly touch: (organizationId: OrganizationId, offerId: OfferId, at: string) => Effect.Effect<void, StoreFailure>
    /** Deletes a locked offer and unlinks it from its missions at `at`. */
    readonly remove: (organizationId: OrganizationId, offerId: OfferId, at: string) => Effect.Effect<void, StoreFailure>
    /** Newest first; as stored JSON where the store has that. */
    readonly list: (
      organizationId: OrganizationId,
      filter: OfferFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Offer | StoredJson<Offer>>, StoreFailure>
  }
>()("@svc/core/offers/OffersRepo") {}
