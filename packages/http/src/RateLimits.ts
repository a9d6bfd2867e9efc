/**
 * How many requests a key and an organization may make: token buckets, in this process or in a shared store.
 *
 * A key has `requestsPerMinute` with a burst of a fifth; an organization four times that. Source: G40; contract 1.11, 7.
 */
import type { ActorIdentity } from "@svc/core/Actor"
import { type Failure, fail } from "@svc/core/Failure"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RateLimiter from "effect/persistence/RateLimiter"

/** Headers that say how much is left. */
export type LimitHeaders = Readonly<Record<string, string>>

/** Takes one request from an actor's buckets. */
export interface RateLimits {
  /** The headers of every answer; fails with RATE_LIMITED, which says when to come back. */
  readonly take: (
    actor: ActorIdentity
  ) => Effect.Effect<LimitHeaders, { readonly failure: Failure; readonly headers: LimitHeaders }>
}

interface Bucket {
  readonly key: string
  readonly perMinute: number
}

const burstOf = (perMinute: number): number => Math.max(1, Math.floor(perMinute / 5))

const headersOf = ({ perMinute }: Bucket, remaining: number, resetSeconds: number): LimitHeaders => ({
  "ratelimit-policy": `"key";q=${perMinute};w=60`,
  ratelimit: `"key";r=${remaining};t=${resetSeconds}`,
  "x-ratelimit-limit": String(perMinute),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(resetSeconds)
})

/** Limits over the limiter's store; none at all when `requestsPerMinute` is 0. */
export const make = (requestsPerMinute: number): Effect.Effect<RateLimits, never, RateLimiter.RateLimiter> =>
  Effect.map(RateLimiter.RateLimiter, (limiter) => {
    if (requestsPerMinute === 0) return { take: () => Effect.succeed({}) }
    const consume = (bucket: Bucket) => {
      const burst = burstOf(bucket.perMinute)
      return limiter
        .consume({
          algorithm: "token-bucket",
          key: bucket.key,
          limit: burst,
          window: Duration.millis((burst * 60_000) / bucket.perMinute)
        })
        .pipe(
          Effect.map((left) => headersOf(bucket, left.remaining, Math.ceil(Duration.toSeconds(left.resetAfter)))),
          Effect.catchTag("RateLimiterError", ({ reason }) => {
            // A limiter whose store is gone must not take the service down with it.
            if (reason._tag !== "RateLimitExceeded") return Effect.succeed<LimitHeaders>({})
            const seconds = Math.max(1, Math.ceil(Duration.toSeconds(reason.retryAfter)))
            const failure = fail(
              "RATE_LIMITED",
              `More than ${bucket.perMinute} requests a minute. Wait ${seconds} s, then repeat the request.`,
              { retryAfterSeconds: seconds }
            )
            return Effect.fail({ failure, headers: headersOf(bucket, 0, seconds) })
          })
        )
    }
    return {
      take: ({ keyId, organizationId, userId }) =>
        Effect.andThen(
          consume({ key: `org/${organizationId}`, perMinute: requestsPerMinute * 4 }),
          consume({ key: `key/${keyId ?? `${organizationId}/${userId}`}`, perMinute: requestsPerMinute })
        )
    }
  })
