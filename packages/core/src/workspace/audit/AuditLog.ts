/** Reading and sealing the audit rows that the journal writes: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { AuditActorKind } from "../../kernel/journal/Journal.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { CommandId, InstantText, KeyId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { AuditRecord, ChainHead, SealedRecord } from "./AuditRecord.ts"
import type { ChainStart, Deletable } from "./ChainStart.ts"

/** Filters of a list; `before` and `after` are instants, both exclusive. */
export interface AuditFilter {
  readonly commandId: CommandId | undefined
  readonly keyId: KeyId | undefined
  readonly actorKind: AuditActorKind | undefined
  readonly outcome: string | undefined
  readonly after: string | undefined
  readonly before: string | undefined
}

/** Maximum rows sealed for one reader; the rest is left to the next. */
export const maxSealedForReader = 2_000

/** Reads audit rows. Fails with UNAVAILABLE when the store cannot be reached. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** The key of the chains' hashes. */
    readonly key: string
    /** Newest first. Rows may not be sealed yet. */
    readonly list: (
      organizationId: OrganizationId,
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AuditRecord>, StoreFailure>
    /** Seals the oldest unsealed rows, at most `max`; returns how many. */
    readonly seal: (organizationId: OrganizationId, max: number) => Effect.Effect<number, StoreFailure>
    /** Like `seal`, but seals nothing while another process seals rows of the organization. */
    readonly sealIfFree: (organizationId: OrganizationId, max: number) => Effect.Effect<number, StoreFailure>
    /** At most `max` organizations with unsealed rows, those first whose rows wait longest. */
    readonly unsealed: (max: number) => Effect.Effect<ReadonlyArray<string>, StoreFailure>
    /** Sealed rows after a sequence number, in order. */
    readonly chain: (
      organizationId: OrganizationId,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SealedRecord>, StoreFailure>
    /** The end of the chain, stored apart from the rows, so that rows missing at the end are noticed. */
    readonly head: (organizationId: OrganizationId) => Effect.Effect<ChainHead, StoreFailure>
    /** The start of the kept part of the chain, stored with its end. */
    readonly start: (organizationId: OrganizationId) => Effect.Effect<ChainStart, StoreFailure>
    /** At most `max` organizations whose oldest sealed row is from before an instant, oldest first. */
    readonly withRowsBefore: (before: InstantText, max: number) => Effect.Effect<ReadonlyArray<string>, StoreFailure>
    /**
     * Inside a transaction: deletes the oldest sealed rows that are from before an instant and fit the chain, at most
     * `limit`, and stores the new start. Deletes nothing while another process seals or deletes rows of the organization.
     */
    readonly deleteBefore: (
      organizationId: OrganizationId,
      before: InstantText,
      limit: number
    ) => Effect.Effect<Deletable, StoreFailure>
    /** Every organization, oldest first. */
    readonly organizations: Effect.Effect<ReadonlyArray<string>, StoreFailure>
  }
>()("@svc/core/audit/AuditLog") {}
