/**
 * From the text of a key to the actor it stands for.
 *
 * A key is remembered for half a second, so a burst of requests costs one look-up and a key that was revoked anywhere is
 * refused everywhere within a second. Unknown, malformed and foreign keys read alike. Source: contract 1.8, G36.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ActorIdentity } from "../Actor.ts"
import { type Failure, fail } from "../Failure.ts"
import { isoFromMillis } from "../Time.ts"
import { type ApiKey, actorOfKey, parseKey, refusalOfKey } from "./ApiKey.ts"
import { Workspaces } from "./Workspaces.ts"

/** Knows keys. Fails with UNAUTHENTICATED, KEY_EXPIRED or KEY_REVOKED, and with UNAVAILABLE without a store. */
export class Authentication extends Context.Service<
  Authentication,
  {
    readonly authenticate: (keyText: string) => Effect.Effect<ActorIdentity, Failure>
  }
>()("@svc/core/workspace/Authentication") {}

interface Remembered {
  readonly key: ApiKey
  readonly readAt: number
}

/** How long a key is remembered, in milliseconds. */
const memory = 500
/** How often its last use is noted, in milliseconds. */
const touchInterval = 60_000
/** How many keys are remembered; then all are forgotten. */
const capacity = 10_000

/** Looks keys up in the store. */
export const layer: Layer.Layer<Authentication, never, Workspaces> = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const remembered = new Map<string, Remembered>()
    const touched = new Map<string, number>()

    const keyOf = Effect.fnUntraced(function* (
      keyId: string,
      now: number
    ): Effect.fn.Return<ApiKey | undefined, Failure> {
      const known = remembered.get(keyId)
      if (known !== undefined && now - known.readAt < memory && now >= known.readAt) return known.key
      const key = yield* workspaces.findKey(keyId)
      if (key === undefined) return undefined
      if (remembered.size >= capacity) remembered.clear()
      remembered.set(keyId, { key, readAt: now })
      return key
    })

    const touch = (keyId: string, now: number): Effect.Effect<void> => {
      if (now - (touched.get(keyId) ?? Number.NEGATIVE_INFINITY) < touchInterval) return Effect.void
      if (touched.size >= capacity) touched.clear()
      touched.set(keyId, now)
      return Effect.asVoid(Effect.forkDetach(Effect.ignore(workspaces.touchKey(keyId, isoFromMillis(now)))))
    }

    return Authentication.of({
      authenticate: Effect.fnUntraced(function* (keyText) {
        const parsed = parseKey(keyText)
        if (parsed === undefined) return yield* fail("UNAUTHENTICATED")
        const now = yield* Clock.currentTimeMillis
        let key = yield* keyOf(parsed.keyId, now)
        let refused = refusalOfKey(key, parsed.secret, isoFromMillis(now))
        if (refused !== undefined && remembered.delete(parsed.keyId)) {
          // What is remembered may be older than a rotation: a refusal is given only on what the store says now.
          key = yield* keyOf(parsed.keyId, now)
          refused = refusalOfKey(key, parsed.secret, isoFromMillis(now))
        }
        if (refused !== undefined || key === undefined) return yield* refused ?? fail("UNAUTHENTICATED")
        yield* touch(key.keyId, now)
        return actorOfKey(key)
      })
    })
  })
)
