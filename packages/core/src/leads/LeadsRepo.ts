/** Leads of organizations: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { MissionStatus } from "../missions/MissionStatus.ts"
import type { PageRequest, Position } from "../Page.ts"
import { compareText, type Identity } from "./identity/Identity.ts"
import type { LeadRow } from "./Lead.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import type { LeadIdentityRow, LeadMessageRow } from "./LeadTables.ts"
import { type ActionKind, actionRank } from "./NextAction.ts"

/** How many messages are read with a lead, the latest. */
export const messagesRead = 100

/** A mission that a lead belongs to. */
export interface MissionOfLead {
  readonly id: string
  readonly handle: string
  readonly name: string
  readonly linkedAt: string
}

/** A message as it is read with its lead. What waits in a queue has not been sent yet: `isPending`. Source: G12. */
export interface LeadMessage extends Omit<LeadMessageRow, "organizationId" | "leadId" | "externalId"> {
  readonly isPending: boolean
}

/** A lead with what belongs to it: missions in the order of linking, latest {@link messagesRead} messages oldest first. */
export interface StoredLead {
  readonly row: LeadRow
  readonly identities: ReadonlyArray<Identity>
  readonly missions: ReadonlyArray<MissionOfLead>
  readonly messages: ReadonlyArray<LeadMessage>
}

/** Whom a call means: identifiers, a lead id, or both. `mission` is an id or a handle. */
export interface LeadReference {
  readonly identities: ReadonlyArray<Identity>
  readonly leadId?: string | undefined
  readonly mission?: string | undefined
}

/** What a reference stands for. A merged lead is answered as the one that it went into. */
export interface Resolution {
  /** The lead of the given `leadId`; undefined when there is none. */
  readonly leadId: string | undefined
  /** It, and every lead that holds one of the identifiers; by id. */
  readonly leads: ReadonlyArray<StoredLead>
  readonly mission:
    | { readonly id: string; readonly handle: string; readonly name: string; readonly status: MissionStatus }
    | undefined
}

/** The order of missions and messages: by instant, ids break ties. */
export const oldestFirst =
  <A extends { readonly id: string }>(timeOf: (item: A) => string) =>
  (a: A, b: A): number =>
    compareText(timeOf(a), timeOf(b)) || compareText(a.id, b.id)

/** What one change writes. */
export interface LeadChange {
  readonly organizationId: string
  /** Stored under their ids, new or not. */
  readonly rows: ReadonlyArray<LeadRow>
  /** Held from now on, whoever held them before. */
  readonly held: ReadonlyArray<LeadIdentityRow>
  /** Given up; none of them is in `held`. */
  readonly released: ReadonlyArray<LeadIdentityRow>
  /** A new lead of a mission; `touch` notes the use of the mission, to the minute. */
  readonly link:
    | { readonly missionId: string; readonly leadId: string; readonly at: string; readonly touch: boolean }
    | undefined
}

/** A lead with its context, for reading. */
export interface LeadView extends StoredLead {
  readonly briefs: ReadonlyArray<{
    readonly missionId: string
    readonly status: MissionStatus
    readonly offerName: string | null
    readonly offerOneLiner: string | null
  }>
  /** The newest draft that is neither sent nor cancelled. */
  readonly openDraft: {
    readonly draftId: string
    readonly status: "PENDING_REVIEW" | "READY_TO_SEND"
    readonly agentHandle: string
    readonly missionId: string | null
    readonly createdAt: string
  } | null
  readonly hasAmbiguousSend: boolean
  /** How the account that looked last and the lead stand. */
  readonly relation: {
    readonly accountId: string
    readonly connected: boolean
    readonly hasConversation: boolean
    readonly invitedAt: string | null
    readonly checkedAt: string
  } | null
}

/** How an account and a lead can stand, as lists are filtered by it. */
export type RelationFilter = "connected" | "invited" | "none"

/** Which leads of a list. Texts match in any case; `firstName` begins the name, `lastName` ends it, others are parts. */
export interface LeadFilter {
  readonly query: string | undefined
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly company: string | undefined
  readonly jobTitle: string | undefined
  /** Key form of an address that the lead holds. */
  readonly email: string | undefined
  readonly statuses: ReadonlyArray<LeadStatus> | undefined
  /** Id or handle. */
  readonly mission: string | undefined
  readonly importId: string | undefined
  readonly scoreMin: number | undefined
  readonly isFlagged: boolean | undefined
  readonly hasEmail: boolean | undefined
  readonly hasConversation: boolean | undefined
  readonly relation: RelationFilter | undefined
  readonly needsAction: boolean | undefined
  readonly createdAfter: string | undefined
  readonly updatedAfter: string | undefined
}

/** `action`: most urgent, then best score; `score`: best first; `recent`: latest change first; `name`: A to Z. */
export type LeadSort = "action" | "score" | "recent" | "name"

/** A lead of a list. */
export interface ListedLead
  extends Pick<
    LeadRow,
    | "id"
    | "name"
    | "headline"
    | "jobTitle"
    | "company"
    | "email"
    | "linkedinUrl"
    | "avatarUrl"
    | "score"
    | "status"
    | "isFlagged"
    | "lastInboundAt"
    | "lastOutboundAt"
    | "createdAt"
    | "updatedAt"
  > {
  readonly action: ActionKind | null
}

/** Place of a lead in a sorted list, for cursors; ids break ties. */
export const positionOf = (sort: LeadSort, lead: ListedLead): Position => {
  switch (sort) {
    case "action":
      return [actionRank(lead.action), -lead.score, lead.id]
    case "score":
      return [-lead.score, lead.id]
    case "recent":
      return [lead.updatedAt, lead.id]
    case "name":
      return [lead.name.toLowerCase(), lead.id]
  }
}

/** The most that `total` counts to. */
export const largestTotal = 10_000

/** A page of leads; `total` counts all that match, at most {@link largestTotal}. */
export interface LeadPage {
  readonly items: ReadonlyArray<ListedLead>
  readonly next: Position | undefined
  readonly total: number
}

/** Stores leads. Fails with UNAVAILABLE when the store cannot be reached. Source: G17, G18. */
export class LeadsRepo extends Context.Service<
  LeadsRepo,
  {
    /**
     * Finds what a reference stands for, and keeps identifiers and leads from being changed by others until the
     * transaction ends. Two calls with the same identifiers take turns, whatever the order of the identifiers.
     */
    readonly resolve: (organizationId: string, reference: LeadReference) => Effect.Effect<Resolution, Failure>
    /** Writes a change to what `resolve` answered in this transaction. */
    readonly write: (change: LeadChange) => Effect.Effect<void, Failure>
    /**
     * Makes the losers a part of the winner: identifiers, missions, messages and the links of what was merged into them
     * before go over; the losers stay as redirects.
     */
    readonly merge: (
      organizationId: string,
      winnerId: string,
      loserIds: ReadonlyArray<string>,
      at: string
    ) => Effect.Effect<void, Failure>
    /** Stores a message of a lead, unless its channel has one with its external id: answers the id of that one then. */
    readonly addMessage: (message: LeadMessageRow) => Effect.Effect<string | undefined, Failure>
    /** As `resolve`, for reading only, with context; `mission` is not looked at. */
    readonly find: (
      organizationId: string,
      reference: LeadReference
    ) => Effect.Effect<{ readonly leadId: string | undefined; readonly leads: ReadonlyArray<LeadView> }, Failure>
    /** A page of leads, in the order of {@link positionOf}; `recent` runs backwards. */
    readonly search: (
      organizationId: string,
      filter: LeadFilter,
      sort: LeadSort,
      page: PageRequest
    ) => Effect.Effect<LeadPage, Failure>
  }
>()("@svc/core/leads/LeadsRepo") {}
