/**
 * What a provider can do with accounts and tell by itself, beyond carrying messages: hosted links, facts, webhooks.
 *
 * A gateway without any of it works: accounts are linked by their id, and conversations are read now and then.
 * Source: mission research 5.1 (connectLink) and 5.2; catalogue 4.1 linkedin.account.link.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { Failure } from "../Failure.ts"
import type { AccountFacts } from "./AccountsRepo.ts"
import type { InboundEvent } from "./bridge/InboundEvent.ts"

/** A page on which a person connects an account. `state` comes back with the notification, which nobody signs. */
export interface ConnectRequest {
  readonly state: string
  readonly expiresAt: string
  readonly notifyUrl: string
  /** The provider's id of an account to connect again; null for a new one. */
  readonly reconnect: string | null
}

/** What a provider offers. Reads fail as a people search does, and with NOT_FOUND for an account that is not there. */
export interface ProviderAccounts {
  /** What the provider says of an account; undefined where it cannot be asked. */
  readonly find: ((gatewayAccountId: string) => Effect.Effect<AccountFacts, Failure>) | undefined
  /** Makes a page for connecting an account and answers its address. */
  readonly connectLink: ((request: ConnectRequest) => Effect.Effect<string, Failure>) | undefined
  /** Asks the provider to tell what happens to an account at an address of ours; repeating it changes nothing. */
  readonly subscribe: ((gatewayAccountId: string, url: string) => Effect.Effect<void, Failure>) | undefined
  /** Reads what the provider told. Fails with INVALID_INPUT for what is none of the provider's; never throws. */
  readonly readTold: ((payload: unknown) => Result.Result<InboundEvent, Failure>) | undefined
}

/** The provider of the running gateway; nothing of it unless a gateway says more. */
export const ProviderAccounts: Context.Reference<ProviderAccounts> = Context.Reference<ProviderAccounts>(
  "@svc/core/linkedin/ProviderAccounts",
  { defaultValue: () => ({ find: undefined, connectLink: undefined, subscribe: undefined, readTold: undefined }) }
)

/** The address under which the outside reaches this service, without a slash at its end; undefined when there is none. */
export const PublicAddress: Context.Reference<() => string | undefined> = Context.Reference<() => string | undefined>(
  "@svc/core/linkedin/PublicAddress",
  { defaultValue: () => () => undefined }
)

/** Asks within a time, since a provider may never answer. Fails with GATEWAY_ERROR then. */
export const within = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  seconds: number,
  late: () => Failure
): Effect.Effect<A, E | Failure, R> =>
  Effect.timeoutOrElse(effect, { duration: seconds * 1_000, orElse: () => Effect.fail(late()) })
