/** The review queue: a port. It sees only one organization. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { OrganizationId } from "../kernel/schema/RecordIds.ts"
import type { ReviewEntry, ReviewFilter, ReviewTab } from "./ReviewEntry.ts"

/** How many items each tab has, and how many of the approved ones leave today. */
export type ReviewCounts = Readonly<Record<ReviewTab | "leavingToday", number>>

/** Reads the review queue, in one statement each. Fails with UNAVAILABLE when the store cannot be reached. */
export class ReviewRepo extends Context.Service<
  ReviewRepo,
  {
    /**
     * A page of a tab, by place and id: the oldest first, of `sent`, `replies` and `problems` the newest first. Of
     * `approved`, the place is when the item is next worked on.
     */
    readonly list: (
      organizationId: OrganizationId,
      tab: ReviewTab,
      filter: ReviewFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ReviewEntry>, StoreFailure>
    /**
     * Counts the items of each tab. `leaving` are the transmissions that leave today; queued emails count by their time, on
     * the agent's day.
     */
    readonly counts: (
      organizationId: OrganizationId,
      filter: ReviewFilter,
      leaving: ReadonlyArray<string>
    ) => Effect.Effect<ReviewCounts, StoreFailure>
    /** One item, whatever its state; its place is its creation. */
    readonly find: (
      organizationId: OrganizationId,
      itemId: string,
      at: string
    ) => Effect.Effect<ReviewEntry | undefined, StoreFailure>
  }
>()("@svc/core/review/ReviewRepo") {}
