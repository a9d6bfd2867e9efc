/**
 * Grants and their tokens. A grant is what a person allowed the client of an AI agent to do in their name. It is stored as a key of
 * kind AI_AGENT that names the person's key as its parent: it never has more rights than that key has now, and ends with it.
 *
 * An access token reads like a key. A refresh token is one that all of a grant's refresh tokens begin with,
 * a dot, and a secret of its own: so an old one is recognized without a list of them.
 */

import type { ActorIdentity } from "../../kernel/command/Execution.ts"
import { hasScope } from "../../kernel/command/Policy.ts"
import type { NewEvent } from "../../kernel/journal/Event.ts"
import { hmacBase64Url } from "../../kernel/schema/Hash.ts"
import { isoFromMillis } from "../../kernel/schema/IdsAndTime.ts"
import * as ApiKey from "../organizations/ApiKey.ts"

/** What a client gets, once. */
export interface Tokens {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly refreshToken: string
  readonly scopes: ApiKey.ApiKey["scopes"]
}

/** The parts of a refresh token; undefined if a text is none. */
export const parseRefreshToken = (text: string): { readonly family: string; readonly secret: string } | undefined => {
  const [family = "", secret = "", ...rest] = text.split(".")
  const isToken = ApiKey.parseKey(family)?.environment === "refresh" && rest.length === 0
  return isToken && /^[0-9A-Za-z]{43}$/.test(secret) ? { family, secret } : undefined
}

/** The secrets of what is issued. */
export interface Secrets {
  readonly access: string
  readonly refresh: string
}

/**
 * The secrets that a refresh token becomes, always the same, so that the answer to a retry need not be stored. It takes the
 * deployment's secret too: who only has an old token cannot tell what it became. Two letters stand for the signs of base64url.
 */
export const successorsOf = (deploymentSecret: string, refreshSecret: string): Secrets => {
  const derived = (what: string) =>
    hmacBase64Url(deploymentSecret, `grant-${what}\n${refreshSecret}`).replaceAll("-", "x").replaceAll("_", "X")
  return { access: derived("access"), refresh: derived("refresh") }
}

/** What a client gets: tokens with these secrets. */
export const tokensOf = (key: ApiKey.ApiKey, family: string, { access, refresh }: Secrets): Tokens => ({
  accessToken: ApiKey.generateKey(key.keyId, "token", access),
  expiresIn: accessSeconds,
  refreshToken: `${family}.${refresh}`,
  scopes: key.scopes
})

/**
 * A grant with a new access token and a new refresh token, not stored yet. Access tokens that are still valid stay so, at most
 * four; `family` is what the refresh tokens of the grant begin with, if it has any.
 */
export const issueTokens = (
  key: ApiKey.ApiKey,
  grant: ApiKey.ClientGrant,
  at: string,
  family: string = ApiKey.generateKey(key.keyId, "refresh"),
  secrets: Secrets = { access: ApiKey.newSecret(), refresh: ApiKey.newSecret() }
): { readonly key: ApiKey.ApiKey; readonly tokens: Tokens } => {
  const valid = grant.refresh === undefined ? [] : key.secrets.filter(({ validUntil }) => (validUntil ?? at) > at)
  const validUntil = isoFromMillis(Date.parse(at) + accessSeconds * 1000)
  const retryUntil = isoFromMillis(Date.parse(at) + retryMillis)
  const refresh = {
    familyHash: ApiKey.hashOfKey(family),
    hash: ApiKey.hashSecret(secrets.refresh),
    ...(grant.refresh && { replaced: { hash: grant.refresh.hash, retryUntil } })
  }
  return {
    key: {
      ...key,
      secrets: [{ hash: ApiKey.hashSecret(secrets.access), validUntil }, ...valid].slice(0, maxAccessTokens),
      expiresAt: isoFromMillis(Date.parse(at) + idleMillis),
      session: key.session && { ...key.session, state: "granted", grant: { ...grant, refresh } }
    },
    tokens: tokensOf(key, family, secrets)
  }
}

/** How long a client can use its code, in milliseconds. */
export const codeMillis = 60_000

/** How long a refresh can be retried, in milliseconds: its response may have been lost. */
const retryMillis = 30_000

/** How long an access token is valid, in seconds. */
const accessSeconds = 3600

/** How long a grant lasts without a refresh, in milliseconds. */
const idleMillis = 30 * 24 * 3_600_000

/** Most access tokens of a grant that are valid at once. */
const maxAccessTokens = 4

/** What a key was granted; undefined for any other key. */
export const grantOf = ({ session }: ApiKey.ApiKey): ApiKey.ClientGrant | undefined => session?.grant

/** The actor of a grant, with what both the grant and its parent may do; undefined if the parent has ended. */
export const actorOfGrant = (
  key: ApiKey.ApiKey,
  parent: ApiKey.ApiKey | undefined,
  now: string
): ActorIdentity | undefined => {
  if (!ApiKey.isParentValid(key, parent, now)) return undefined
  const person = ApiKey.actorOfKey(parent)
  return {
    ...person,
    kind: "AI_AGENT",
    mode: person.mode === "full" ? key.mode : person.mode,
    scopes: key.scopes.filter((scope) => hasScope(person, scope)),
    keyId: key.keyId,
    grantor: { keyId: parent.keyId, scopes: person.scopes }
  }
}

/** Why a grant was revoked: by a person or operator, by its client, or because a used code or refresh token came again. */
export type RevokeReason = "revoked" | "client" | "code_reused" | "refresh_token_reused"

/** The events of revoking a key: one if it is a grant that was not revoked before. */
export const revokedEvents = (key: ApiKey.ApiKey, reason: RevokeReason): ReadonlyArray<NewEvent> =>
  grantOf(key) === undefined || key.revokedAt !== null
    ? []
    : [
        {
          type: "grant.revoked",
          subject: { type: "key", id: key.keyId },
          data: { parent_key_id: key.session?.parentKeyId ?? null, reason }
        }
      ]
