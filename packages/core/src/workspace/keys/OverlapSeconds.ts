/** How long an old secret stays valid after a rotation. */
import * as Schema from "effect/Schema"

/** Seconds of a day. */
export const daySeconds = 24 * 60 * 60

/** Input field `overlap_seconds`, of keys and of webhooks. */
export const OverlapSeconds = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 * daySeconds })).annotate({
    description: "Seconds for which the old secret stays valid, 0 to 604800; default 86400"
  })
)
