/** Who looks at an item of the review queue. */
import * as Schema from "effect/Schema"
import type { ActorIdentity } from "../kernel/command/Actor.ts"
import { Instant } from "../kernel/schema/Time.ts"
import type { Looking } from "./ViewersRepo.ts"

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
