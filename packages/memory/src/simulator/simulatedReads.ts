/**
 * The reads of the simulated provider: accepted messages as conversations, and accepted invitations as relations.
 */

import { type AccountId, InvalidInput, isoFromMillis, type LeadId } from "@svc/core"
import { profileUrl } from "@svc/core/internal"
import type { Identity } from "@svc/core/leads"
import type { Gateway, InboundEvent, LinkedInAccount, NamedPerson, ProviderReads, Recipient } from "@svc/core/outreach"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** A send that the simulated provider accepted. `at` is in milliseconds since 1970. */
export interface AcceptedSend {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly kind: "message" | "invitation"
  readonly text: string | null
  readonly idempotencyKey: string
  readonly at: number
  readonly messageId: string
}

/** An invitation, and when the person accepts it in milliseconds since 1970. */
interface SimulatedInvitation {
  readonly accountId: AccountId
  readonly recipient: Recipient
  readonly acceptedAt: number
}

/** The state of the simulation. */
interface SimulatedWorld {
  readonly accepted: () => ReadonlyArray<AcceptedSend>
  readonly invitations: () => ReadonlyArray<SimulatedInvitation>
  readonly chatOf: (accountId: AccountId, leadId: LeadId) => string
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

/** What the provider tells of itself: a person accepted the invitation of an account. */
export const simulatedEvent = (payload: unknown): Result.Result<InboundEvent, InvalidInput> => {
  const { account, profile } = Object(payload)
  if (typeof account !== "string" || typeof profile !== "string") {
    return Result.fail(new InvalidInput({ message: "The event must name account and profile." }))
  }
  const person = { providerId: "", identities: [], fullName: "", profileUrl: profile, pictureUrl: null }
  return Result.succeed({ _tag: "Relation", gatewayAccountId: account, key: null, person })
}

/** Reads and withdrawals. Every list is a single page. */
export const simulatedReads = (world: SimulatedWorld): Pick<Gateway, "withdrawInvitation"> & ProviderReads => ({
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
        const isWanted = accountId === account.id && kind === "message" && (chatId === null || chat === chatId)
        if (!isWanted || isoFromMillis(at) < since) return []
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
