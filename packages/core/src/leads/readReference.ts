/** From the identifier fields of a command to the lead they mean. Source: spec "Lead"; G13-G18. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Failure, fail } from "../Failure.ts"
import { IdentityOptions } from "./IdentityOptions.ts"
import { type IdentityInput, readIdentityInput } from "./identity/IdentityInput.ts"
import type { TokenOptions } from "./identity/MemberToken.ts"

/** The identifier fields, as decoded; null and blank name nobody. */
export interface ReferenceFields {
  readonly lead_id?: string | undefined
  readonly prospect_id?: string | undefined
  readonly email?: string | null | undefined
  readonly custom_id?: string | undefined
  readonly linkedin_url?: string | null | undefined
  readonly linkedin_id?: string | undefined
  readonly sales_nav_id?: string | undefined
}

/** What the fields say: an explicit lead, identities, or both. */
export interface Reference extends IdentityInput {
  readonly leadId: string | undefined
}

/**
 * Reads the fields. Fails with IDENTIFIER_REQUIRED when they name nobody, with INVALID_INPUT when lead_id and
 * prospect_id differ, and as `readIdentityInput` does.
 */
export const readReference = (fields: ReferenceFields): Effect.Effect<Reference, Failure> =>
  Effect.flatMap(IdentityOptions, (options) => Effect.fromResult(referenceOf(fields, options)))

/** As {@link readReference}, with the deployment's options given. */
export const referenceOf = (fields: ReferenceFields, options: TokenOptions): Result.Result<Reference, Failure> => {
  const { lead_id, prospect_id } = fields
  if (lead_id !== undefined && prospect_id !== undefined && lead_id !== prospect_id) {
    return Result.fail(
      fail("INVALID_INPUT", "lead_id and prospect_id are two words for one thing and differ. Send one of them.")
    )
  }
  const given = { ...fields, email: fields.email ?? undefined, linkedin_url: fields.linkedin_url ?? undefined }
  const read = readIdentityInput(given, options)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const input = read.success
  const leadId = lead_id ?? prospect_id
  if (leadId === undefined && input.identities.length === 0) {
    const why = input.warnings.map((warning) => `${warning} `).join("")
    return Result.fail(
      fail(
        "IDENTIFIER_REQUIRED",
        `${why}At least one identifier is needed: lead_id, email, linkedin_url, linkedin_id, sales_nav_id or custom_id.`
      )
    )
  }
  return Result.succeed({ ...input, leadId })
}
