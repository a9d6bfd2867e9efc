/** What is on its way to LinkedIn, and what became of it: the port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { QueueItem, QueueReason, SendAttempt } from "./DraftRow.ts"
import type { DraftQueueState } from "./DraftStatus.ts"
import type { InvitationStore } from "./invitations/InvitationStore.ts"
import type { LeadRelation } from "./LeadRelation.ts"
import type { AccountHold, PaceFacts } from "./pacing/Pacing.ts"
import type { LimitOverrides, UsageAction, UsageCaps } from "./pacing/UsageLimits.ts"

/** Something that the dispatcher should look at. `due` is since when. */
export interface DueSend {
  readonly organizationId: string
  readonly draftId: string
  /** Null for an approved draft that no queue item carries, as its agent had no account. */
  readonly queueItemId: string | null
  /** True for a transmission of which nothing was heard: then `due` is when its lease ended. */
  readonly isStale: boolean
  readonly due: string
  /** The lease under which it was taken, 0 when it was not. */
  readonly fence: number
}

/** Which work to look for. Instants are ISO texts; `organizationId` undefined looks at every organization. */
export interface DueRequest {
  readonly organizationId: string | undefined
  readonly now: string
  /** Drafts approved at this instant or earlier. */
  readonly approvedBefore: string
  /** Transmissions without a lease, begun at this instant or earlier, of which nothing was heard. */
  readonly staleBefore: string
  readonly limit: number
}

/** Which items to take, for how long. `isPaced` false leaves pauses and rests of accounts out of account. */
export interface TakeRequest {
  readonly organizationId: string | undefined
  readonly now: string
  readonly isPaced: boolean
  readonly leaseSeconds: number
  readonly limit: number
}

/** A transmission that is to begin. */
export interface BeginRequest {
  /** The item in state `sending`, as it is to be stored. */
  readonly item: QueueItem
  readonly attempt: SendAttempt
  /** The lease under which it was taken; undefined takes it over from whoever has it. */
  readonly fence: number | undefined
  /** Usage limits and the end of the rest that must hold; null for what is only counted. */
  readonly caps: UsageCaps | null
  /** How long the account rests afterwards; null for not at all. */
  readonly gapSeconds: number | null
  readonly leaseSeconds: number
}

/** Whether it may begin: stored as begun under a new lease, taken by another meanwhile, or held until an instant. */
export type Begun =
  | { readonly _tag: "Begun"; readonly fence: number }
  | { readonly _tag: "Lost" }
  | { readonly _tag: "Held"; readonly reason: "spacing" | "usage_limit" | "limit"; readonly until: string }

/** A queue item as a list shows it: with what holds its account, and its place among those of the account that wait. */
export interface ListedItem {
  readonly item: QueueItem
  readonly hold: AccountHold
  readonly isMissionActive: boolean
  readonly position: number | null
}

/** Which queue items. */
export interface QueueFilter {
  readonly accountId: string | undefined
  readonly states: ReadonlyArray<DraftQueueState>
}

/** What an account did in 7 days, and what it has still to do. */
export interface AccountUsage extends PaceFacts {
  /** Confirmed, unknown and running transmissions, oldest first. */
  readonly done: ReadonlyArray<{ readonly action: UsageAction; readonly at: string }>
  /** At most 500 items that wait in state queued, in the order in which they leave. */
  readonly waiting: ReadonlyArray<{
    readonly queueId: string
    readonly notBefore: string
    readonly bypass: boolean
    readonly leadTimezone: string | null
  }>
  /** At most 500 invitations in state queued, in the order in which they leave. */
  readonly inviting: ReadonlyArray<{
    readonly queueId: string
    readonly notBefore: string
    readonly bypass: boolean
    readonly leadTimezone: string | null
    readonly action: "invitation" | "invitation_with_note"
  }>
}

/** What sending must know of a person. */
export interface KnownPerson {
  /** Strongest first. */
  readonly identities: ReadonlyArray<Identity>
  /** How the account and the person stood when they were last looked at. */
  readonly relation: LeadRelation | undefined
}

/**
 * Stores queue items, transmissions and relations. Fails with UNAVAILABLE when the store cannot be reached. The dispatcher
 * serves all organizations, so `due` and `take` alone may look across them; they answer no content.
 */
export class QueueRepo extends Context.Service<
  QueueRepo,
  {
    /** Invitations, which are queued beside messages and share their accounts' limits. */
    readonly invitations: InvitationStore
    /** Stores queue items whose drafts are held, new and changed ones, in one statement. */
    readonly save: (organizationId: string, items: ReadonlyArray<QueueItem>) => Effect.Effect<void, Failure>
    /** Stores a transmission, or what became of it. */
    readonly saveAttempt: (attempt: SendAttempt) => Effect.Effect<void, Failure>
    /** The transmissions of one queue item or invitation, oldest first. */
    readonly attemptsOf: (
      organizationId: string,
      queueItemId: string
    ) => Effect.Effect<ReadonlyArray<SendAttempt>, Failure>
    /** Whether a message to this lead is being transmitted right now, by an item other than this one. */
    readonly isBusy: (organizationId: string, leadId: string, exceptItemId: string) => Effect.Effect<boolean, Failure>
    /**
     * How many items of the lead are queued, wait for the relation, are being sent or are ambiguous, and how many of its
     * invitations are live.
     */
    readonly countLive: (organizationId: string, leadId: string) => Effect.Effect<number, Failure>
    /** How many messages and invitations of the agent are not sent yet: queued, waiting, being sent or ambiguous. */
    readonly countUnsent: (organizationId: string, agentId: string) => Effect.Effect<number, Failure>
    /** Whom a message goes to. */
    readonly person: (organizationId: string, accountId: string, leadId: string) => Effect.Effect<KnownPerson, Failure>
    /** Stores how an account and a lead stand. */
    readonly saveRelation: (relation: LeadRelation) => Effect.Effect<void, Failure>
    /**
     * Gives everything of merged leads to the winner: drafts, queue items, and the relations with accounts of which the
     * winner has none. Fails with DRAFT_OPEN when the winner would have two open drafts with one agent.
     */
    readonly adopt: (
      organizationId: string,
      winnerLeadId: string,
      loserLeadIds: ReadonlyArray<string>,
      at: string
    ) => Effect.Effect<void, Failure>
    /** Approved drafts without a queue item whose mission is active, and stale transmissions; longest due first. */
    readonly due: (request: DueRequest) => Effect.Effect<ReadonlyArray<DueSend>, Failure>
    /**
     * Leases items whose time has come, in one statement: no two processes get the same. Accounts take turns, the one that
     * waited longest first, so that many items of one hold back none of another. Items without bypass whose mission is not
     * active are left out.
     */
    readonly take: (request: TakeRequest) => Effect.Effect<ReadonlyArray<DueSend>, Failure>
    /** Leases items of unknown outcome whose time to be looked for has come, longest due first, in one statement. */
    readonly takeUnknown: (request: Omit<TakeRequest, "isPaced">) => Effect.Effect<ReadonlyArray<DueSend>, Failure>
    /** Renews the lease of an item that is leased with this fence; answers whether it was. */
    readonly renew: (
      organizationId: string,
      itemId: string,
      fence: number,
      leaseSeconds: number
    ) => Effect.Effect<boolean, Failure>
    /**
     * Stores that a transmission begins, if it may, in one statement: of many that begin at once for an account, no more
     * pass than its limits allow. Transmissions that ended refused or unavailable are not counted.
     */
    readonly begin: (request: BeginRequest) => Effect.Effect<Begun, Failure>
    /** What an account's pace depends on, and the time zone of a lead. Undefined for an account that is not stored. */
    readonly pace: (
      organizationId: string,
      accountId: string,
      leadId: string
    ) => Effect.Effect<{ readonly facts: PaceFacts; readonly leadTimezone: string | null } | undefined, Failure>
    /** Holds an account's items without bypass; `lookAt` is when to ask again. */
    readonly hold: (
      organizationId: string,
      accountId: string,
      hold: { readonly reason: QueueReason; readonly until: string; readonly lookAt: string }
    ) => Effect.Effect<void, Failure>
    /** Stops an action of an account, as its provider refuses it until then. */
    readonly stop: (
      organizationId: string,
      accountId: string,
      action: "message" | "invitation",
      until: string
    ) => Effect.Effect<void, Failure>
    /** Stores limits of an account below those of its subscription, and ends its hold. */
    readonly setLimits: (
      organizationId: string,
      accountId: string,
      limits: LimitOverrides,
      ramp: boolean
    ) => Effect.Effect<void, Failure>
    /** A page of queue items, oldest first. Items of no state are none. */
    readonly list: (
      organizationId: string,
      filter: QueueFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ListedItem>, Failure>
    /** One queue item, with what holds its account. */
    readonly item: (organizationId: string, itemId: string) => Effect.Effect<ListedItem | undefined, Failure>
    /** What stored accounts of live agents did since an instant and have to do: of one account of a gateway, or of all. */
    readonly usage: (
      organizationId: string,
      filter: { readonly gateway: string; readonly accountId: string | undefined },
      since: string
    ) => Effect.Effect<ReadonlyArray<AccountUsage>, Failure>
    /** Items and transmissions of a draft, oldest first. */
    readonly history: (
      organizationId: string,
      draftId: string
    ) => Effect.Effect<
      { readonly items: ReadonlyArray<QueueItem>; readonly attempts: ReadonlyArray<SendAttempt> },
      Failure
    >
  }
>()("@svc/core/linkedin/QueueRepo") {}
