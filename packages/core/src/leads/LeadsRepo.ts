/** Leads: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import type {
  AccountId,
  DraftId,
  InstantText,
  LeadId,
  MessageId,
  MissionId,
  OrganizationId,
  QueueItemId
} from "../kernel/schema/IdsAndTime.ts"
import type { PageRequest } from "../kernel/schema/Page.ts"
import type { MissionBrief, MissionRow } from "../missions/Mission.ts"
import type { MissionStatus } from "../missions/MissionStatus.ts"
import type { Offer } from "../offers/Offer.ts"
import type { FollowUpContext, FollowUpFacts, PlannedFollowUp } from "./followUp.ts"
import type { Duplicates, LeadFilter, LeadHistory, LeadPage, LeadSort } from "./history/LeadHistory.ts"
import { compareText, type Identity } from "./identity/Identity.ts"
import type { KeptReason, LeadIdentityRow, LeadMessageRow, LeadRow } from "./Lead.ts"
import type { SuppressionEntry, SuppressionMatch, SuppressionRow } from "./suppression/Suppression.ts"

/** A lead that was refused, by the given id. */
interface RefusedLink {
  readonly leadId: LeadId
  readonly code: "NOT_FOUND" | "LEAD_SUPPRESSED"
}

/** The result for all leads. A merged lead counts as the lead it was merged into. */
export interface LinkedLeads {
  /** Ids of the leads that were added or removed, sorted. */
  readonly changed: ReadonlyArray<string>
  /** Number of leads that already were as requested. */
  readonly already: number
  /** In the order given. */
  readonly refused: ReadonlyArray<RefusedLink>
}

/** Stores which leads belong to a mission, which the caller has locked. One statement each. */
export interface LeadLinks {
  /** Adds leads. Refuses those in status DoNotContact. */
  readonly link: StoreMethod<[missionId: MissionId, leadIds: ReadonlyArray<string>, at: string], LinkedLeads>
  /** Removes leads. Refuses only those that do not exist. */
  readonly unlink: StoreMethod<[missionId: MissionId, leadIds: ReadonlyArray<string>], LinkedLeads>
}

/** What a store found for one given id; `leadId` is null when no such lead exists. */
export interface LinkVerdict {
  readonly given: string
  readonly leadId: LeadId | null
  readonly isSuppressed: boolean
  readonly isChanged: boolean
}

/** Sums up verdicts, in the order of the given ids. Two ids of one lead count once. */
export const summarizeVerdicts = (verdicts: ReadonlyArray<LinkVerdict>): LinkedLeads => {
  const seen = new Set<string>()
  const changed: Array<string> = []
  const refused: Array<RefusedLink> = []
  let already = 0
  for (const { given, isChanged, isSuppressed, leadId } of verdicts) {
    const key = leadId ?? given
    if (seen.has(key)) continue
    seen.add(key)
    if (leadId === null) refused.push({ leadId: given, code: "NOT_FOUND" })
    else if (isSuppressed) refused.push({ leadId: given, code: "LEAD_SUPPRESSED" })
    else if (isChanged) changed.push(leadId)
    else already++
  }
  return { changed: changed.sort(), already, refused }
}

/** Maximum number of messages read with a lead, the latest. */
export const maxMessagesRead = 100

/** A mission that a lead belongs to. */
export interface MissionOfLead extends Pick<MissionRow, "id" | "handle" | "name"> {
  readonly linkedAt: InstantText
}

/** A message as it is read with its lead. `isPending`: queued, not sent yet. */
export interface LeadMessage extends Omit<LeadMessageRow, "id" | "organizationId" | "leadId" | "externalId"> {
  /** While pending, the id of the queue item. */
  readonly id: MessageId | QueueItemId
  readonly isPending: boolean
}

/** A lead with what belongs to it: missions in the order of linking, latest {@link maxMessagesRead} messages oldest first. */
export interface StoredLead {
  readonly row: LeadRow
  readonly identities: ReadonlyArray<Identity>
  readonly missions: ReadonlyArray<MissionOfLead>
  readonly messages: ReadonlyArray<LeadMessage>
  /** Suppressions that match the lead, including expired ones. */
  readonly suppressions: ReadonlyArray<SuppressionEntry>
}

/** Identifies a lead: identifiers, a lead id, or both. `mission` is an id or a handle. */
export interface LeadReference {
  readonly identities: ReadonlyArray<Identity>
  readonly leadId?: LeadId | undefined
  readonly mission?: string | undefined
}

/** What a reference resolves to. For a merged lead, the lead it was merged into. */
export interface Resolution {
  /** The live lead of the given `leadId`; undefined when not found. */
  readonly leadId: LeadId | undefined
  /** That lead and every lead that holds one of the identifiers, sorted by id. */
  readonly leads: ReadonlyArray<StoredLead>
  readonly mission: Pick<MissionRow, "id" | "handle" | "name" | "status"> | undefined
  /** Suppressions and tombstones of the given identifiers, including expired ones. */
  readonly suppressions: ReadonlyArray<SuppressionMatch>
}

/** What several references name, each identifier, id and mission once. Missions are ids or handles. */
export interface LeadReferences {
  readonly identities: ReadonlyArray<Identity>
  readonly leadIds: ReadonlyArray<string>
  readonly missions: ReadonlyArray<string>
}

/**
 * Which locks `resolve` takes. `wait`: identifiers, then leads, waiting for whoever holds them. `skip`: the same without waiting;
 * what others hold is reported as busy. `bulk`: leads only, as thousands of identifiers are too many to lock, and without
 * reading messages; a lock timeout retries the transaction.
 */
export type LeadLocks = "wait" | "skip" | "bulk"

/** What references resolve to. */
export interface LeadResolution extends Pick<Resolution, "suppressions"> {
  /** Every lead that holds one of the identifiers or has one of the ids, sorted by id. */
  readonly leads: ReadonlyArray<StoredLead>
  /** From each given lead id that exists to the id of its live lead. */
  readonly leadIds: ReadonlyMap<string, LeadId>
  /** From each given id or handle of a mission that exists. */
  readonly missions: ReadonlyMap<string, NonNullable<Resolution["mission"]>>
  /** Ids of leads and keys of identifiers that other transactions hold. */
  readonly busy: ReadonlySet<string>
}

/** Orders missions and messages by time; ids break ties. */
export const oldestFirst =
  <A extends { readonly id: string }>(timeOf: (item: A) => string) =>
  (a: A, b: A): number =>
    compareText(timeOf(a), timeOf(b)) || compareText(a.id, b.id)

/** Changes, each lead and each identifier once. */
export interface LeadChange {
  readonly organizationId: OrganizationId
  /** Leads that were not there before. */
  readonly created?: ReadonlyArray<LeadRow>
  /** Leads that were there before, updated by id. */
  readonly rows: ReadonlyArray<LeadRow>
  /** Identifiers to remove, first of all; one that moves to another lead is also in `held`. */
  readonly released?: ReadonlyArray<LeadIdentityRow>
  /** Identifiers to store, in one order for all callers. */
  readonly held?: ReadonlyArray<LeadIdentityRow>
  /** Adds leads to missions; `touch` updates the mission's last use, to the minute. */
  readonly links?: ReadonlyArray<{
    readonly missionId: MissionId
    readonly leadId: LeadId
    readonly at: string
    readonly touch: boolean
  }>
  /** Suppressions to add; an existing longer one stays. */
  readonly suppressed?: ReadonlyArray<SuppressionRow>
  /** Whether a lock timeout retries the transaction. */
  readonly isBulk?: boolean
}

/** A lead with its context, for reading. */
export interface LeadView extends StoredLead {
  readonly briefs: ReadonlyArray<{
    readonly missionId: MissionId
    readonly status: MissionStatus
    readonly offerName: string | null
    readonly offerOneLiner: string | null
    readonly valueProposition: string | null
    readonly brief: MissionBrief
    readonly proof: Offer["references"]
  }>
  /** The newest draft that is neither sent nor cancelled. */
  readonly openDraft: {
    readonly draftId: DraftId
    readonly status: "PENDING_REVIEW" | "READY_TO_SEND"
    readonly agentHandle: string
    readonly missionId: MissionId | null
    readonly createdAt: InstantText
    readonly rewriteRequested: boolean
    readonly snoozedUntil: InstantText | null
  } | null
  readonly hasAmbiguousSend: boolean
  /** LinkedIn relation at the last check, by whichever account checked last. */
  readonly relation: {
    readonly accountId: AccountId
    readonly connected: boolean
    readonly hasConversation: boolean
    readonly invitedAt: InstantText | null
    readonly checkedAt: InstantText
  } | null
  readonly followUps: FollowUpContext
}

/** Finds and writes leads. */
interface LeadStore {
  /**
   * Resolves references and locks what they name until the transaction ends, so that concurrent calls with the same
   * identifiers wait for each other, whatever their order.
   */
  readonly resolve: StoreMethod<[references: LeadReferences, locks?: LeadLocks], LeadResolution>
  /**
   * Writes changes to what `resolve` returned in this transaction. If another transaction took one of the identifiers in
   * the meantime, the whole transaction is retried.
   */
  readonly write: (change: LeadChange) => StoreEffect<void>
  /**
   * Moves identifiers, missions, messages and earlier merges of the losers to the winner. The losers stay as redirects.
   */
  readonly merge: StoreMethod<[winnerId: LeadId, loserIds: ReadonlyArray<string>, at: string], void>
  /** Stores a message, unless the channel already has one with this external id; then returns that one. */
  readonly addMessage: (message: LeadMessageRow) => StoreEffect<Pick<LeadMessageRow, "id" | "leadId"> | undefined>
  /** Resolves one reference without locks, with context; ignores `mission`. */
  readonly find: StoreMethod<
    [reference: LeadReference],
    { readonly leadId: LeadId | undefined; readonly leads: ReadonlyArray<LeadView> }
  >
  /** A page of leads at a point in time, in the order of {@link positionOf}; `recent` is descending. */
  readonly search: StoreMethod<[filter: LeadFilter, sort: LeadSort, page: PageRequest, at: string], LeadPage>
  /**
   * Inside a transaction: deletes a lead with its cancelled drafts, unless it belongs to any mission or import, or is in use
   * otherwise; returns the reason then. One that does not exist is not in use.
   */
  readonly removeUnused: StoreMethod<[leadId: LeadId], KeptReason | undefined>
  /**
   * Stores the next actions of a batch of leads again, after a change that concerned too many leads for its own transaction.
   * Returns whether there was such a change.
   */
  readonly keepActions: StoreMethod<[now: string], boolean>
  /** What follow-ups to live leads depend on, of those in active missions with steps; others are left out. */
  readonly followUpFacts: StoreMethod<[leadIds: ReadonlyArray<string>], ReadonlyMap<string, FollowUpFacts>>
  /** Marks follow-ups that are due as announced, those due longest first, and returns them; each is returned once. */
  readonly announceFollowUps: StoreMethod<
    [now: string, limit: number],
    ReadonlyArray<PlannedFollowUp & { readonly leadId: LeadId }>
  >
}

/** Stores leads and what belongs to them. Every method fails with UNAVAILABLE when the store cannot be reached. */
export class LeadsRepo extends Context.Service<LeadsRepo, LeadStore & LeadLinks & LeadHistory & Duplicates>()(
  "@svc/core/leads/LeadsRepo"
) {}
