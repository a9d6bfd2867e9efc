/** Organizations with what belongs to all of their data: the port. */

import * as Context from "effect/Context"
import type { Requester } from "../kernel/command/ApprovalRequest.ts"
import type { CommandPolicy, PolicyChange } from "../kernel/command/Permission.ts"
import type { StoreEffect, StoreMethod } from "../kernel/failure/failures.ts"
import type { SequencedEvent } from "../kernel/journal/Event.ts"
import type { InstantText, KeyId, OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import type { ApprovalRow, ApprovalState } from "./approvals/ApprovalRow.ts"
import type { AuditFilter, AuditRecord, ChainHead, ChainStart, Deletable, SealedRecord } from "./audit/AuditRecord.ts"
import type { FeedPage, FeedRequest } from "./events/EventFeed.ts"
import type { ApiKey } from "./organizations/ApiKey.ts"
import type { Deleted, DeletedKind } from "./retention/Retention.ts"

/** A tenant. */
export interface Organization {
  readonly id: string
  readonly name: string
  /** The id that a host program knows it by, unique in the database; null if it was not created for one. */
  readonly externalId: string | null
  readonly createdAt: InstantText
}

/** Reads and settles the requests for approval that Dispatch stores through the journal. */
export interface Approvals {
  readonly find: StoreMethod<[id: string], ApprovalRow | undefined>
  /** As find, locked until the transaction ends. */
  readonly hold: StoreMethod<[id: string], ApprovalRow | undefined>
  /** Newest first, without requests for the commands `hidden`. */
  readonly list: StoreMethod<
    [
      filter: {
        readonly state: ApprovalState | undefined
        readonly now: string
        readonly hidden: ReadonlyArray<string>
        /** Whose requests; undefined for everybody's. */
        readonly requester: Pick<Requester, "userId" | "keyId"> | undefined
      },
      page: PageRequest
    ],
    Page<ApprovalRow>
  >
  /** Replaces the resolution of a request, its question, its addresses, and its input, which may be removed. */
  readonly replace: (row: ApprovalRow) => StoreEffect<void>
  /** Ids of requests that are still pending after their expiry, the oldest first, then by id. */
  readonly overdue: StoreMethod<[now: InstantText, limit: number], ReadonlyArray<string>>
  /**
   * Takes requests with addresses to write to now until another instant: other processes do not take them before. Those whose
   * state is older than `since` are taken off the list instead.
   */
  readonly takeMail: (take: {
    readonly organizationId: OrganizationId
    readonly now: InstantText
    readonly since: InstantText
    readonly until: InstantText
    readonly limit: number
  }) => StoreEffect<ReadonlyArray<ApprovalRow>>
  /** Stores what is left to write to of a request as it was taken; unless its state changed since. */
  readonly putMail: (taken: ApprovalRow, left: ReadonlyArray<string>) => StoreEffect<void>
}

/** Reads and seals the audit rows that the journal writes. */
export interface AuditLog {
  /** The key of the chains' hashes. */
  readonly key: string
  /** Newest first. Rows may not be sealed yet. */
  readonly list: StoreMethod<[filter: AuditFilter, page: PageRequest], Page<AuditRecord>>
  /** Seals the oldest unsealed rows, at most `max`; returns how many. */
  readonly seal: StoreMethod<[max: number], number>
  /** Like `seal`, but seals nothing while another process seals rows of the organization. */
  readonly sealIfFree: StoreMethod<[max: number], number>
  /** Sealed rows after a sequence number, in order. */
  readonly chain: StoreMethod<[after: number, limit: number], ReadonlyArray<SealedRecord>>
  /** The end of the chain, stored apart from the rows, so that rows missing at the end are noticed. */
  readonly head: StoreMethod<[], ChainHead>
  /** The start of the kept part of the chain, stored with its end. */
  readonly start: StoreMethod<[], ChainStart>
  /**
   * Inside a transaction: deletes the oldest sealed rows that are from before an instant and fit the chain, at most
   * `limit`, and stores the new start. Deletes nothing while another process seals or deletes rows of the organization.
   */
  readonly deleteBefore: StoreMethod<[before: InstantText, limit: number], Deletable>
  /** Every organization, oldest first. */
  readonly organizations: StoreEffect<ReadonlyArray<string>>
}

/** Reads events in an order that never changes. */
export interface EventFeed {
  /** Oldest first. One statement. */
  readonly read: StoreMethod<[request: FeedRequest], FeedPage>
  /** The latest events, newest first. One statement. */
  readonly recent: StoreMethod<[limit: number], ReadonlyArray<SequencedEvent>>
}

/** Stores organizations and keys, and what belongs to them. Fails with UNAVAILABLE when the store cannot be reached. */
export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Stores a new organization with its first key. */
    readonly createOrganization: (organization: Organization, key: ApiKey) => StoreEffect<void>
    /** The same, unless an organization exists; returns whether it was stored. Of two concurrent callers one wins. */
    readonly createFirstOrganization: (organization: Organization, key: ApiKey) => StoreEffect<boolean>
    /**
     * Stores a new organization without a key, unless one has its external id; returns whether it was stored. Of two
     * concurrent callers one wins, and the other one returns after the winner has committed.
     */
    readonly createExternalOrganization: (organization: Organization) => StoreEffect<boolean>
    readonly findExternalOrganization: (externalId: string) => StoreEffect<Organization | undefined>
    /** Returns whether the name has changed. */
    readonly renameOrganization: StoreMethod<[name: string], boolean>
    readonly findOrganization: StoreMethod<[], Organization | undefined>
    /** At most 1,000 organizations of the database, oldest first. */
    readonly listOrganizations: StoreEffect<ReadonlyArray<Organization>>
    /** The organization created first, which a host program uses by default. */
    readonly oldestOrganization: StoreEffect<Organization | undefined>
    /** Returns whether it was stored: not if its id is taken. Waits for another transaction that stores the same id. */
    readonly createKey: (key: ApiKey) => StoreEffect<boolean>
    /** By its public id, in any organization: the key determines the organization. */
    readonly findKey: (keyId: KeyId) => StoreEffect<ApiKey | undefined>
    /** An organization's key, locked until the transaction ends. */
    readonly holdKey: StoreMethod<[keyId: KeyId], ApiKey | undefined>
    /** All keys of an organization, oldest first. */
    readonly listKeys: StoreMethod<[], ReadonlyArray<ApiKey>>
    /** Replaces name, scopes, secrets, expiry, revocation and session of a key. */
    readonly updateKey: (key: ApiKey) => StoreEffect<void>
    readonly organizationPolicy: StoreMethod<[], CommandPolicy>
    /**
     * Changes the given rules of an organization or one of its keys atomically, so that concurrent changes of different
     * rules are all kept. Returns the new policy; undefined if the key does not exist or is a session, which has its
     * parent's.
     */
    readonly changePolicy: StoreMethod<[keyId: KeyId | undefined, change: PolicyChange], CommandPolicy | undefined>
    /** Records when a key was last used; an earlier instant than the stored one changes nothing. */
    readonly touchKey: (keyId: KeyId, at: string) => StoreEffect<void>
    readonly approvals: Approvals
    readonly audit: AuditLog
    readonly events: EventFeed
    /**
     * Deletes at most `limit` rows of an organization and a kind from before an instant, in one statement; rows that another
     * process is deleting are left to it.
     */
    readonly deleteBefore: StoreMethod<[kind: DeletedKind, before: string, limit: number], Deleted>
  }
>()("@svc/core/workspace/Workspaces") {}
