/**
 * How many requests a key and an organization may make: token buckets, in this process or in a shared store.
 *
 * A key has `requestsPerMinute` with a burst of a fifth; an organization four times that. Commands that reach outside have
 * 60 a minute for each key, imports among them 10, which may come at once. Source: G40; contract 1.11, 7.
 */
import type { ActorIdentity } from "@svc/core/Actor"
import type { AnyCommand } from "@svc/core/Command"
import { type Failure, fail } from "@svc/core/Failure"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RateLimiter from "effect/persistence/RateLimiter"

/** Headers that say how much is left. */
export type LimitHeaders = Readonly<Record<string, string>>

/** A refusal, with what the answer says of the limit. */
export interface LimitReached {
  readonly failure: Failure
  readonly headers: LimitHeaders
}

/** Takes one request from an actor's buckets. */
export interface RateLimits {
  /** The headers of every answer; fails with RATE_LIMITED, which says when to come back. */
  readonly take: (actor: ActorIdentity) => Effect.Effect<LimitHeaders, LimitReached>
  /** Beside that, for a command that reaches outside; for any other it does nothing. */
  readonly takeOutward: (
    actor: ActorIdentity,
    command: Pick<AnyCommand, "category" | "outward">
  ) => Effect.Effect<void, LimitReached>
}

const gatewayPerMinute = 60
const importsPerMinute = 10

interface Bucket {
  readonly key: string
  readonly perMinute: number
  /** How many may come at once. */
  readonly burst: number
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
    if (requestsPerMinute === 0) return { take: () => Effect.succeed({}), takeOutward: () => Effect.void }
    const consume = (bucket: Bucket): Effect.Effect<LimitHeaders, LimitReached> =>
      limiter
        .consume({
          algorithm: "token-bucket",
          key: bucket.key,
          limit: bucket.burst,
          window: Duration.millis((bucket.burst * 60_000) / bucket.perMinute)
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
    const bucketOf = (key: string, perMinute: number): Bucket => ({ key, perMinute, burst: burstOf(perMinute) })
    const callerOf = ({ keyId, organizationId, userId }: ActorIdentity): string =>
      keyId ?? `${organizationId}/${userId}`
    return {
      take: (actor) =>
        Effect.andThen(
          consume(bucketOf(`org/${actor.organizationId}`, requestsPerMinute * 4)),
          consume(bucketOf(`key/${callerOf(actor)}`, requestsPerMinute))
        ),
      takeOutward: (actor, { category, outward }) => {
        if (!outward) return Effect.void
        const isImport = category === "imports"
        const perMinute = isImport ? importsPerMinute : gatewayPerMinute
        const key = `${isImport ? "imports" : "gateway"}/${callerOf(actor)}`
        return Effect.asVoid(consume({ key, perMinute, burst: perMinute }))
      }
    }
  })
