/** What is on its way to LinkedIn, and what became of it: the port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import type { QueueItem, SendAttempt } from "./DraftRow.ts"
import type { LeadRelation } from "./LeadRelation.ts"

/** Something that the dispatcher should look at. `due` is since when. */
export interface DueSend {
  readonly organizationId: string
  readonly draftId: string
  /** Null for an approved draft that no queue item carries yet. */
  readonly queueItemId: string | null
  /** True for a transmission of which nothing was heard. */
  readonly isStale: boolean
  readonly due: string
}

/** Which work to look for. Instants are ISO texts; `organizationId` undefined looks at every organization. */
export interface DueRequest {
  readonly organizationId: string | undefined
  /** Queue items that wait until this instant or earlier. */
  readonly now: string
  /** Drafts approved at this instant or earlier. */
  readonly approvedBefore: string
  /** Transmissions begun at this instant or earlier, of which nothing was heard. */
  readonly staleBefore: string
  readonly limit: number
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
 * serves all organizations, so `due` alone may look across them; it answers no content.
 */
export class QueueRepo extends Context.Service<
  QueueRepo,
  {
    /** Stores queue items whose drafts are held, new and changed ones, in one statement. */
    readonly save: (organizationId: string, items: ReadonlyArray<QueueItem>) => Effect.Effect<void, Failure>
    /** Stores a transmission, or what became of it. */
    readonly saveAttempt: (attempt: SendAttempt) => Effect.Effect<void, Failure>
    /** Whether a message to this lead is being transmitted right now, by an item other than this one. */
    readonly isBusy: (organizationId: string, leadId: string, exceptItemId: string) => Effect.Effect<boolean, Failure>
    /** How many items of the lead are queued, wait for the relation, are being sent or are ambiguous. */
    readonly countLive: (organizationId: string, leadId: string) => Effect.Effect<number, Failure>
    /** How many messages of the agent are not sent yet: queued, waiting, being sent or ambiguous. */
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
    /**
     * Approved drafts without a queue item, queue items whose time has come, and stale transmissions; longest due first.
     * Drafts and items without bypass whose mission is not active are left out.
     */
    readonly due: (request: DueRequest) => Effect.Effect<ReadonlyArray<DueSend>, Failure>
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
