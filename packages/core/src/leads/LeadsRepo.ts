/** Leads of organizations: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { MissionStatus } from "../missions/MissionStatus.ts"
import type { PageRequest } from "../Page.ts"
import { compareText, type Identity } from "./identity/Identity.ts"
import type { LeadRow } from "./Lead.ts"
import type { LeadFilter, LeadPage, LeadSort } from "./LeadSearch.ts"
import type { LeadIdentityRow, LeadMessageRow } from "./LeadTables.ts"
import type { SuppressionEntry, SuppressionMatch, SuppressionRow } from "./suppression/Suppression.ts"

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
  /** What keeps the lead from being contacted beside its status: entries that name it, ended ones included. */
  readonly suppressions: ReadonlyArray<SuppressionEntry>
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
  /** Entries and tombstones that name one of the given identifiers, ended ones included. */
  readonly suppressions: ReadonlyArray<SuppressionMatch>
}

/** Whom many rows mean: each identifier once. `mission` is an id or a handle. */
export interface LeadReferences {
  readonly identities: ReadonlyArray<Identity>
  readonly leadIds: ReadonlyArray<string>
  readonly mission?: string | undefined
}

/** What many rows stand for. */
export interface ManyFound extends Pick<Resolution, "mission" | "suppressions"> {
  /**
   * Every lead that holds one of the identifiers or is one of the given ids, by id: with all its identifiers, of its
   * missions only the one asked for, and without messages.
   */
  readonly leads: ReadonlyArray<StoredLead>
  /** From the given lead ids that exist to the leads that they are now. */
  readonly leadIds: ReadonlyMap<string, string>
}

/** What many rows write, each lead and each identifier once. */
export interface LeadsChange {
  readonly organizationId: string
  readonly created: ReadonlyArray<LeadRow>
  readonly changed: ReadonlyArray<LeadRow>
  /** Identifiers that nobody held, in the order of kind and value. */
  readonly added: ReadonlyArray<LeadIdentityRow>
  /** Identifiers that go over from another lead. */
  readonly moved: ReadonlyArray<LeadIdentityRow>
  /** Identifiers given up. */
  readonly released: ReadonlyArray<LeadIdentityRow>
  /** Leads that are new in a mission. */
  readonly linked:
    | { readonly missionId: string; readonly leadIds: ReadonlyArray<string>; readonly at: string }
    | undefined
  /** Entries of leads that must not be contacted from now on. */
  readonly suppressed: ReadonlyArray<SuppressionRow>
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
  /** Held from now on; nobody held them before, or one of `rows`. */
  readonly held: ReadonlyArray<LeadIdentityRow>
  /** Given up; none of them is in `held`. */
  readonly released: ReadonlyArray<LeadIdentityRow>
  /** A new lead of a mission; `touch` notes the use of the mission, to the minute. */
  readonly link:
    | { readonly missionId: string; readonly leadId: string; readonly at: string; readonly touch: boolean }
    | undefined
  /** Entries of leads that must not be contacted from now on; none is shortened by it. None when left out. */
  readonly suppressed?: ReadonlyArray<SuppressionRow>
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
    /** As `resolve`, for many rows at once: a few statements however many rows there are. */
    readonly resolveMany: (organizationId: string, references: LeadReferences) => Effect.Effect<ManyFound, Failure>
    /**
     * Writes what many rows change of what `resolveMany` answered in this transaction. Where somebody else took one of
     * the identifiers meanwhile, the whole transaction runs again.
     */
    readonly writeMany: (change: LeadsChange) => Effect.Effect<void, Failure>
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
    /** Stores a message of a lead, unless its channel has one with its external id: answers that one then. */
    readonly addMessage: (
      message: LeadMessageRow
    ) => Effect.Effect<Pick<LeadMessageRow, "id" | "leadId"> | undefined, Failure>
    /** As `resolve`, for reading only, with context; `mission` is not looked at. */
    readonly find: (
      organizationId: string,
      reference: LeadReference
    ) => Effect.Effect<{ readonly leadId: string | undefined; readonly leads: ReadonlyArray<LeadView> }, Failure>
    /** A page of leads as they are at an instant, in the order of {@link positionOf}; `recent` runs backwards. */
    readonly search: (
      organizationId: string,
      filter: LeadFilter,
      sort: LeadSort,
      page: PageRequest,
      at: string
    ) => Effect.Effect<LeadPage, Failure>
  }
>()("@svc/core/leads/LeadsRepo") {}
