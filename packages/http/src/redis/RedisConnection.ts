/**
 * Effect's Redis service over node-redis. The first command opens a connection; a failure closes it.
 *
 * Reconnecting and queueing by node-redis are off: a request that waits for its rate limit needs the failure at once.
 */

import { isIP } from "node:net"
import { optionalPackage, type Unavailable } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redis from "effect/persistence/Redis"
import * as Redacted from "effect/Redacted"
import type { RedisTarget } from "./RedisUrl.ts"

type NodeRedis = typeof import("redis")

const load = async (): Promise<NodeRedis> => {
  try {
    return await import("redis")
  } catch (cause) {
    return Promise.reject(cause)
  }
}

const clientOf = (
  { createClient }: NodeRedis,
  { database, host, isSecure, password, port, username }: RedisTarget,
  timeout: number
) => {
  const socket = { host, port, connectTimeout: timeout, reconnectStrategy: false } as const
  return createClient({
    socket: isSecure ? { ...socket, tls: true, ...(isIP(host) === 0 ? { servername: host } : {}) } : socket,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password: Redacted.value(password) }),
    database,
    // The protocol that every server and proxy supports, and no commands beyond login and limits: the user may not be
    // allowed others.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: "disabled"
  })
}

interface Connection {
  readonly client: ReturnType<typeof clientOf>
  readonly ready: Promise<unknown>
}

/** One line for logs. The error for a host with several addresses has a code and no message. */
const reasonOf = (cause: unknown): string => {
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(cause)
  return String(message || code || "unknown").slice(0, 200)
}

const failed = (reason: string): Redis.RedisError => new Redis.RedisError({ cause: new Error(reason) })

/**
 * The service, which only sends commands. A failure's cause is an Error without secrets. `timeout`, in milliseconds, bounds
 * each command including connecting. Fails with UNAVAILABLE when the client is not installed.
 */
export const makeRedis = Effect.fnUntraced(function* (target: RedisTarget, timeout = 500) {
  const redis = yield* optionalPackage("redis", "SVC_REDIS_URL", load)
  let current: Connection | undefined
  const drop = ({ client }: Connection) => {
    if (current?.client === client) current = undefined
    if (client.isOpen) client.destroy()
  }
  const open = (): Connection => {
    const client = clientOf(redis, target, timeout)
    // Errors between commands. An error during a command also fails that command.
    client.on("error", () => drop(connection))
    const connection = { client, ready: client.connect() }
    connection.ready.catch(() => undefined)
    return connection
  }
  yield* Effect.addFinalizer(() => Effect.sync(() => current && drop(current)))
  const send = <A>(command: string, ...args: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      current ??= open()
      const connection = current
      return Effect.tryPromise({
        try: () => connection.ready.then(() => connection.client.sendCommand<A>([command, ...args])),
        catch: (cause) => {
          // An error reply leaves the connection usable, unless the login failed.
          if (!(cause instanceof redis.ErrorReply && connection.client.isReady)) drop(connection)
          return failed(reasonOf(cause))
        }
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => {
            drop(connection)
            return Effect.fail(failed(`Redis did not respond within ${timeout} ms.`))
          }
        })
      )
    })
  const none = Effect.fail(failed("This service only sends commands."))
  return yield* Redis.make({ send, subscribe: () => none, connect: none })
})

type Store = RateLimiter.RateLimiterStore["Service"]

/** Milliseconds between attempts while Redis does not respond. */
const retryDelay = 2_000

/**
 * The store that several servers share. While Redis does not respond, each counts separately, logs that once, and retries
 * every two seconds.
 */
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
