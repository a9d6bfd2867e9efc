/**
 * The secret part of the address at which a provider tells an organization what happened.
 *
 * It is made from the deployment's secret and never stored: a database holds its SHA-256 only.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { hmacBase64Url, sha256Hex } from "../../kernel/schema/Hash.ts"
import type { OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { CursorSecret } from "../../kernel/schema/Page.ts"

/** The operator's secret for tokens (`SVC_UNIPILE_WEBHOOK_SECRET`); undefined takes the deployment's own. */
export const WebhookSecret: Context.Reference<Redacted.Redacted | undefined> = Context.Reference<
  Redacted.Redacted | undefined
>("@svc/core/outreach/WebhookSecret", { defaultValue: () => undefined })

/** The secret that tokens and link states are made with: another one makes all of them worthless. */
export const inboundSecret: Effect.Effect<string, never, CursorSecret> = Effect.gen(function* () {
  const given = yield* WebhookSecret
  return given === undefined ? yield* CursorSecret : Redacted.value(given)
})

/** The token of an organization at a gateway: 43 characters of base64url, the same as long as the secret is. */
export const webhookToken = (secret: string, gateway: string, organizationId: OrganizationId): string =>
  hmacBase64Url(secret, `inbound-webhook\n${gateway}\n${organizationId}`)

/** What is stored of a token. */
export const hashOfToken = (token: string): string => sha256Hex(`inbound-webhook ${token}`)

/** Whether a text can be a token at all. */
export const isTokenText = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** Path of the address, below the public one. */
export const webhookPath = (gateway: string, token: string): string => `/api/v1/gateways/${gateway}/webhook/${token}`
