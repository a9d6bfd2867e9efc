/** The LinkedIn accounts through which agents write. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { hmacBase64Url, readSigned, sha256Hex, writeSigned } from "../../kernel/schema/Hash.ts"
import type { AccountId, AgentId, InstantText, LeadId, OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { CursorSecret } from "../../kernel/schema/Page.ts"

/** Health of an account, as the provider reports it. Only `OK` may send. */
export const AccountStatus = Schema.Literals(["OK", "CONNECTING", "CREDENTIALS", "STOPPED", "ERROR", "RESTRICTED"])

export type AccountStatus = typeof AccountStatus.Type

/** The LinkedIn subscription of an account, which decides its usage limits. */
export const LinkedInTier = Schema.Literals(["FREE", "PREMIUM", "SALES_NAVIGATOR"])

export type LinkedInTier = typeof LinkedInTier.Type

/**
 * Why a provider refused. `limit` and `transient` pass by themselves; `not_connected` passes when the person accepts an
 * invitation; `already_connected` and `already_pending` are good news for an invitation; the others are final.
 */
export const refusalKinds = [
  "not_connected",
  "already_connected",
  "already_pending",
  "blocked",
  "unreachable",
  "limit",
  "credits",
  "account_down",
  "account_restricted",
  "invalid",
  "transient"
] as const

/** An account of an agent; an agent has at most one. */
export interface LinkedInAccount {
  readonly id: AccountId
  readonly organizationId: OrganizationId
  readonly agentId: AgentId
  /** Name of the gateway that carries it, and the account's id there. */
  readonly gateway: string
  readonly gatewayAccountId: string
  readonly status: AccountStatus
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
  readonly createdAt: InstantText
  readonly updatedAt: InstantText
}

/** One account and one lead. Instants are ISO texts. */
export interface LeadRelation {
  readonly organizationId: OrganizationId
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly connected: boolean
  /** The provider's id of a conversation that exists; null when none is known. */
  readonly chatId: string | null
  /** When the provider confirmed an invitation from this account to this lead; null when it never did. */
  readonly invitedAt: InstantText | null
  readonly checkedAt: InstantText
}

// What goes with a hosted link and comes back with its notification: for whom the account is, signed by us, since the
// provider signs nothing.

/** Who asked for a link, and until when it works. */
export interface LinkState {
  readonly organizationId: OrganizationId
  readonly agentId: AgentId
  readonly expiresAt: InstantText
}

const purpose = "link-state"

/** The state as text. */
export const writeLinkState = (secret: string, { agentId, expiresAt, organizationId }: LinkState): string =>
  writeSigned(secret, purpose, [organizationId, agentId, expiresAt])

/** The state of a text that we signed and that has not expired; undefined for any other text. Never throws. */
export const readLinkState = (secret: string, text: string, now: string): LinkState | undefined => {
  const [organizationId, agentId, expiresAt] = readSigned<ReadonlyArray<string>>(secret, purpose, text) ?? []
  if (organizationId === undefined || agentId === undefined || expiresAt === undefined) return undefined
  return expiresAt > now ? { organizationId, agentId, expiresAt } : undefined
}

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
