/** How the texts of settings are read that other packages have the rules for. Source: contract 3. */
import { bridgeAddress } from "@svc/core/linkedin/bridge/BridgeGateway"
import { signingKey } from "@svc/core/linkedin/bridge/BridgeSignature"
import { parseRedisUrl, type RedisTarget } from "@svc/http/redis/RedisUrl"
import { type DatabaseUrl, parseDatabaseUrl } from "@svc/postgres/DatabaseUrl"
import { parseSmtpUrl, type SmtpTarget } from "@svc/smtp/SmtpUrl"
import { parseDsn } from "@svc/unipile/Dsn"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Read } from "./Variable.ts"

/** Where the data is. */
export const database: Read<DatabaseUrl> = (text) => {
  const parsed = parseDatabaseUrl(text)
  return Result.isSuccess(parsed)
    ? parsed.success
    : { problem: parsed.failure.message.replace(/^SVC_DATABASE_URL /, "").replace(/\.$/, "") }
}

/** Where the provider's API is, kept as it was written. */
export const dsn: Read<string> = (text) =>
  Result.isSuccess(parseDsn(text))
    ? text
    : { problem: "must be a host such as api8.example.com:13851, or a URL with https (http on loopback only)" }

/** Where the HTTP bridge is, kept as it was written. */
export const bridge: Read<string> = (text) =>
  Result.isSuccess(bridgeAddress(text))
    ? text
    : { problem: "must be a URL with https (http on loopback only), without user, query and fragment" }

/** The secret shared with the HTTP bridge. */
export const bridgeSecret: Read<Redacted.Redacted> = (text) => {
  const value = Redacted.make(text, { label: "SVC_LINKEDIN_BRIDGE_SECRET" })
  return Result.isSuccess(signingKey(value))
    ? value
    : { problem: "must be whsec_ and the base64 of 24 to 64 random bytes" }
}

/** The server that takes e-mail. */
export const smtp: Read<SmtpTarget> = (text) => {
  const parsed = parseSmtpUrl(text)
  return Result.isSuccess(parsed)
    ? parsed.success
    : { problem: parsed.failure.message.replace(/^SVC_SMTP_URL /, "").replace(/\.$/, "") }
}

/** The Redis that holds shared limits. */
export const redis: Read<RedisTarget> = (text) => {
  const parsed = parseRedisUrl(text)
  return Result.isSuccess(parsed)
    ? parsed.success
    : { problem: parsed.failure.message.replace(/^SVC_REDIS_URL /, "").replace(/\.$/, "") }
}
