/** Reading and removing everything that is held on one person: the port. Source: G43. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { LeadFile } from "./LeadFile.ts"

/** What an erasure left: one tombstone for each identifier that was known. */
export interface Erasure {
  readonly leadIds: ReadonlyArray<string>
  readonly tombstones: number
}

/** Looks across the records of every domain. Fails with UNAVAILABLE when the store cannot be reached. */
export class PrivacyRepo extends Context.Service<
  PrivacyRepo,
  {
    /** All that is held on a lead, in one statement; undefined when there is no such lead. */
    readonly read: (organizationId: string, leadId: string) => Effect.Effect<LeadFile | undefined, Failure>
    /**
     * Removes a lead that is held, and those that were merged into it, from every record: identifiers, missions, notes,
     * messages, drafts, queue and relations are deleted; events keep ids and states, transmissions their instants, import
     * rows their outcome; stored answers that name the person are deleted. Identifiers become tombstones. Fails with
     * DRAFT_IN_FLIGHT while a message to the person is being transmitted. Undefined when there is no such lead.
     */
    readonly erase: (organizationId: string, leadId: string, at: string) => Effect.Effect<Erasure | undefined, Failure>
  }
>()("@svc/core/leads/privacy/PrivacyRepo") {}
