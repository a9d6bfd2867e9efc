/** Possible duplicates. */

import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest, Position } from "../../kernel/schema/Page.ts"

/** Why leads may be the same person, in list order. */
export const DuplicateReason = Schema.Literals(["same_email_hint", "same_name_and_company", "same_phone"])

export type DuplicateReason = typeof DuplicateReason.Type

/** Leads that share a hint. `leadIds` holds up to {@link shownDuplicates}, sorted by id; `count` is the total. */
export interface DuplicateGroup {
  readonly reason: DuplicateReason
  /** The shared value in its normal form. */
  readonly key: string
  readonly leadIds: ReadonlyArray<string>
  readonly count: number
}

/** Maximum number of leads listed per group. */
export const shownDuplicates = 50

/** Shorter phone numbers are not compared. */
export const minPhoneDigits = 7

/** Position of a group in the list, for cursors. */
export const groupPosition = ({ key, reason }: DuplicateGroup): Position => [
  DuplicateReason.literals.indexOf(reason),
  key
]

/** Looks for duplicates. */
export interface Duplicates {
  /** Groups of two or more leads, sorted by reason and then by the UTF-8 bytes of the key. One statement. */
  readonly duplicates: (
    organizationId: OrganizationId,
    page: PageRequest
  ) => Effect.Effect<Page<DuplicateGroup>, StoreFailure>
}
