/**
 * Authenticates a key: from its text to its actor.
 *
 * Unknown, malformed and foreign keys fail alike. A session and an access token are as valid as the key that they came from.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ActorIdentity } from "../../kernel/command/Execution.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { Unauthenticated } from "../../kernel/failure/failures.ts"
import { sha256Hex } from "../../kernel/schema/Hash.ts"
import { isoFromMillis, type KeyId } from "../../kernel/schema/IdsAndTime.ts"
import { actorOfGrant } from "../authorization/tokens.ts"
import { Workspaces } from "../Workspaces.ts"
import * as ApiKey from "./ApiKey.ts"
import { capacity, keptMillis, RightsVersion, recent } from "./RecentRights.ts"

/** Fails with UNAVAILABLE when the store is unreachable. */
export class Authentication extends Context.Service<
  Authentication,
  {
    /** The actor of a key that was accepted within the last half a second, at a time in milliseconds. */
    readonly known: (keyText: string, now: number) => ActorIdentity | undefined
    /** Fails with UNAUTHENTICATED, KEY_EXPIRED or KEY_REVOKED. */
    readonly authenticate: (keyText: string) => Effect.Effect<ActorIdentity, Failure>
    /** The actor of a session of the review page, with the rights that its key has now. Fails with UNAUTHENTICATED. */
    readonly authenticateSession: (token: string) => Effect.Effect<ActorIdentity, Failure>
    /**
     * The actor of an access token, with what was granted and its person's key may do now. Fails with UNAUTHENTICATED, also for
     * a token of another resource, KEY_EXPIRED or KEY_REVOKED.
     */
    readonly authenticateToken: (token: string, resource: string) => Effect.Effect<ActorIdentity, Failure>
  }
>()("@svc/core/workspace/Authentication") {}

/** A program that presented its key a moment ago. */
interface Accepted {
  readonly actor: ActorIdentity
  readonly from: number
  readonly until: number
  readonly version: number
}

/** How often the last use of a key is recorded, in milliseconds. */
const touchInterval = 60_000

/** Looks keys up in the store. */
export const layer: Layer.Layer<Authentication, never, Workspaces> = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const version = yield* RightsVersion
    const keys = recent(version, workspaces.findKey)
    const touched = new Map<string, number>()
    /** By the hash of the key's text, so that no secret is kept. */
    const accepted = new Map<string, Accepted>()

    const touch = (keyId: KeyId, now: number): Effect.Effect<void> => {
      if (now - (touched.get(keyId) ?? Number.NEGATIVE_INFINITY) < touchInterval) return Effect.void
      if (touched.size >= capacity) touched.clear()
      touched.set(keyId, now)
      return Effect.asVoid(Effect.forkDetach(Effect.ignore(workspaces.touchKey(keyId, isoFromMillis(now)))))
    }

    /** Drops what is cached of a key, and of the key that a session came from; returns whether there was anything. */
    const forget = (keyId: KeyId, now: number): boolean => {
      const session = keys.known(keyId, now)?.value.session
      const hadParent = session !== undefined && keys.forget(session.parentKeyId)
      return keys.forget(keyId) || hadParent
    }

    const actorOf = Effect.fnUntraced(function* (
      { keyId, secret }: ApiKey.ParsedKey,
      use: ApiKey.KeyUse,
      now: number,
      resource: string | undefined
    ) {
      const at = isoFromMillis(now)
      const key = yield* keys.read(keyId, now)
      const refused = ApiKey.refusalOfKey(key, secret, at, use)
      if (refused !== undefined || key === undefined) return refused ?? new Unauthenticated()
      if (key.session === undefined) return ApiKey.actorOfKey(key)
      if (key.session.grant?.resource !== resource) return new Unauthenticated()
      const parent = yield* keys.read(key.session.parentKeyId, now)
      return (use === "token" ? actorOfGrant : ApiKey.actorOfSession)(key, parent, at) ?? new Unauthenticated()
    })

    const authenticated = Effect.fnUntraced(function* (text: string, use: ApiKey.KeyUse, resource?: string) {
      const parsed = ApiKey.parseKey(text)
      if (parsed === undefined) return yield* new Unauthenticated()
      const now = yield* Clock.currentTimeMillis
      let found = yield* actorOf(parsed, use, now, resource)
      // What is cached may be older than a rotation, so only stored keys can be refused.
      if ("code" in found && forget(parsed.keyId, now)) found = yield* actorOf(parsed, use, now, resource)
      if ("code" in found) return yield* found
      yield* touch(parsed.keyId, now)
      return found
    })

    /** Accepts the key of a program, as long as what was read of it is fresh and nothing of it expires. */
    const accept = Effect.fnUntraced(function* (text: string, digest: string, from: number) {
      const actor = yield* authenticated(text, "key")
      const known = keys.known(actor.keyId ?? "", yield* Clock.currentTimeMillis)
      if (known === undefined || known.value.expiresAt !== null) return actor
      if (known.value.secrets.some((secret) => secret.validUntil !== null)) return actor
      if (accepted.size >= capacity) accepted.clear()
      accepted.set(digest, { actor, from, until: known.readAt + keptMillis, version: known.version })
      return actor
    })

    const knownBy = (digest: string, now: number): ActorIdentity | undefined => {
      const known = accepted.get(digest)
      const isKnown = known !== undefined && now < known.until && now >= known.from && known.version === version()
      return isKnown ? known.actor : undefined
    }

    return Authentication.of({
      known: (text, now) => knownBy(sha256Hex(text), now),
      authenticate: (text) =>
        Effect.withFiber((fiber) => {
          const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
          const digest = sha256Hex(text)
          const actor = knownBy(digest, now)
          return actor === undefined ? accept(text, digest, now) : Effect.succeed(actor)
        }),
      authenticateToken: (token, resource) => authenticated(token, "token", resource),
      authenticateSession: (token) =>
        Effect.mapError(authenticated(token, "session"), (failure) =>
          failure.entry.kind === "Unauthenticated" ? ApiKey.sessionEnded() : failure
        )
    })
  })
)
