/**
 * Receiving a provider's webhooks: authentication, parsing, and one transaction per event.
 *
 * Never asks the provider, so the response never waits for it.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAsService } from "../../kernel/background/Worker.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { NotFound } from "../../kernel/failure/failures.ts"
import { constantTimeEqual } from "../../kernel/schema/Hash.ts"
import { now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import { hashOfToken, inboundSecret, isTokenText, readLinkState, webhookToken } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import type { InboundEvent } from "../provider/ProviderReads.ts"
import { receiveLink, receiveMessage, receiveRelation, receiveStatus } from "./receiveAccount.ts"

type ReceiverNeeds = Effect.Services<ReturnType<typeof handleEvent>> | LinkedInGateway

/** Receives webhooks. */
export class InboundReceiver extends Context.Service<
  InboundReceiver,
  {
    /** The organization of a token at the running gateway. Fails with NOT_FOUND, and with UNAVAILABLE. */
    readonly owner: (gateway: string, token: string) => Effect.Effect<string, Failure>
    /**
     * Handles an event of an organization; returns whether it changed something. Fails with INVALID_INPUT for an invalid
     * payload, and with UNAVAILABLE, after which the provider should retry.
     */
    readonly receive: (organizationId: OrganizationId, payload: unknown) => Effect.Effect<boolean, Failure>
  }
>()("@svc/core/outreach/InboundReceiver") {}

const noSuchAddress = new NotFound({
  kind: "webhook",
  message: "Webhook not found. Register the URL that belongs to your account."
})

/** Applies a parsed event. */
export const handleEvent = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  gateway: string,
  event: InboundEvent
) {
  if (event._tag === "Nothing") return false
  if (event._tag === "AccountLinked") {
    const state = readLinkState(yield* inboundSecret, event.state, yield* now)
    if (state?.organizationId !== organizationId) return false
    return yield* runAsService(organizationId, receiveLink(gateway, state, event.gatewayAccountId))
  }
  const account = yield* (yield* AccountsRepo).accountAt(organizationId, gateway, event.gatewayAccountId)
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
    const { accounts: provider, name: gateway } = yield* LinkedInGateway
    const accounts = yield* AccountsRepo
    return InboundReceiver.of({
      owner: (name, token) =>
        Effect.gen(function* () {
          if (name !== gateway || provider.readEvent === undefined || !isTokenText(token)) return yield* noSuchAddress
          const owner = yield* accounts.tokenOwner(name, hashOfToken(token))
          const isCurrent =
            owner !== undefined && constantTimeEqual(token, webhookToken(yield* inboundSecret, name, owner))
          return isCurrent ? owner : yield* noSuchAddress
        }).pipe(Effect.provideContext(needs)),
      receive: (organizationId, payload) =>
        Effect.gen(function* () {
          if (provider.readEvent === undefined) return yield* noSuchAddress
          const event = yield* Effect.fromResult(provider.readEvent(payload))
          return yield* handleEvent(organizationId, gateway, event)
        }).pipe(Effect.provideContext(needs))
    })
  })
)
