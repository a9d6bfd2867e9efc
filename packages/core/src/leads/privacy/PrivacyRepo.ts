/** Exporting and erasing all data about one person: the port. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { DraftInFlight } from "../failures.ts"
import type { LeadFile } from "./LeadFile.ts"

/** The erased leads, and the number of tombstones: one per identifier. */
export interface Erasure {
  readonly leadIds: ReadonlyArray<string>
  readonly tombstones: number
}

/** Works on the records of every domain. Fails with UNAVAILABLE when the store is unreachable. */
export class PrivacyRepo extends Context.Service<
  PrivacyRepo,
  {
    /** All data about a lead, in one statement; undefined when not found. */
    readonly read: (organizationId: OrganizationId, leadId: LeadId) => Effect.Effect<LeadFile | undefined, StoreFailure>
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
>()("@svc/core/leads/privacy/PrivacyRepo") {}
