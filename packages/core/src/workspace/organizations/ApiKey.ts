/**
 * API keys: their text, their stored form, and when they are valid.
 *
 * `svc_<env>_<keyId>_<secret>_<crc>`: the id (12 base-32 characters) finds the row, the secret (43 base-62 characters,
 * over 256 bits) proves possession, and the checksum (6 base-62 characters of a CRC-32) allows refusing a mistyped key
 * without a database query. Only a SHA-256 of the secret is stored.
 */

import { randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
import type { ActorIdentity } from "../../kernel/command/Execution.ts"
import * as Permission from "../../kernel/command/Permission.ts"
import { KeyExpired, KeyRevoked, Unauthenticated } from "../../kernel/failure/failures.ts"
import { constantTimeEqual, sha256Hex } from "../../kernel/schema/Hash.ts"
import {
  type InstantText,
  isoFromMillis,
  type KeyId,
  type OrganizationId,
  type UserId
} from "../../kernel/schema/IdsAndTime.ts"

/** The parts of a key's text. The secret must not be logged. */
export interface ParsedKey {
  readonly environment: string
  readonly keyId: KeyId
  readonly secret: string
}

/** A secret that is valid until `validUntil` (null: without expiry). Rotation adds a secret and lets the old one expire. */
export interface KeySecret {
  readonly hash: string
  readonly validUntil: string | null
}

/** What a person granted to the client of an AI agent. Everything that proves possession is stored as a hash. */
export interface ClientGrant {
  readonly clientId: string
  /** Where the client received its code. */
  readonly redirectUri: string
  /** The only resource that accepts its access tokens, a URL. */
  readonly resource: string
  /** SHA-256 of the client's code verifier, in base64url (RFC 7636, S256). */
  readonly challenge: string
  readonly codeHash: string
  /**
   * What every refresh token of the grant has in common, what only the latest one has, and the one that it replaced, which may be
   * retried for a while; absent before the first.
   */
  readonly refresh?: {
    readonly familyHash: string
    readonly hash: string
    readonly replaced?: { readonly hash: string; readonly retryUntil: string }
  }
}

/**
 * What makes a stored key one that has its rights from another: a session of the review page, a link that becomes one, or the
 * tokens of an AI agent's client.
 */
export interface KeySession {
  /** `link` until a browser has used it, `code` until a client has used it: once. */
  readonly state: "link" | "open" | "code" | "granted"
  /** The key that it has all rights from. */
  readonly parentKeyId: KeyId
  /** The hash of the parent's secret that it ends with. */
  readonly parentSecretHash: string
  /** For `code` and `granted`. */
  readonly grant?: ClientGrant
}

/** A key as stored. */
export interface ApiKey {
  readonly keyId: KeyId
  readonly organizationId: OrganizationId
  readonly name: string
  readonly userId: UserId
  readonly actorKind: Permission.ActorKind
  readonly mode: Permission.ActorMode
  readonly scopes: ReadonlyArray<Permission.Scope>
  readonly secrets: ReadonlyArray<KeySecret>
  readonly createdAt: InstantText
  readonly expiresAt: InstantText | null
  readonly revokedAt: InstantText | null
  readonly lastUsedAt: InstantText | null
  /** Absent for a key that a program presents. */
  readonly session?: KeySession | undefined
  /** Its own policy and its organization's, as of when it was read. */
  readonly policies?: Permission.PolicyLayers
}

const base32 = "abcdefghijklmnopqrstuvwxyz234567"
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const draw = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("")

/** A new secret of over 256 bits. */
export const newSecret = (): string => draw(base62, 43)

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let i = 0; i < 6; i++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const shape = /^svc_([a-z]{2,8})_([a-z2-7]{12})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/

/** Generates the text of a key. `keyId` is given if an existing key gets a new secret. */
export const generateKey = (keyId: KeyId = draw(base32, 12), environment = "live", secret = newSecret()): string => {
  const body = `svc_${environment}_${keyId}_${secret}`
  return `${body}_${checksum(body)}`
}

/** The id of a key that is always the same for a digest, given in hexadecimal. */
export const keyIdOf = (digest: string): KeyId =>
  Array.from({ length: 12 }, (_, index) =>
    base32.charAt(Number.parseInt(digest.slice(2 * index, 2 * index + 2), 16) % 32)
  ).join("")

/** Parses a key's text; undefined if it is not a key. */
export const parseKey = (text: string): ParsedKey | undefined => {
  const match = shape.exec(text)
  if (match === null) return undefined
  const [, environment = "", keyId = "", secret = "", mark = ""] = match
  const body = text.slice(0, -7)
  return constantTimeEqual(mark, checksum(body)) ? { environment, keyId, secret } : undefined
}

/** The stored form of a secret. */
export const hashSecret = (secret: string): string => sha256Hex(secret)

/** The stored form of the secret in a key's text. */
export const hashOfKey = (text: string): string => hashSecret(parseKey(text)?.secret ?? "")

const uses = { link: "link", open: "session", code: "code", granted: "token" } as const

/**
 * What a secret is presented as: the key of a program, the cookie of a session, the code of a link, or a client's code and
 * access token.
 */
export type KeyUse = "key" | (typeof uses)[KeySession["state"]]

/** What a key is presented as. */
export const useOf = ({ session }: ApiKey): KeyUse => (session === undefined ? "key" : uses[session.state])

/**
 * Why a secret is refused at an instant, or undefined if it is valid. Unknown keys, wrong secrets and those presented as
 * something else fail alike.
 */
export const refusalOfKey = (
  key: ApiKey | undefined,
  secret: string,
  now: string,
  use: KeyUse = "key"
): KeyExpired | KeyRevoked | Unauthenticated | undefined => {
  const presented = hashSecret(secret)
  const match = key?.secrets.find((candidate) => constantTimeEqual(candidate.hash, presented))
  if (key === undefined || match === undefined || useOf(key) !== use) return new Unauthenticated()
  if (key.revokedAt !== null) return new KeyRevoked()
  if (key.expiresAt !== null && key.expiresAt <= now) return new KeyExpired()
  if (match.validUntil !== null && match.validUntil <= now) return new KeyExpired()
  return undefined
}

/** The actor of a key. */
export const actorOfKey = (key: ApiKey): ActorIdentity => ({
  organizationId: key.organizationId,
  userId: key.userId,
  kind: key.actorKind,
  mode: key.mode,
  scopes: key.scopes,
  keyId: key.keyId,
  policies: key.policies ?? Permission.noPolicies
})

// Sessions of the review page, and the one-time links that become sessions. Both are stored as keys that name a parent: they
// have the parent's rights as they are now, and end with it.

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
