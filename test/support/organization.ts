/** Makes organizations for repository tests, whose rows need one to belong to. */

import * as Effect from "effect/Effect"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { generateKey, hashSecret, parseKey } from "#core/workspace/organizations/ApiKey.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"

/** Stores an organization with a key that nobody knows. */
export const organization = (id: string): Effect.Effect<void, Failure, Workspaces> =>
  Effect.gen(function* () {
    const parsed = parseKey(generateKey())
    if (parsed === undefined) return yield* Effect.die("a generated key is not well-formed")
    const createdAt = "2026-11-21T08:00:00.000Z"
    yield* (yield* Workspaces).createOrganization(
      { id, name: `Name of ${id}`, externalId: null, createdAt },
      {
        keyId: parsed.keyId,
        organizationId: id,
        name: "first",
        userId: "usr_1",
        actorKind: "USER",
        mode: "full",
        scopes: ["admin"],
        secrets: [{ hash: hashSecret(parsed.secret), validUntil: null }],
        createdAt,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null
      }
    )
  })
