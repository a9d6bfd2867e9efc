/**
 * The texts of tokens. An access token reads like a key. A refresh token is one that all of a grant's refresh tokens begin with,
 * a dot, and a secret of its own: so an old one is recognized without a list of them.
 */
import { isoFromMillis } from "../../kernel/schema/Time.ts"
import { type ApiKey, type ClientGrant, generateKey, hashSecret, newSecret, parseKey } from "../organizations/ApiKey.ts"
import { accessSeconds, idleMillis, maxAccessTokens } from "./grantLife.ts"

/** What a client gets, once. */
export interface Tokens {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly refreshToken: string
  readonly scopes: ApiKey["scopes"]
}

/** The parts of a refresh token; undefined if a text is none. */
export const parseRefreshToken = (text: string): { readonly family: string; readonly secret: string } | undefined => {
  const [family = "", secret = "", ...rest] = text.split(".")
  const isToken = parseKey(family)?.environment === "refresh" && rest.length === 0
  return isToken && /^[0-9A-Za-z]{43}$/.test(secret) ? { family, secret } : undefined
}

const secretHash = (text: string): string => hashSecret(parseKey(text)?.secret ?? "")

/**
 * A grant with a new access token and a new refresh token, not stored yet. Access tokens that are still valid stay so, at most
 * four; `family` is what the refresh tokens of the grant begin with, if it has any.
 */
export const issueTokens = (
  key: ApiKey,
  grant: ClientGrant,
  at: string,
  family: string = generateKey(key.keyId, "refresh")
): { readonly key: ApiKey; readonly tokens: Tokens } => {
  const accessToken = generateKey(key.keyId, "token")
  const secret = newSecret()
  const valid = grant.refresh === undefined ? [] : key.secrets.filter(({ validUntil }) => (validUntil ?? at) > at)
  const validUntil = isoFromMillis(Date.parse(at) + accessSeconds * 1000)
  const refresh = { familyHash: secretHash(family), hash: hashSecret(secret) }
  return {
    key: {
      ...key,
      secrets: [{ hash: secretHash(accessToken), validUntil }, ...valid].slice(0, maxAccessTokens),
      expiresAt: isoFromMillis(Date.parse(at) + idleMillis),
      session: key.session && { ...key.session, state: "granted", grant: { ...grant, refresh } }
    },
    tokens: { accessToken, expiresIn: accessSeconds, refreshToken: `${family}.${secret}`, scopes: key.scopes }
  }
}
