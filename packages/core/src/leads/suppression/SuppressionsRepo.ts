/** Suppressions and tombstones of organizations: the port. Every method sees one organization only. Source: G11, G43. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { Page, PageRequest } from "../../Page.ts"
import type { Suppressible, SuppressionEntry, SuppressionMatch, SuppressionRow } from "./Suppression.ts"

/** What was stored: the rows as they are afterwards, and which of them were written just now. */
export interface AddedSuppressions {
  readonly rows: ReadonlyArray<SuppressionRow>
  readonly written: number
}

/** What was taken away. `tombstones` counts those of every erasure that one of the identifiers belonged to. */
export interface LiftedSuppressions {
  readonly rows: ReadonlyArray<SuppressionRow>
  readonly tombstones: number
}

/** Stores suppressions. Fails with UNAVAILABLE when the store cannot be reached. */
export class SuppressionsRepo extends Context.Service<
  SuppressionsRepo,
  {
    /** The entries and tombstones that name any of the identifiers, ended ones included; a lead as `ofLead` does. */
    readonly find: (
      organizationId: string,
      identifiers: ReadonlyArray<Suppressible>
    ) => Effect.Effect<ReadonlyArray<SuppressionMatch>, Failure>
    /** The entries that name a lead: by its id, by an identifier that it holds, or by a domain of its e-mail addresses. */
    readonly ofLead: (organizationId: string, leadId: string) => Effect.Effect<ReadonlyArray<SuppressionEntry>, Failure>
    /** Adds entries. One that is there is only ever made longer; of two that end together the later reason counts. */
    readonly add: (
      organizationId: string,
      rows: ReadonlyArray<SuppressionRow>
    ) => Effect.Effect<AddedSuppressions, Failure>
    /** Removes the entries of the identifiers and of the lead, and the tombstones of whoever had one of the identifiers. */
    readonly lift: (
      organizationId: string,
      identifiers: ReadonlyArray<Suppressible>,
      leadId: string | undefined
    ) => Effect.Effect<LiftedSuppressions, Failure>
    /** Newest first, with how many there are, and how many tombstones. */
    readonly list: (
      organizationId: string,
      page: PageRequest
    ) => Effect.Effect<Page<SuppressionRow> & { readonly total: number; readonly tombstones: number }, Failure>
  }
>()("@svc/core/leads/suppression/SuppressionsRepo") {}
