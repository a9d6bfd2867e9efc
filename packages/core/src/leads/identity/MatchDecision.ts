/** Input and results of matching. */

import type { LeadId } from "../../kernel/schema/RecordIds.ts"
import { IdentityConflict } from "../failures.ts"
import type { Identity } from "./Identity.ts"

/** What to do when identifiers belong to several leads: refuse, pick the lead of the strongest one, or merge them. */
export type OnConflict = "error" | "prefer_strongest" | "merge"

/** An identity and the lead that holds it. */
export interface ResolvedIdentity {
  readonly identity: Identity
  readonly leadId: LeadId
}

/**
 * The facts of one decision, all from one organization. `given` comes from `readIdentityInput`: at most one value of each
 * single-valued kind. `leadId` is the caller's `lead_id`, which exists. `resolved` has an entry for each given identity
 * that a lead holds; `held` has all identities of those leads and of `leadId`. Lead ids sort by age.
 */
export interface MatchRequest {
  readonly given: ReadonlyArray<Identity>
  readonly leadId?: LeadId | undefined
  readonly resolved: ReadonlyArray<ResolvedIdentity>
  readonly held: ReadonlyMap<string, ReadonlyArray<Identity>>
  readonly onConflict: OnConflict
}

/** No lead holds any of the identifiers: create one with `add`. */
interface Create {
  readonly _tag: "Create"
  readonly add: ReadonlyArray<Identity>
}

/** A non-permanent identifier that moves to the updated lead. */
export interface Move {
  readonly identity: Identity
  readonly fromLeadId: LeadId
}

/**
 * Update this lead: give it `add`, move `move` from other leads, delete `remove` (an old `custom_id` replaced through an
 * explicit `lead_id`). `warnings` name every move, and every identifier that stays with another lead.
 */
export interface Update {
  readonly _tag: "Update"
  readonly leadId: LeadId
  readonly add: ReadonlyArray<Identity>
  readonly move: ReadonlyArray<Move>
  readonly remove: ReadonlyArray<Identity>
  readonly warnings: ReadonlyArray<string>
}

/** Merge `losers` into `winner`, which also gets `add`. */
export interface Merge {
  readonly _tag: "Merge"
  readonly winner: string
  readonly losers: ReadonlyArray<string>
  readonly add: ReadonlyArray<Identity>
}

/** Nothing may be written. `leadIds` are the leads involved, at least one; `warnings` say which lead holds what. */
export interface Conflict {
  readonly _tag: "Conflict"
  readonly leadIds: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** The result of matching. */
export type MatchDecision = Create | Update | Merge | Conflict

/** The failure for a conflict: IDENTITY_CONFLICT with the leads; `warnings` say which lead holds what. */
export const conflictFailure = ({ leadIds, warnings }: Conflict): IdentityConflict => {
  const [first = ""] = leadIds
  const some = leadIds.slice(0, 10).join(", ")
  const message =
    leadIds.length === 1
      ? `The identifiers match ${first} but contradict what that lead already has (see meta.warnings). Correct them, or ` +
        "leave out the wrong one."
      : `The identifiers belong to ${leadIds.length} leads: ${some}. Send fewer identifiers, or on_conflict, or merge the leads.`
  return new IdentityConflict({ leads: leadIds, message, warnings })
}
