/** Where invitations are kept: the part of the queue's port that is theirs. */
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { Page, PageRequest } from "../../Page.ts"
import type { QueueReason, SendAttempt } from "../DraftRow.ts"
import type { AccountHold } from "../pacing/Pacing.ts"
import type { UsageRule } from "../pacing/UsageLimits.ts"
import type { Invitation, InvitationState } from "./Invitation.ts"

/** An invitation that was leased, to be sent or to be settled. */
export interface DueInvitation {
  readonly organizationId: string
  readonly invitationId: string
  readonly leadId: string
  readonly state: InvitationState
  readonly fence: number
}

/** Which invitations to take, for how long. `isPaced` false leaves rests and limits of accounts out of account. */
export interface TakeInvitations {
  readonly organizationId: string | undefined
  readonly now: string
  readonly isPaced: boolean
  readonly leaseSeconds: number
  readonly limit: number
}

/** A transmission that is to begin. */
export interface BeginInvitation {
  /** The invitation in state `sending`, as it is to be stored. */
  readonly invitation: Invitation
  readonly attempt: SendAttempt
  /** The lease under which it was taken; undefined takes it over from whoever has it. */
  readonly fence: number | undefined
  /** What must hold; null for what is only counted. */
  readonly rules: ReadonlyArray<UsageRule> | null
  /** How long the account rests afterwards; null for not at all. */
  readonly gapSeconds: number | null
  readonly leaseSeconds: number
}

/** Why something may not begin, and until when. */
export interface Held {
  readonly _tag: "Held"
  readonly reason: "spacing" | "usage_limit" | "limit"
  readonly until: string
}

/** Whether it may begin: stored as begun under a new lease, taken by another meanwhile, or held. */
export type BegunInvitation = { readonly _tag: "Begun"; readonly fence: number } | { readonly _tag: "Lost" } | Held

/** An invitation as a list shows it: with what holds its account. */
export interface ListedInvitation {
  readonly invitation: Invitation
  readonly hold: AccountHold
}

/**
 * Stores invitations; every change happens while their lead is held. Fails with UNAVAILABLE when the store cannot be
 * reached. The dispatcher serves all organizations, so `take` and `takeUnsettled` alone look across them; they answer no
 * content.
 */
export interface InvitationStore {
  /** Every invitation of a lead, newest first. */
  readonly ofLead: (organizationId: string, leadId: string) => Effect.Effect<ReadonlyArray<Invitation>, Failure>
  /** Those in state queued that belong to drafts, or to the accounts of an agent. */
  readonly queued: (
    organizationId: string,
    owner: { readonly draftIds: ReadonlyArray<string> } | { readonly agentId: string }
  ) => Effect.Effect<ReadonlyArray<Invitation>, Failure>
  /** One invitation, with what holds its account. */
  readonly find: (organizationId: string, id: string) => Effect.Effect<ListedInvitation | undefined, Failure>
  /** Stores invitations, new and changed ones; a lease ends unless it is being sent. */
  readonly save: (organizationId: string, invitations: ReadonlyArray<Invitation>) => Effect.Effect<void, Failure>
  /** Leases those whose time has come, accounts in turns: no two processes get the same. */
  readonly take: (request: TakeInvitations) => Effect.Effect<ReadonlyArray<DueInvitation>, Failure>
  /** Leases transmissions of which nothing was heard, and those of unknown outcome whose time to be looked for has come. */
  readonly takeUnsettled: (
    request: Omit<TakeInvitations, "isPaced">
  ) => Effect.Effect<ReadonlyArray<DueInvitation>, Failure>
  /** Renews the lease of one that is leased with this fence; answers whether it was. */
  readonly renew: (
    organizationId: string,
    id: string,
    fence: number,
    leaseSeconds: number
  ) => Effect.Effect<boolean, Failure>
  /**
   * Stores that a transmission begins, if it may, in one statement: of many that begin at once for an account, no more
   * pass than its limits allow.
   */
  readonly begin: (request: BeginInvitation) => Effect.Effect<BegunInvitation, Failure>
  /** Holds an account's invitations without bypass; `lookAt` is when to ask again. */
  readonly hold: (
    organizationId: string,
    accountId: string,
    hold: { readonly reason: QueueReason; readonly until: string; readonly lookAt: string }
  ) => Effect.Effect<void, Failure>
  /** A page of invitations, oldest first. Those of no state are none. */
  readonly list: (
    organizationId: string,
    filter: { readonly accountId: string | undefined; readonly states: ReadonlyArray<InvitationState> },
    page: PageRequest
  ) => Effect.Effect<Page<ListedInvitation>, Failure>
  /** Gives the invitations of merged leads to the winner. */
  readonly adopt: (
    organizationId: string,
    winnerLeadId: string,
    loserLeadIds: ReadonlyArray<string>,
    at: string
  ) => Effect.Effect<void, Failure>
  /**
   * Stores that an action other than a message or an invitation begins, if its rules hold, in one statement; undefined
   * when it does. The account must be stored.
   */
  readonly beginUse: (
    attempt: SendAttempt,
    rules: ReadonlyArray<UsageRule> | null
  ) => Effect.Effect<Held | undefined, Failure>
}
