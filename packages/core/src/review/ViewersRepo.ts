/** Who looks at which item of the review queue: a port. It sees only one organization. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ActorIdentity } from "../kernel/command/Actor.ts"
import type { StoreFailure } from "../kernel/failure/failures.ts"
import type { InstantText, OrganizationId } from "../kernel/schema/RecordIds.ts"
import { Instant } from "../kernel/schema/Time.ts"

/** Somebody who looks at an item: the name of the key, else the id of the user. */
export interface Viewer {
  readonly name: string
  readonly since: InstantText
}

/** Whose look it is: a key or, without one, a user. */
export interface Looking {
  readonly itemId: string
  readonly viewerId: string
}

/** Stores looks, which expire. One statement each. Fails with UNAVAILABLE when the store cannot be reached. */
export class ViewersRepo extends Context.Service<
  ViewersRepo,
  {
    /** Notes a look until an instant, forgets those that are over, and returns the others, the earliest first. */
    readonly look: (
      organizationId: OrganizationId,
      looking: Looking,
      at: InstantText,
      until: InstantText
    ) => Effect.Effect<ReadonlyArray<Viewer>, StoreFailure>
    /** The others who look at an item, the earliest first. */
    readonly others: (
      organizationId: OrganizationId,
      looking: Looking,
      at: InstantText
    ) => Effect.Effect<ReadonlyArray<Viewer>, StoreFailure>
  }
>()("@svc/core/review/ViewersRepo") {}

/** Seconds that a look lasts. */
export const lookSeconds = 30

/** Others who look at an item. */
export const Viewers = Schema.Array(
  Schema.Struct({
    name: Schema.String.annotate({ description: "Name of the key, or id of the user without one" }),
    since: Instant
  })
).annotate({ description: "Others who look at the item right now" })

/** The actor's own look. */
export const lookOf = ({ keyId, userId }: ActorIdentity, itemId: string): Looking => ({
  itemId,
  viewerId: keyId ?? userId
})
