/** Suppressions and tombstones: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { Suppressible, SuppressionEntry, SuppressionMatch, SuppressionRow } from "./Suppression.ts"

/** The rows as stored now, and how many of them were written. */
export interface AddedSuppressions {
  readonly rows: ReadonlyArray<SuppressionRow>
  readonly written: number
}

/** What was removed. `tombstones` counts all those of each erasure that an identifier belonged to. */
export interface LiftedSuppressions {
  readonly rows: ReadonlyArray<SuppressionRow>
  readonly tombstones: number
}

/** Stores suppressions. Fails with UNAVAILABLE when the store cannot be reached. */
export class SuppressionsRepo extends Context.Service<
  SuppressionsRepo,
  {
    /** The entries and tombstones that match any of the targets, including expired ones; a lead id like `ofLead`. */
    readonly find: (
      organizationId: OrganizationId,
      identifiers: ReadonlyArray<Suppressible>
    ) => Effect.Effect<ReadonlyArray<SuppressionMatch>, StoreFailure>
    /** The entries that match a lead: its id, an identifier that it holds, or the domain of an email address. */
    readonly ofLead: (
      organizationId: OrganizationId,
      leadId: LeadId
    ) => Effect.Effect<ReadonlyArray<SuppressionEntry>, StoreFailure>
    /** Adds entries. An existing one is only ever extended; with the same expiry, the new reason replaces the old one. */
    readonly add: (
      organizationId: OrganizationId,
      rows: ReadonlyArray<SuppressionRow>
    ) => Effect.Effect<AddedSuppressions, StoreFailure>
    /** Removes the entries of the identifiers and of the lead, and the tombstones of the person who had one of them. */
    readonly lift: (
      organizationId: OrganizationId,
      identifiers: ReadonlyArray<Suppressible>,
      leadId: LeadId | undefined
    ) => Effect.Effect<LiftedSuppressions, StoreFailure>
    /** Newest first, with the total, and the number of tombstones. */
    readonly list: (
      organizationId: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<SuppressionRow> & { readonly total: number; readonly tombstones: number }, StoreFailure>
  }
>()("@svc/core/leads/suppression/SuppressionsRepo") {}
