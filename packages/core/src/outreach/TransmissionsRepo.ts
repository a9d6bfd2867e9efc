/** Transmissions and their attempts: the port. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Lease, LeaseRequest, Leases } from "../kernel/background/Worker.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { NotFound, type StoreEffect, type StoreMethod } from "../kernel/failure/failures.ts"
import type {
  AccountId,
  AgentId,
  InstantText,
  LeadId,
  MissionId,
  OrganizationId,
  TurnId
} from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { DraftOpen } from "../leads/failures.ts"
import type { Identity } from "../leads/identity/Identity.ts"
import type { PaceFacts, Uses } from "./pacing/Pacing.ts"
import type { LimitsChange, SendAttempt, UsageAction } from "./pacing/UsageLimits.ts"
import type { LeadRelation } from "./provider/LinkedInAccount.ts"
import type { QueueReason } from "./reasons.ts"
import {
  type EmailRow,
  type Invitation,
  isOfKind,
  type LinkedInTransmission,
  type Transmission,
  type TransmissionId,
  type TransmissionView
} from "./Transmission.ts"

/** A leased transmission, to send or to settle. */
export interface Due extends Lease, Pick<Transmission, "leadId" | "draftId" | "state"> {}

/** Which to lease. `isPaced` false ignores pauses of accounts. */
export interface TakeRequest extends LeaseRequest {
  readonly kind: Transmission["kind"]
  readonly isPaced: boolean
}

/** Which to settle: those of stopped processes (`sending`), or those of unknown outcome (`ambiguous`). */
interface UnsettledRequest extends LeaseRequest {
  readonly kind: Transmission["kind"]
  readonly state: "sending" | "ambiguous"
}

/** A transmission to start, identified by `attempt`. */
interface BeginRequest {
  readonly attempt: SendAttempt
  /** The new `updatedAt` of the transmission. */
  readonly updatedAt: InstantText
  /** The fence of the lease; undefined takes it over from its holder. */
  readonly fence: number | undefined
  /** How long the account pauses afterwards; null for no pause. */
  readonly gapSeconds: number | null
  readonly leaseSeconds: number
}

/** Approved drafts without a queue item, as their agent had no account. */
interface UnqueuedRequest {
  readonly organizationId: OrganizationId
  /** Drafts approved at this time or earlier. */
  readonly approvedBefore: InstantText
  readonly limit: number
}

/** Expired reviews. */
interface ExpiredReviews {
  readonly organizationId: OrganizationId
  readonly now: string
  readonly limit: number
}

/** A filter; undefined and empty `states` match all. `mission` is an id or a handle. */
export interface TransmissionFilter {
  readonly kinds: ReadonlyArray<Transmission["kind"]>
  readonly states: ReadonlyArray<Transmission["state"]>
  readonly accountId?: AccountId | undefined
  readonly leadId?: LeadId | undefined
  readonly mission?: string | undefined
  /** Only emails with a review. */
  readonly reviewed?: boolean
  readonly order: "oldest" | "newest"
}

/** A queued transmission, for forecasts. */
export interface WaitingTurn extends Pick<LinkedInTransmission, "id" | "kind" | "bypass"> {
  readonly notBefore: InstantText
  readonly leadTimezone: string | null
  readonly action: "message" | "invitation" | "invitation_with_note"
}

/** An account's pace and what it did, as they are read to start something. */
export interface AccountFacts {
  /** Null for an account that is not stored. */
  readonly account: (PaceFacts & Uses) | null
  readonly leadTimezone: string | null
  /** Whether another message to the lead is being transmitted right now. */
  readonly isBusy: boolean
  /** Whether the database itself holds sending. */
  readonly isHeld: boolean
}

/** What to read: the uses of these actions since then. `isLocked` holds the account until the transaction ends. */
interface AccountFactsRequest {
  readonly organizationId: OrganizationId
  readonly accountId: AccountId
  /** Whether it is a mailbox, by its address in lower case. */
  readonly isMailbox?: boolean
  readonly actions: ReadonlyArray<UsageAction>
  readonly since: string
  readonly isLocked: boolean
  /** The transmission to start, if it is one. */
  readonly item: { readonly id: string; readonly leadId: LeadId } | undefined
}

/** Uses of an account in the last 7 days, and its queue. */
export interface AccountUsage extends PaceFacts, Uses {
  /** Up to 500 queued ones of each kind, in sending order; without those that wait for their mission. */
  readonly waiting: ReadonlyArray<WaitingTurn>
}

/** The facts about a person for sending. */
interface KnownPerson {
  /** Strongest first. */
  readonly identities: ReadonlyArray<Identity>
  /** The relation at the last check. */
  readonly relation: LeadRelation | undefined
}

/** Stores what leaves; every change happens while its lead is held. Fails with UNAVAILABLE when the store cannot be reached. */
export class TransmissionsRepo extends Context.Service<
  TransmissionsRepo,
  Leases & {
    /**
     * Leases those of a kind whose time has come, in one statement: no two processes get the same. Senders of the organization
     * take turns, the one that waited longest first, so that much to send of one holds back nothing of another. Those without
     * bypass whose mission is not open are left out.
     */
    readonly take: (request: TakeRequest) => StoreEffect<ReadonlyArray<Due>>
    /** Leases what is to be settled and nobody works on, longest due first, in one statement. */
    readonly takeUnsettled: (request: UnsettledRequest) => StoreEffect<ReadonlyArray<Due>>
    /**
     * What decides whether an account may start something now. Locked, it sees all that others have started, and nobody starts
     * anything with the account before the transaction ends: so no more start at once than its limits allow. Uses that ended
     * refused or unavailable are not counted.
     */
    readonly accountFacts: (request: AccountFactsRequest) => StoreEffect<AccountFacts>
    /** Stores that a transmission begins; returns the fence of its new lease, or undefined when another process has taken it. */
    readonly begin: (request: BeginRequest) => StoreEffect<number | undefined>
    /** Stores new and changed ones in one statement; a lease ends unless it is being sent. */
    readonly save: StoreMethod<[rows: ReadonlyArray<Transmission>], void>
    readonly find: StoreMethod<[id: TransmissionId], TransmissionView | undefined>
    /** As `find`, with lead and row locked until the transaction ends; the lead first, as everything that changes one does. */
    readonly hold: StoreMethod<[id: TransmissionId], TransmissionView | undefined>
    readonly list: StoreMethod<[filter: TransmissionFilter, page: PageRequest], Page<TransmissionView>>
    /** All of a lead, newest first. */
    readonly ofLead: StoreMethod<[leadId: LeadId], ReadonlyArray<Transmission>>
    /** Invitations and e-mails in state queued that belong to drafts or an agent, or unsent e-mails of a mission to leads. */
    readonly queued: StoreMethod<
      [
        owner:
          | { readonly draftIds: ReadonlyArray<string> }
          | { readonly agentId: AgentId }
          | { readonly missionId: MissionId; readonly leadIds: ReadonlyArray<string> }
      ],
      ReadonlyArray<Invitation | EmailRow>
    >
    /** Approved drafts that nothing carries whose mission is active, longest approved first. */
    readonly unqueued: (request: UnqueuedRequest) => StoreEffect<ReadonlyArray<string>>
    /** Reviews that ended by themselves, longest over time first. */
    readonly expired: (request: ExpiredReviews) => StoreEffect<ReadonlyArray<string>>
    /** How many messages and invitations of the agent are not sent yet: queued, waiting, being sent or ambiguous. */
    readonly countUnsent: StoreMethod<[agentId: AgentId], number>
    /** Stores an attempt, or what became of it. */
    readonly saveAttempt: (attempt: SendAttempt) => StoreEffect<void>
    /** The attempts of one transmission, oldest first. */
    readonly attemptsOf: StoreMethod<[id: TurnId], ReadonlyArray<SendAttempt>>
    /** A lead's identifiers, and how it stands with an account. */
    readonly person: StoreMethod<[accountId: AccountId | null, leadId: LeadId], KnownPerson>
    /** Stores how an account and a lead stand. */
    readonly saveRelation: (relation: LeadRelation) => StoreEffect<void>
    /** Deletes how accounts and a lead stand. */
    readonly forgetRelations: StoreMethod<[leadId: LeadId], void>
    /**
     * Gives everything of merged leads to the winner: drafts, transmissions, and the relations with accounts of which the
     * winner has none. Fails with DRAFT_OPEN when the winner would have two open drafts with one agent.
     */
    readonly adopt: StoreMethod<
      [winnerLeadId: LeadId, loserLeadIds: ReadonlyArray<string>, at: string],
      void,
      DraftOpen
    >
    /** Holds what an account sends of a kind without bypass; `recheckAt` is when to ask again. */
    readonly holdAccount: StoreMethod<
      [
        accountId: AccountId,
        kind: LinkedInTransmission["kind"],
        hold: { readonly reason: QueueReason; readonly until: string; readonly recheckAt: InstantText }
      ],
      void
    >
    /** Stops what an account sends of a kind, as its provider refuses it until then. */
    readonly stop: StoreMethod<[accountId: AccountId, kind: LinkedInTransmission["kind"], until: string], void>
    /** Changes the given limits of an account atomically, so that concurrent changes are all kept, and ends its holds. */
    readonly setLimits: StoreMethod<[accountId: AccountId, change: LimitsChange], void>
    /** What stored accounts of live agents did since an instant and have to do: of one account of a gateway, or of all. */
    readonly usage: StoreMethod<
      [filter: { readonly gateway: string; readonly accountId: AccountId | undefined }, since: string],
      ReadonlyArray<AccountUsage>
    >
  }
>()("@svc/core/outreach/TransmissionsRepo") {}

/**
 * Stores how an account and a lead stand after a change of what is known of them; undefined changes nothing. Returns what was
 * stored.
 */
export const changeRelation = Effect.fnUntraced(function* (
  { accountId, leadId, organizationId }: Pick<LeadRelation, "accountId" | "leadId" | "organizationId">,
  checkedAt: InstantText,
  change: (known: LeadRelation | undefined) => Partial<LeadRelation> | undefined
) {
  const { person, saveRelation } = yield* TransmissionsRepo
  const { relation } = yield* person(organizationId, accountId, leadId)
  const changes = change(relation)
  if (changes === undefined) return undefined
  const unknown = { organizationId, accountId, leadId, connected: false, chatId: null, invitedAt: null }
  const stored: LeadRelation = { ...unknown, ...relation, checkedAt, ...changes }
  yield* saveRelation(stored)
  return stored
})

const names = { message: "queue item", invitation: "invitation", email: "e-mail" } as const

const readAs = <Kind extends keyof typeof names>(kind: Kind, by: "find" | "hold") =>
  Effect.fnUntraced(function* (id: string) {
    const { organizationId } = yield* Actor
    const view = yield* (yield* TransmissionsRepo)[by](organizationId, id)
    if (view !== undefined && isOfKind(kind)(view)) return view
    return yield* new NotFound({ kind: names[kind], id })
  })

/** Reads a message, an invitation or an e-mail. Each fails with NOT_FOUND. */
export const readMessage = readAs("message", "find")
export const readInvitation = readAs("invitation", "find")
export const readEmail = readAs("email", "find")

/** The same, with its lead and itself held until the transaction ends. */
export const holdInvitation = readAs("invitation", "hold")
export const holdEmail = readAs("email", "hold")
