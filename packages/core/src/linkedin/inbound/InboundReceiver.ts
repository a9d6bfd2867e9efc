/**
 * Where what a provider tells comes in: who may tell, what it means, and one transaction for each telling.
 *
 * Nothing here asks a provider, so an answer never waits for one. Source: issue 4, inbound; mission research 5.2.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Failure, fail } from "../../Failure.ts"
import { constantTimeEqual } from "../../Hash.ts"
import type { Journal } from "../../Journal.ts"
import type { CursorSecret } from "../../Page.ts"
import { now } from "../../Time.ts"
import type { Transaction } from "../../Transaction.ts"
import type { InboundEvent } from "../bridge/InboundEvent.ts"
import { LinkedInGateway } from "../LinkedInGateway.ts"
import { ProviderAccounts } from "../ProviderAccounts.ts"
import { runAsService, type SystemNeeds } from "../sending/SystemRun.ts"
import type { InboundNeeds } from "./InboundNeeds.ts"
import { InboxRepo } from "./InboxRepo.ts"
import { readLinkState } from "./LinkState.ts"
import { receiveLink, receiveStatus } from "./receiveAccount.ts"
import { receiveMessage } from "./receiveMessage.ts"
import { receiveRelation } from "./receiveRelation.ts"
import { hashOfToken, inboundSecret, isTokenText, webhookToken } from "./WebhookToken.ts"

/** What a telling needs beside its transaction. */
export type ReceiverNeeds = SystemNeeds<InboundNeeds> | CursorSecret | LinkedInGateway | Transaction | Journal

/** Takes in what a provider tells. */
export class InboundReceiver extends Context.Service<
  InboundReceiver,
  {
    /** The organization of a token at the running gateway. Fails with NOT_FOUND, and with UNAVAILABLE. */
    readonly owner: (gateway: string, token: string) => Effect.Effect<string, Failure>
    /**
     * Takes in one telling for an organization; answers whether it changed something. Fails with INVALID_INPUT for what
     * is none of the provider's, and with UNAVAILABLE: then it is worth telling again.
     */
    readonly receive: (organizationId: string, payload: unknown) => Effect.Effect<boolean, Failure>
  }
>()("@svc/core/linkedin/InboundReceiver") {}

const noSuchAddress = fail(
  "NOT_FOUND",
  "There is no webhook at this address. Register the one that belongs to your account."
)

/** Lets an event that is read take effect. */
export const takeIn = Effect.fnUntraced(function* (
  organizationId: string,
  gateway: string,
  event: InboundEvent
): Effect.fn.Return<boolean, Failure, ReceiverNeeds> {
  if (event._tag === "Nothing") return false
  if (event._tag === "AccountLinked") {
    const state = readLinkState(yield* inboundSecret, event.state, yield* now)
    if (state?.organizationId !== organizationId) return false
    return yield* runAsService(organizationId, receiveLink(gateway, state, event.gatewayAccountId))
  }
  const account = yield* (yield* InboxRepo).accountAt(organizationId, gateway, event.gatewayAccountId)
  if (account === undefined) return false
  switch (event._tag) {
    case "Message":
      return (yield* runAsService(organizationId, receiveMessage(account, event.message))) === "recorded"
    case "Relation":
      return yield* runAsService(organizationId, receiveRelation(account, event.person))
    case "AccountStatus":
      return yield* runAsService(organizationId, receiveStatus(account, event.status))
  }
})

/** Receives for the running gateway. */
export const layer: Layer.Layer<InboundReceiver, never, ReceiverNeeds> = Layer.effect(
  InboundReceiver,
  Effect.gen(function* () {
    const needs = yield* Effect.context<ReceiverNeeds>()
    const gateway = yield* LinkedInGateway
    const inbox = yield* InboxRepo
    const provider = yield* ProviderAccounts
    return InboundReceiver.of({
      owner: (name, token) =>
        Effect.gen(function* () {
          if (name !== gateway.name || provider.readTold === undefined || !isTokenText(token))
            return yield* noSuchAddress
          const owner = yield* inbox.tokenOwner(name, hashOfToken(token))
          const isCurrent =
            owner !== undefined && constantTimeEqual(token, webhookToken(yield* inboundSecret, name, owner))
          return isCurrent ? owner : yield* noSuchAddress
        }).pipe(Effect.provideContext(needs)),
      receive: (organizationId, payload) =>
        Effect.gen(function* () {
          if (provider.readTold === undefined) return yield* noSuchAddress
          const event = yield* Effect.fromResult(provider.readTold(payload))
          return yield* takeIn(organizationId, gateway.name, event)
        }).pipe(Effect.provideContext(needs))
    })
  })
)
