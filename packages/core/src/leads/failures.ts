/** Failures of leads, and of drafts that block a merge or an erasure. */

import { Failure } from "../kernel/failure/Failure.ts"
import { InvalidEmail, type InvalidInput, NotFound, type UnknownField } from "../kernel/failure/failures.ts"
import type { DraftId, LeadId } from "../kernel/schema/IdsAndTime.ts"
import type { MissionArchived } from "../missions/failures.ts"

/** Not the URL of a person's LinkedIn profile. */
export class NotAProfileUrl extends Failure.define("NOT_A_PROFILE_URL") {}

/** The input contains no identifier. */
export class IdentifierRequired extends Failure.define("IDENTIFIER_REQUIRED") {}

/** The identifiers belong to several `leads`. */
export class IdentityConflict extends Failure.define("IDENTITY_CONFLICT")<{ readonly leads: ReadonlyArray<string> }> {}

/** A lead's last identifier cannot be removed. */
export class LastIdentifier extends Failure.define("LAST_IDENTIFIER")<{ readonly leadId: LeadId }> {}

/** The custom id belongs to another lead. */
export class DuplicateCustomId extends Failure.define("DUPLICATE_CUSTOM_ID") {}

/** The person must not be contacted. `leadId` is absent for people who are not stored. */
export class LeadSuppressed extends Failure.define("LEAD_SUPPRESSED")<{ readonly leadId?: LeadId }> {}

/** The lead already has an open draft with this agent. */
export class DraftOpen extends Failure.define("DRAFT_OPEN")<{ readonly draftId?: DraftId }> {}

/** The draft is being sent. */
export class DraftInFlight extends Failure.define("DRAFT_IN_FLIGHT") {}

/** It is unknown whether it was sent, so it is never sent again automatically. */
export class SendOutcomeUnknown extends Failure.define("SEND_OUTCOME_UNKNOWN") {}

/** Failures of finding a lead by its identifiers. */
export const lookupFailures = [IdentifierRequired, IdentityConflict, InvalidEmail, NotAProfileUrl, NotFound] as const

/** Failures of parsing identifiers. */
export type IdentityRefusal = InvalidInput | InvalidEmail | NotAProfileUrl

/** Failures of parsing a reference to a lead. */
export type ReferenceRefusal = IdentityRefusal | IdentifierRequired

/** Failures of parsing an item of a list. */
export type ItemRefusal = ReferenceRefusal | UnknownField

/** Failures of writing a lead from a valid item. */
export type UpsertRefusal =
  | IdentityConflict
  | InvalidInput
  | LastIdentifier
  | LeadSuppressed
  | MissionArchived
  | NotFound
