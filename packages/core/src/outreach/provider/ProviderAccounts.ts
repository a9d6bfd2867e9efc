/**
 * What a provider can do with accounts and tell by itself, beyond carrying messages: hosted links, facts, webhooks.
 *
 * A gateway without any of it works: accounts are linked by their id, and conversations are read now and then.
 */

import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"
import type { ProviderFailure } from "../failures.ts"
import type { AccountFacts } from "./AccountsRepo.ts"
import type { InboundEvent } from "./InboundEvent.ts"

/** A page on which a person connects an account. `state` comes back with the notification, which nobody signs. */
interface ConnectRequest {
  readonly state: string
  readonly expiresAt: InstantText
  readonly notifyUrl: string
  /** The provider's id of an account to connect again; null for a new one. */
  readonly reconnect: string | null
}

/** What a provider offers. Reads fail as a people search does, and with NOT_FOUND for an account that is not there. */
export interface ProviderAccounts {
  /** What the provider says of an account; undefined where it cannot be asked. */
  readonly find: ((gatewayAccountId: string) => Effect.Effect<AccountFacts, NotFound | ProviderFailure>) | undefined
  /** Makes a page for connecting an account and answers its address. */
  readonly connectLink: ((request: ConnectRequest) => Effect.Effect<string, ProviderFailure>) | undefined
  /** Asks the provider to tell what happens to an account at an address of ours; repeating it changes nothing. */
  readonly subscribe:
    | ((gatewayAccountId: string, url: string) => Effect.Effect<void, NotFound | ProviderFailure>)
    | undefined
  /** Reads what the provider told. Fails with INVALID_INPUT for what is none of the provider's; never throws. */
  readonly readEvent: ((payload: unknown) => Result.Result<InboundEvent, InvalidInput>) | undefined
}

/** A provider that does none of it: accounts are linked by their id, and conversations are polled. */
export const noAccounts: ProviderAccounts = {
  find: undefined,
  connectLink: undefined,
  subscribe: undefined,
  readEvent: undefined
}

/** Asks within a time, since a provider may never answer. Fails with GATEWAY_ERROR then. */
export const withTimeout = <A, E, R, Late>(
  effect: Effect.Effect<A, E, R>,
  seconds: number,
  late: () => Late
): Effect.Effect<A, E | Late, R> =>
  Effect.timeoutOrElse(effect, { duration: seconds * 1_000, orElse: () => Effect.fail(late()) })
