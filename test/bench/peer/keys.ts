/** Bearer keys: the id finds the row, the hash of the secret proves it. A key is kept for half a second. */
import { timingSafeEqual } from "node:crypto"
import type { Query } from "./database.ts"
import { Failure } from "./Failure.ts"
import { sha256 } from "./text.ts"

/** Whoever calls. */
export interface Actor {
  readonly keyId: string
  readonly organizationId: string
  readonly userId: string
  readonly kind: string
  readonly scopes: ReadonlyArray<string>
}

interface KeyRow {
  readonly organization_id: string
  readonly user_id: string
  readonly actor_kind: string
  readonly scopes: ReadonlyArray<string>
  readonly secret_hash: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

interface CachedKey {
  readonly readAt: number
  readonly hash: Buffer
  readonly expiresAt: number
  readonly isRevoked: boolean
  readonly actor: Actor
}

const cacheMillis = 500
const shape = /^Bearer svc_[a-z]{2,8}_([a-z2-7]{12})_([0-9A-Za-z]{43})_[0-9A-Za-z]{6}$/

const statement = {
  name: "key",
  text: `select organization_id, user_id, actor_kind, scopes, secret_hash, expires_at, revoked_at
    from api_keys where key_id = $1`
}

const refused = () => new Failure(401, "UNAUTHENTICATED", "The API key is missing or not valid.")

/** Finds the actor of an Authorization header. Fails with 401. */
export const makeAuthenticate = (query: Query) => {
  const cache = new Map<string, CachedKey>()

  const readKey = async (keyId: string): Promise<CachedKey> => {
    const [row] = await query<KeyRow>(statement, [keyId])
    if (row === undefined) throw refused()
    const key = {
      readAt: Date.now(),
      hash: Buffer.from(row.secret_hash),
      expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
      isRevoked: row.revoked_at !== null,
      actor: {
        keyId,
        organizationId: row.organization_id,
        userId: row.user_id,
        kind: row.actor_kind,
        scopes: row.scopes
      }
    }
    if (cache.size > 10_000) cache.clear()
    cache.set(keyId, key)
    return key
  }

  return async (header: string | undefined): Promise<Actor> => {
    const [, keyId, secret] = shape.exec(header ?? "") ?? []
    if (keyId === undefined || secret === undefined) throw refused()
    const now = Date.now()
    let key = cache.get(keyId)
    if (key === undefined || now - key.readAt > cacheMillis) key = await readKey(keyId)
    const hash = Buffer.from(sha256(secret))
    if (!timingSafeEqual(hash, key.hash) || key.isRevoked || key.expiresAt <= now) throw refused()
    return key.actor
  }
}
