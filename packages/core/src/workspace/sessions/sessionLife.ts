/**
 * Sessions of the review page, and the one-time links that become sessions. Both are stored as keys that name a parent: they
 * have the parent's rights as they are now, and end with it.
 */
import type { ActorIdentity } from "../../kernel/command/Actor.ts"
import { Unauthenticated } from "../../kernel/failure/failures.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { type ApiKey, actorOfKey, type KeySecret } from "../organizations/ApiKey.ts"

const hourMillis = 3_600_000

/** How long a session lasts without a request, in milliseconds. */
const idleMillis = 12 * hourMillis

/** How long a session lasts at most, in milliseconds. */
export const sessionMillis = 7 * 24 * hourMillis

/** How long a link can be used, in milliseconds. */
export const linkMillis = 5 * 60_000

/** The failure for a session that has ended, whatever ended it. */
export const sessionEnded = (): Unauthenticated =>
  new Unauthenticated({ message: "You are signed out. Sign in again." })

/** When a session ends if it is not used again; later with every request, up to its expiry. */
export const sessionEnd = ({ createdAt, expiresAt, lastUsedAt }: ApiKey): string => {
  const idle = isoFromMillis(Date.parse(lastUsedAt ?? createdAt) + idleMillis)
  return expiresAt !== null && expiresAt < idle ? expiresAt : idle
}

const isValid = ({ validUntil }: KeySecret, now: string): boolean => validUntil === null || validUntil > now

/** The secret of a key that stops being valid first: what a link from the key ends with. */
export const firstToExpire = ({ secrets }: ApiKey, now: string): KeySecret | undefined =>
  secrets
    .filter((secret) => isValid(secret, now))
    .reduce<KeySecret | undefined>(
      (first, secret) =>
        first === undefined || (secret.validUntil ?? "~") < (first.validUntil ?? "~") ? secret : first,
      undefined
    )

/** Whether what came from a parent may go on: the parent, and its secret that signed in, are valid. */
export const isParentValid = (
  { organizationId, session }: ApiKey,
  parent: ApiKey | undefined,
  now: string
): parent is ApiKey => {
  const secret = parent?.secrets.find(({ hash }) => hash === session?.parentSecretHash)
  if (parent === undefined || secret === undefined || parent.organizationId !== organizationId) return false
  const hasExpired = parent.expiresAt !== null && parent.expiresAt <= now
  return parent.revokedAt === null && !hasExpired && isValid(secret, now)
}

/** The actor of a session, with its parent's rights; undefined if the session or its parent has ended. */
export const actorOfSession = (key: ApiKey, parent: ApiKey | undefined, now: string): ActorIdentity | undefined =>
  isParentValid(key, parent, now) && sessionEnd(key) > now
    ? { ...actorOfKey(parent), keyId: key.keyId, parentKeyId: parent.keyId }
    : undefined
