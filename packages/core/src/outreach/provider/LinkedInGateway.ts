/**
 * The port to LinkedIn.
 *
 * Each write returns one {@link SendResult}, of which only `Confirmed` means that the provider accepted it. A gateway is never
 * called while a transaction is open, and never repeats a write itself.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { InvalidInput } from "../../kernel/failure/failures.ts"
import type { NotAPeopleSearch, ProviderFailure } from "../failures.ts"
import type { LinkedInAccount, LinkedInTier } from "./LinkedInAccount.ts"
import { noAccounts, type ProviderAccounts } from "./ProviderAccounts.ts"
import { noReads, type ProviderReads } from "./ProviderReads.ts"
import type { Delivery, Recipient, RelationResult, SendResult } from "./SendResult.ts"

/**
 * A person found by a search. Absent tokens are unknown, of the first two there is at least one; `degree` is 1 to 3, or
 * null out of network.
 */
export interface FoundPerson {
  readonly profileToken?: string
  readonly salesNavToken?: string
  readonly memberId?: string
  readonly publicSlug: string | null
  readonly firstName: string
  readonly lastName: string
  readonly headline: string
  readonly jobTitle: string
  readonly company: string
  readonly location: string
  readonly profileUrl: string
  readonly pictureUrl: string | null
  readonly degree: number | null
}

/** A page of a people search. `next` is null after the last page; `total` is what the provider says there are. */
export interface PeoplePage {
  readonly people: ReadonlyArray<FoundPerson>
  readonly next: string | null
  readonly total: number
}

/** The account that a gateway provides to an agent without linking. */
interface AutomaticAccount {
  readonly gatewayAccountId: string
  readonly tier: LinkedInTier
  readonly features: ReadonlyArray<string>
}

/** A gateway: reads ({@link ProviderReads}), account management (`accounts`) and writes. */
export interface Gateway extends ProviderReads {
  /** Stable name, kept with each linked account: `simulator`, `manual`, `unipile`, `http`. */
  readonly name: string
  /** True when people send approved messages themselves and confirm them with linkedin.queue.resolve. */
  readonly isManual?: boolean
  /** The account that an agent has without linking; undefined when accounts must be linked. */
  readonly automaticAccount: (agent: { readonly id: string }) => AutomaticAccount | undefined
  /** Reads the relation of account and person. Safe to retry. */
  readonly relation: (account: LinkedInAccount, recipient: Recipient) => Effect.Effect<RelationResult>
  /** Sends a message to a conversation. */
  readonly sendToChat: (
    account: LinkedInAccount,
    delivery: Delivery & { readonly chatId: string; readonly text: string }
  ) => Effect.Effect<SendResult>
  /** Sends a message to a connected person without a known conversation. */
  readonly startChat: (
    account: LinkedInAccount,
    delivery: Delivery & { readonly text: string }
  ) => Effect.Effect<SendResult>
  /** Asks a person to connect; `note` has at most 300 UTF-16 units. */
  readonly sendInvitation: (
    account: LinkedInAccount,
    delivery: Delivery & { readonly note: string | null }
  ) => Effect.Effect<SendResult>
  /**
   * One page of a people search by the address of that search; `cursor` is the `next` of the page before, null for the
   * first. Fails for an address that is none of a search, and as asking the provider does; trying again is safe.
   */
  readonly searchPeople: (
    account: LinkedInAccount,
    search: { readonly url: string; readonly cursor: string | null; readonly limit: number }
  ) => Effect.Effect<PeoplePage, InvalidInput | NotAPeopleSearch | ProviderFailure>
  /** Withdraws an invitation. Also `Confirmed` when none is pending. */
  readonly withdrawInvitation: (account: LinkedInAccount, recipient: Recipient) => Effect.Effect<SendResult>
  /** Account management. */
  readonly accounts: ProviderAccounts
}

/** The configured gateway. */
export class LinkedInGateway extends Context.Service<LinkedInGateway, Gateway>()(
  "@svc/core/outreach/LinkedInGateway"
) {}

/** Defaults of a gateway that only sends: no reads, withdrawals or hosted links. */
export const sendingOnly: ProviderReads & Pick<Gateway, "accounts" | "withdrawInvitation"> = {
  ...noReads,
  accounts: noAccounts,
  withdrawInvitation: () => Effect.succeed({ _tag: "Unavailable", detail: "No provider is configured." } as const)
}
