/**
 * What the simulated provider shows beyond sending: its own ledger as conversations, and accepted invitations as relations.
 *
 * Source: contract 7 "Simulated gateway"; mission research 5.1.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Identity } from "../leads/identity/Identity.ts"
import { profileUrl } from "../leads/identity/profileSlug.ts"
import type { GatewayAdditions, NamedPerson } from "../linkedin/bridge/GatewayAdditions.ts"
import type { LinkedInAccount } from "../linkedin/LinkedInAccount.ts"
import type { Recipient } from "../linkedin/LinkedInGateway.ts"
import { isoFromMillis } from "../Time.ts"
import type { AcceptedSend } from "./SimulatedGateway.ts"

/** An invitation that was accepted by the provider, and when the person accepts it; instants in milliseconds. */
export interface SimulatedInvitation {
  readonly accountId: string
  readonly recipient: Recipient
  readonly acceptedAt: number
}

/** What the additions see of the simulation. */
export interface SimulatedWorld {
  readonly accepted: () => ReadonlyArray<AcceptedSend>
  readonly invitations: () => ReadonlyArray<SimulatedInvitation>
  readonly chatOf: (accountId: string, leadId: string) => string
  readonly isConnected: (account: LinkedInAccount, recipient: Recipient, now: number) => boolean
  readonly isPending: (account: LinkedInAccount, recipient: Recipient, now: number) => boolean
  readonly withdraw: (account: LinkedInAccount, recipient: Recipient, now: number) => void
}

const named = (identities: ReadonlyArray<Identity>): NamedPerson => {
  const slug = identities.find(({ kind }) => kind === "slug")?.value
  const words = (slug ?? "somebody").split("-").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  return {
    providerId: `sim-${slug ?? identities[0]?.value ?? "somebody"}`,
    identities,
    fullName: words.join(" "),
    profileUrl: slug === undefined ? null : profileUrl(slug),
    pictureUrl: null
  }
}

/** The additions of a simulation. A page holds everything. */
export const simulatedAdditions = (world: SimulatedWorld): GatewayAdditions["Service"] => ({
  resolveProfile: (account, identities) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const recipient = { leadId: "", identities, invitedAt: null }
      const connected = world.isConnected(account, recipient, now)
      return { ...named(identities), headline: "", degree: connected ? 1 : 2, connected, invitation: "none" as const }
    }),
  findChat: (account, recipient) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      world.isConnected(account, recipient, now) ? world.chatOf(account.id, recipient.leadId) : null
    ),
  listMessages: (account, { chatId, since }) =>
    Effect.sync(() => {
      const messages = world.accepted().flatMap(({ accountId, at, kind, leadId, messageId, text }) => {
        const chat = world.chatOf(accountId, leadId)
        const isAsked = accountId === account.id && kind === "message" && (chatId === null || chat === chatId)
        if (!isAsked || isoFromMillis(at) < since) return []
        const ids = { messageId: `sim-${messageId}`, externalId: `urn:sim:message:${messageId}`, chatId: chat }
        return [{ ...ids, direction: "outbound" as const, sender: null, text, at: isoFromMillis(at) }]
      })
      return { messages, next: null }
    }),
  listRelations: (account, { since }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const relations = world.invitations().flatMap(({ acceptedAt, accountId, recipient }) => {
        const connectedAt = isoFromMillis(acceptedAt)
        if (accountId !== account.id || acceptedAt > now || connectedAt < since) return []
        return [{ person: named(recipient.identities), connectedAt }]
      })
      return { relations: relations.toReversed(), next: null }
    }),
  withdrawInvitation: (account, recipient) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (world.isPending(account, recipient, now)) world.withdraw(account, recipient, now)
      return { _tag: "Confirmed", messageId: null, externalId: null }
    })
})
