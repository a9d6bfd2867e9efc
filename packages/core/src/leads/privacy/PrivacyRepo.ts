/** The rights of people, to be left alone, informed and erased: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { DraftInFlight } from "../failures.ts"
import type { Suppressible, SuppressionEntry, SuppressionMatch, SuppressionRow } from "../suppression/Suppression.ts"
import type { Erasure, LeadFile } from "./LeadFile.ts"

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

/** Stores suppressions and tombstones, and works on the records of every domain. Fails with UNAVAILABLE when the store is unreachable. */
export class PrivacyRepo extends Context.Service<
  PrivacyRepo,
  {
    /** The entries and tombstones that match any of the targets, including expired ones; a lead id like `suppressionsOfLead`. */
    readonly findSuppressions: (
      organizationId: OrganizationId,
      identifiers: ReadonlyArray<Suppressible>
    ) => Effect.Effect<ReadonlyArray<SuppressionMatch>, StoreFailure>
    /** The entries that match a lead: its id, an identifier that it holds, or the domain of an email address. */
    readonly suppressionsOfLead: (
      organizationId: OrganizationId,
      leadId: LeadId
    ) => Effect.Effect<ReadonlyArray<SuppressionEntry>, StoreFailure>
    /** Adds entries. An existing one is only ever extended; with the same expiry, the new reason replaces the old one. */
    readonly addSuppressions: (
      organizationId: OrganizationId,
      rows: ReadonlyArray<SuppressionRow>
    ) => Effect.Effect<AddedSuppressions, StoreFailure>
    /** Removes the entries of the identifiers and of the lead, and the tombstones of the person who had one of them. */
    readonly liftSuppressions: (
      organizationId: OrganizationId,
      identifiers: ReadonlyArray<Suppressible>,
      leadId: LeadId | undefined
    ) => Effect.Effect<LiftedSuppressions, StoreFailure>
    /** Newest first, with the total, and the number of tombstones. */
    readonly listSuppressions: (
      organizationId: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<SuppressionRow> & { readonly total: number; readonly tombstones: number }, StoreFailure>
    /** All data about a lead, in one statement; undefined when not found. */
    readonly readFile: (
      organizationId: OrganizationId,
      leadId: LeadId
    ) => Effect.Effect<LeadFile | undefined, StoreFailure>
    /**
     * Erases a locked lead and the leads merged into it: deletes identifiers, missions, notes, messages, drafts, queue and
     * relations, and stored responses and requests that {@link mentions} finds; events keep ids and states, transmissions
     * their times, import rows their outcome. Identifiers become tombstones. Fails with DRAFT_IN_FLIGHT while a message to
     * the person is being sent. Undefined when not found.
     */
    readonly erase: (
      organizationId: OrganizationId,
      leadId: LeadId,
      at: string
    ) => Effect.Effect<Erasure | undefined, StoreFailure | DraftInFlight>
  }
>()("@svc/core/leads/PrivacyRepo") {}
