/**
 * API keys: their text, what is stored of them, and when they hold.
 *
 * `svc_<env>_<keyId>_<secret>_<crc>`: the id (12 base-32 characters) finds the row, the secret (43 base-62 characters,
 * over 256 bits) proves possession, and the checksum (6 base-62 characters of a CRC-32) lets a mistyped or made-up key be
 * refused without asking the database. Only a SHA-256 of the secret is stored. Source: contract 1.8, gap decision G36.
 */
import { randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
import type { ActorIdentity, ActorKind, ActorMode } from "../Actor.ts"
import { type Failure, fail } from "../Failure.ts"
import { constantTimeEqual, sha256Hex } from "../Hash.ts"
import { noPolicies, type PolicyLayers, type Scope } from "../Policy.ts"

/** What a key's text says of itself. The secret must not be logged. */
export interface ParsedKey {
  readonly environment: string
  readonly keyId: string
  readonly secret: string
}

/** A secret that a key accepts until `validUntil` (null: for ever). Rotation adds one and lets the old one run out. */
export interface KeySecret {
  readonly hash: string
  readonly validUntil: string | null
}

/** A key as it is stored. */
export interface ApiKey {
  readonly keyId: string
  readonly organizationId: string
  readonly name: string
  readonly userId: string
  readonly actorKind: ActorKind
  readonly mode: ActorMode
  readonly scopes: ReadonlyArray<Scope>
  readonly secrets: ReadonlyArray<KeySecret>
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
  /** Its own policy and its organization's, as they were when it was read. */
  readonly policies?: PolicyLayers
}

const base32 = "abcdefghijklmnopqrstuvwxyz234567"
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const draw = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("")

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

/** Makes the text of a new key. `keyId` is given when an existing key gets a new secret. */
export const generateKey = (keyId: string = draw(base32, 12), environment = "live"): string => {
  const body = `svc_${environment}_${keyId}_${draw(base62, 43)}`
  return `${body}_${checksum(body)}`
}

/** Reads a key's text; undefined when it cannot be a key. */
export const parseKey = (text: string): ParsedKey | undefined => {
  const match = shape.exec(text)
  if (match === null) return undefined
  const [, environment = "", keyId = "", secret = "", mark = ""] = match
  const body = text.slice(0, -7)
  return constantTimeEqual(mark, checksum(body)) ? { environment, keyId, secret } : undefined
}

/** The stored form of a secret. */
export const hashSecret = (secret: string): string => sha256Hex(secret)

/** The refusal of a presented secret at an instant, or undefined when the key holds. Unknown and malformed read alike. */
export const refusalOfKey = (key: ApiKey | undefined, secret: string, now: string): Failure | undefined => {
  const presented = hashSecret(secret)
  const match = key?.secrets.find((candidate) => constantTimeEqual(candidate.hash, presented))
  if (key === undefined || match === undefined) return fail("UNAUTHENTICATED")
  if (key.revokedAt !== null) return fail("KEY_REVOKED")
  if (key.expiresAt !== null && key.expiresAt <= now) return fail("KEY_EXPIRED")
  if (match.validUntil !== null && match.validUntil <= now) return fail("KEY_EXPIRED")
  return undefined
}

/** The actor that a key stands for. */
export const actorOfKey = (key: ApiKey): ActorIdentity => ({
  organizationId: key.organizationId,
  userId: key.userId,
  kind: key.actorKind,
  mode: key.mode,
  scopes: key.scopes,
  keyId: key.keyId,
  policies: key.policies ?? noPolicies
})
