/**
 * The question that matching answers, and the four answers.
 *
 * Source: G17, G18.
 */
import { type Failure, fail } from "../../Failure.ts"
import type { Identity } from "./Identity.ts"

/** What to do when identifiers belong to several leads: refuse, let the strongest decide, or make one lead of them. */
export type OnConflict = "error" | "prefer_strongest" | "merge"

/** An identity and the lead that holds it. */
export interface ResolvedIdentity {
  readonly identity: Identity
  readonly leadId: string
}

/**
 * The facts of one decision, all of one organization. `given` comes from `readIdentityInput`, so it holds at most one
 * value of a single-valued kind. `leadId` is the caller's `lead_id`, known to exist. `resolved` has one entry for each
 * given identity that some lead holds. `held` has all identities of every lead in `resolved`, and of `leadId`. Lead ids
 * sort by age, as text.
 */
export interface MatchRequest {
  readonly given: ReadonlyArray<Identity>
  readonly leadId?: string | undefined
  readonly resolved: ReadonlyArray<ResolvedIdentity>
  readonly held: ReadonlyMap<string, ReadonlyArray<Identity>>
  readonly onConflict: OnConflict
}

/** Nobody holds any of the identifiers: create a lead that holds `add`. */
export interface Create {
  readonly _tag: "Create"
  readonly add: ReadonlyArray<Identity>
}

/** A mutable identifier that goes over to the updated lead. */
export interface Move {
  readonly identity: Identity
  readonly fromLeadId: string
}

/**
 * Update this lead: give it `add`, take `move` from other leads, let go of `remove` (an old `custom_id` that an explicit
 * `lead_id` replaces). With nothing in the three its identities stay as they are. `warnings` name every move, and every
 * identifier that stays elsewhere.
 */
export interface Update {
  readonly _tag: "Update"
  readonly leadId: string
  readonly add: ReadonlyArray<Identity>
  readonly move: ReadonlyArray<Move>
  readonly remove: ReadonlyArray<Identity>
  readonly warnings: ReadonlyArray<string>
}

/** These leads are one person: `losers` go up in `winner` with all they hold, which then also gets `add`. */
export interface Merge {
  readonly _tag: "Merge"
  readonly winner: string
  readonly losers: ReadonlyArray<string>
  readonly add: ReadonlyArray<Identity>
}

/** Nothing may be written. `leadIds` are the leads involved, at least one; `warnings` say who holds what. */
export interface Conflict {
  readonly _tag: "Conflict"
  readonly leadIds: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** What a set of identifiers means. */
export type MatchDecision = Create | Update | Merge | Conflict

/** The failure that answers a conflict: 409 IDENTITY_CONFLICT naming the leads, with who holds what in `warnings`. */
export const conflictFailure = ({ leadIds, warnings }: Conflict): Failure => {
  const [first = ""] = leadIds
  const some = leadIds.slice(0, 10).join(", ")
  const message =
    leadIds.length === 1
      ? `The identifiers match ${first}, but contradict what that lead already has (see meta.warnings). Correct them, or leave out the one that is wrong.`
      : `The identifiers belong to ${leadIds.length} leads: ${some}. Send fewer identifiers, or on_conflict, or merge the leads.`
  return fail("IDENTITY_CONFLICT", message, { warnings })
}
