/** From the identifier fields of a command to the lead they mean. Source: spec "Lead"; G13-G18. */
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../Failure.ts"
import { IdentityOptions } from "./IdentityOptions.ts"
import { type IdentityInput, readIdentityInput } from "./identity/IdentityInput.ts"

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
  Effect.gen(function* () {
    const { lead_id, prospect_id } = fields
    if (lead_id !== undefined && prospect_id !== undefined && lead_id !== prospect_id) {
      return yield* fail(
        "INVALID_INPUT",
        "lead_id and prospect_id are two words for one thing and differ. Send one of them."
      )
    }
    const options = yield* IdentityOptions
    const given = { ...fields, email: fields.email ?? undefined, linkedin_url: fields.linkedin_url ?? undefined }
    const input = yield* Effect.fromResult(readIdentityInput(given, options))
    const leadId = lead_id ?? prospect_id
    if (leadId === undefined && input.identities.length === 0) {
      const why = input.warnings.map((warning) => `${warning} `).join("")
      return yield* fail(
        "IDENTIFIER_REQUIRED",
        `${why}At least one identifier is needed: lead_id, email, linkedin_url, linkedin_id, sales_nav_id or custom_id.`
      )
    }
    return { ...input, leadId }
  })
