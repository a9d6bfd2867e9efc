/** Parsing the identifier fields of a command. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidInput } from "../kernel/failure/failures.ts"
import type { LeadId } from "../kernel/schema/IdsAndTime.ts"
import { IdentifierRequired, type ReferenceRefusal } from "./failures.ts"
import { type IdentityFields, type IdentityInput, readIdentityInput } from "./identity/IdentityInput.ts"
import { IdentityOptions, type TokenOptions } from "./identity/MemberToken.ts"

/** The decoded identifier fields; null and blank values are ignored. */
export interface ReferenceFields extends IdentityFields {
  readonly lead_id?: LeadId | undefined
  readonly prospect_id?: string | undefined
}

/** The parsed fields: an explicit lead id, identities, or both. */
export interface Reference extends IdentityInput {
  readonly leadId: LeadId | undefined
}

/**
 * Parses the fields. Fails with IDENTIFIER_REQUIRED when there is none, with INVALID_INPUT when lead_id and prospect_id
 * differ, and like `readIdentityInput`.
 */
export const readReference = (fields: ReferenceFields): Effect.Effect<Reference, ReferenceRefusal> =>
  Effect.flatMap(IdentityOptions, (options) => Effect.fromResult(referenceOf(fields, options)))

/** Like {@link readReference}, with given options. */
export const referenceOf = (
  fields: ReferenceFields,
  options: TokenOptions
): Result.Result<Reference, ReferenceRefusal> => {
  const { lead_id, prospect_id } = fields
  if (lead_id !== undefined && prospect_id !== undefined && lead_id !== prospect_id) {
    return Result.fail(
      new InvalidInput({ message: "lead_id and prospect_id are aliases but differ. Send one of them." })
    )
  }
  const read = readIdentityInput(fields, options)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const input = read.success
  const leadId = lead_id ?? prospect_id
  if (leadId === undefined && input.identities.length === 0) {
    const why = input.warnings.map((warning) => `${warning} `).join("")
    return Result.fail(
      new IdentifierRequired({
        message: `${why}At least one identifier is required: lead_id, email, linkedin_url, linkedin_id, sales_nav_id or custom_id.`
      })
    )
  }
  return Result.succeed({ leadId, ...input })
}
