/** Leads that may be one person: the port. Source: G13 (hint of an address), catalogue 4.1 (lead.duplicates). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../../Failure.ts"
import type { Page, PageRequest, Position } from "../../Page.ts"

/** Why leads may be one person, in the order of the list. */
export const DuplicateReason = Schema.Literals(["same_email_hint", "same_name_and_company", "same_phone"])
export type DuplicateReason = typeof DuplicateReason.Type

/** Leads that share something. `leadIds` are at most {@link shownDuplicates}, by id; `count` is how many there are. */
export interface DuplicateGroup {
  readonly reason: DuplicateReason
  /** What they share, in the form that is compared. */
  readonly key: string
  readonly leadIds: ReadonlyArray<string>
  readonly count: number
}

/** How many leads of a group are listed. */
export const shownDuplicates = 50

/** Fewest digits of a phone number that says anything. */
export const fewestDigits = 7

/** Place of a group in the list, for cursors. */
export const groupPosition = ({ key, reason }: DuplicateGroup): Position => [
  DuplicateReason.literals.indexOf(reason),
  key
]

/** Looks for duplicates. Fails with UNAVAILABLE when the store cannot be reached. */
export class DuplicatesRepo extends Context.Service<
  DuplicatesRepo,
  {
    /** Groups of two or more leads, by reason and then by what they share (its UTF-8 bytes). One statement. */
    readonly groups: (organizationId: string, page: PageRequest) => Effect.Effect<Page<DuplicateGroup>, Failure>
  }
>()("@svc/core/leads/duplicates/DuplicatesRepo") {}
