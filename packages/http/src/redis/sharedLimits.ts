/**
 * Rate limits that several servers share: their buckets are in Redis (`SVC_REDIS_URL`).
 *
 * A limit must not take the service down: while Redis does not answer, each server counts for itself, which is said once
 * in the log, and asks again every two seconds beside that. Source: contract 1.11.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redis from "effect/persistence/Redis"
import { makeRedisClient, type RedisClient } from "./RedisClient.ts"
import type { RedisTarget } from "./RedisUrl.ts"

type Store = RateLimiter.RateLimiterStore["Service"]

/** How long Redis is left alone after it did not answer, in milliseconds. */
const rest = 2_000

/** Effect's service over the client: no more of it than the limits need. */
const service = (client: RedisClient) => {
  const none = Effect.fail(new Redis.RedisError({ cause: new Error("not offered by this client") }))
  return Redis.make({
    // What a command answers is known to whoever sends it.
    send: <A>(command: string, ...args: ReadonlyArray<string>) =>
      Effect.tryPromise({
        try: () => client.send([command, ...args]) as Promise<A>,
        catch: (cause) => new Redis.RedisError({ cause })
      }),
    subscribe: () => none,
    connect: none
  })
}

/** A store that goes to Redis, and to the process where that fails. */
const guarded = (shared: Store, own: Store, label: string): Store => {
  let isDown = false
  let askAgainAt = 0
  const fell = (cause: unknown, at: number) =>
    Effect.suspend(() => {
      askAgainAt = at + rest
      if (isDown) return Effect.void
      isDown = true
      return Effect.logWarning("rate limits are not shared: Redis does not answer, so this process counts for itself", {
        redis: label,
        reason: cause instanceof Error ? cause.message : "unknown"
      })
    })
  const rose = Effect.suspend(() => {
    if (!isDown) return Effect.void
    isDown = false
    return Effect.logInfo("rate limits are shared again", { redis: label })
  })
  return {
    ...own,
    tokenBucket: (options) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        if (isDown && at < askAgainAt) return own.tokenBucket(options)
        // Of those who come meanwhile only this one waits for an answer.
        if (isDown) askAgainAt = at + rest
        return shared.tokenBucket(options).pipe(
          Effect.tap(() => rose),
          Effect.catch((error) => Effect.andThen(fell(rootOf(error), at), own.tokenBucket(options)))
        )
      })
  }
}

/** The innermost cause of an error: what the client said. */
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

/** Limits over Redis. Opens a connection with the first request. */
export const layer = (target: RedisTarget): Layer.Layer<RateLimiter.RateLimiter> => {
  const store = Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const own = yield* RateLimiter.RateLimiterStore
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => makeRedisClient(target)),
        ({ close }) => Effect.sync(close)
      )
      const redis = yield* service(client)
      const shared = yield* Effect.provideService(
        RateLimiter.makeStoreRedis({ prefix: "svc:limit:" }),
        Redis.Redis,
        redis
      )
      return guarded(shared, own, target.label)
    })
  )
  return RateLimiter.layer.pipe(Layer.provide(store), Layer.provide(RateLimiter.layerStoreMemory))
}
