/**
 * Authenticates a key: from its text to its actor.
 *
 * A key is cached for half a second, so that a burst of requests needs only one lookup, and a revoked key is refused
 * everywhere within a second. Unknown, malformed and foreign keys fail alike.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ActorIdentity } from "../../kernel/command/Actor.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { type StoreFailure, Unauthenticated } from "../../kernel/failure/failures.ts"
import type { KeyId } from "../../kernel/schema/RecordIds.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { type ApiKey, actorOfKey, parseKey, refusalOfKey } from "./ApiKey.ts"
import { Workspaces } from "./Workspaces.ts"

/** Fails with UNAUTHENTICATED, KEY_EXPIRED or KEY_REVOKED, and with UNAVAILABLE when the store is unreachable. */
export class Authentication extends Context.Service<
  Authentication,
  {
    readonly authenticate: (keyText: string) => Effect.Effect<ActorIdentity, Failure>
  }
>()("@svc/core/workspace/Authentication") {}

interface CachedKey {
  readonly key: ApiKey
  readonly readAt: number
}

/** How long a key is cached, in milliseconds. */
const cacheMillis = 500
/** How often the last use of a key is recorded, in milliseconds. */
const touchInterval = 60_000
/** Maximum cached keys; then the cache is cleared. */
const capacity = 10_000

/** Looks keys up in the store. */
export const layer: Layer.Layer<Authentication, never, Workspaces> = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const cache = new Map<string, CachedKey>()
    const touched = new Map<string, number>()

    const keyOf = Effect.fnUntraced(function* (
      keyId: KeyId,
      now: number
    ): Effect.fn.Return<ApiKey | undefined, StoreFailure> {
      const known = cache.get(keyId)
      if (known !== undefined && now - known.readAt < cacheMillis && now >= known.readAt) return known.key
      const key = yield* workspaces.findKey(keyId)
      if (key === undefined) return undefined
      if (cache.size >= capacity) cache.clear()
      cache.set(keyId, { key, readAt: now })
      return key
    })

    const touch = (keyId: KeyId, now: number): Effect.Effect<void> => {
      if (now - (touched.get(keyId) ?? Number.NEGATIVE_INFINITY) < touchInterval) return Effect.void
      if (touched.size >= capacity) touched.clear()
      touched.set(keyId, now)
      return Effect.asVoid(Effect.forkDetach(Effect.ignore(workspaces.touchKey(keyId, isoFromMillis(now)))))
    }

    return Authentication.of({
      authenticate: Effect.fnUntraced(function* (keyText) {
        const parsed = parseKey(keyText)
        if (parsed === undefined) return yield* new Unauthenticated()
        const now = yield* Clock.currentTimeMillis
        let key = yield* keyOf(parsed.keyId, now)
        let refused = refusalOfKey(key, parsed.secret, isoFromMillis(now))
        if (refused !== undefined && cache.delete(parsed.keyId)) {
          // The cached key may be older than a rotation, so only the stored key can be refused.
          key = yield* keyOf(parsed.keyId, now)
          refused = refusalOfKey(key, parsed.secret, isoFromMillis(now))
        }
        if (refused !== undefined || key === undefined) return yield* refused ?? new Unauthenticated()
        yield* touch(key.keyId, now)
        return actorOfKey(key)
      })
    })
  })
)
