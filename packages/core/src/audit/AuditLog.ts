/** Reading and sealing the audit rows that the journal writes: the port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { AuditActorKind } from "../Journal.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { AuditRecord, ChainHead, SealedRecord } from "./AuditRecord.ts"

/** Which rows; `before` and `after` are instants, both exclusive. */
export interface AuditFilter {
  readonly commandId: string | undefined
  readonly actorKind: AuditActorKind | undefined
  readonly outcome: string | undefined
  readonly after: string | undefined
  readonly before: string | undefined
}

/** Reads audit rows. Fails with UNAVAILABLE when the store cannot be reached. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Newest first. A row may not be sealed yet. */
    readonly list: (
      organizationId: string,
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AuditRecord>, Failure>
    /** Seals the oldest rows that are not, at most `most`; answers how many it sealed. */
    readonly seal: (organizationId: string, most: number) => Effect.Effect<number, Failure>
    /** As `seal`, but seals nothing while another process seals rows of the organization. */
    readonly sealIfFree: (organizationId: string, most: number) => Effect.Effect<number, Failure>
    /** The organizations with rows that are not sealed, at most `most`, those first whose rows wait longest. */
    readonly unsealed: (most: number) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** Sealed rows after a number, in their order. */
    readonly chain: (
      organizationId: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SealedRecord>, Failure>
    /** The end of the chain that the store remembers apart from the rows, so that rows missing at the end are noticed. */
    readonly head: (organizationId: string) => Effect.Effect<ChainHead, Failure>
    /** Every organization there is, oldest first. */
    readonly organizations: Effect.Effect<ReadonlyArray<string>, Failure>
  }
>()("@svc/core/audit/AuditLog") {}
