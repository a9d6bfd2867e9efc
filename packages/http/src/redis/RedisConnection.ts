/**
 * Effect's Redis service over node-redis. The first command opens a connection; a failure closes it.
 *
 * Reconnecting and queueing by node-redis are off: a request that waits for its rate limit needs the failure at once.
 */
import { isIP } from "node:net"
import { optionalPackage, type Unavailable } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Redis from "effect/persistence/Redis"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
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
export const makeRedis = (
  target: RedisTarget,
  timeout = 500
): Effect.Effect<Redis.Redis["Service"], Unavailable, Scope.Scope> =>
  Effect.gen(function* () {
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
