/**
 * Rate limits that several servers share in Redis (`SVC_REDIS_URL`).
 *
 * While Redis does not respond, each server counts separately, logs that once, and retries every two seconds.
 */
import type { Unavailable } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redis from "effect/persistence/Redis"
import { makeRedis } from "./RedisConnection.ts"
import type { RedisTarget } from "./RedisUrl.ts"

type Store = RateLimiter.RateLimiterStore["Service"]

/** Milliseconds between attempts while Redis does not respond. */
const retryDelay = 2_000

/** The shared store, with the local one as a fallback. */
const withFallback = (shared: Store, own: Store, label: string): Store => {
  let isDown = false
  let retryAt = 0
  const onFailure = (cause: unknown, at: number) =>
    Effect.suspend(() => {
      retryAt = at + retryDelay
      if (isDown) return Effect.void
      isDown = true
      return Effect.logWarning(
        "Rate limits are not shared: Redis does not respond, so this process counts separately",
        {
          redis: label,
          reason: cause instanceof Error ? cause.message : "unknown"
        }
      )
    })
  const onSuccess = Effect.suspend(() => {
    if (!isDown) return Effect.void
    isDown = false
    return Effect.logInfo("Rate limits are shared again", { redis: label })
  })
  return {
    ...own,
    tokenBucket: (options) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        if (isDown && at < retryAt) return own.tokenBucket(options)
        // Only this request tries Redis again.
        if (isDown) retryAt = at + retryDelay
        return shared.tokenBucket(options).pipe(
          Effect.tap(() => onSuccess),
          Effect.catch((error) => Effect.andThen(onFailure(rootOf(error), at), own.tokenBucket(options)))
        )
      })
  }
}

/** The innermost cause: the error of the client. */
const rootOf = (error: unknown): unknown => {
  let root = error
  for (let depth = 0; depth < 8; depth++) {
    const { cause, reason }: { readonly cause?: unknown; readonly reason?: unknown } = Object(root)
    const inner = cause ?? reason
    if (inner === undefined) return root
    root = inner
  }
  return root
}

/** Limits in Redis. Connects on the first request. Fails with UNAVAILABLE when the client is not installed. */
export const layer = (target: RedisTarget): Layer.Layer<RateLimiter.RateLimiter, Unavailable> => {
  const store = Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const own = yield* RateLimiter.RateLimiterStore
      const redis = yield* makeRedis(target)
      const shared = yield* Effect.provideService(
        RateLimiter.makeStoreRedis({ prefix: "svc:limit:" }),
        Redis.Redis,
        redis
      )
      return withFallback(shared, own, target.label)
    })
  )
  return RateLimiter.layer.pipe(Layer.provide(store), Layer.provide(RateLimiter.layerStoreMemory))
}
