/** The target fields of lead.suppress and lead.suppression.lift, of which exactly one is sent. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import type { LeadId } from "../../kernel/schema/RecordIds.ts"
import { line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { IdentifierRequired } from "../failures.ts"
import type { ReferenceFields } from "../readReference.ts"
import { readDomain } from "./readSuppressible.ts"

const optional = Schema.optionalKey

/** TargetInput. */
export const targetFields = {
  lead_id: optional(nonEmptyLine(64, "Id of the lead; covers all of its identifiers")),
  email: optional(line(500, "Email address, of a lead or of anybody else")),
  domain: optional(nonEmptyLine(253, "Domain such as example.com: covers every email address there")),
  linkedin_url: optional(line(4_000, "URL of the LinkedIn profile, in any spelling"))
}

interface TargetInput {
  readonly lead_id?: LeadId | undefined
  readonly email?: string | undefined
  readonly domain?: string | undefined
  readonly linkedin_url?: string | undefined
}

/** A person, by identifiers, or a domain. */
type Target =
  | { readonly _tag: "Person"; readonly fields: ReferenceFields }
  | { readonly _tag: "Domain"; readonly domain: string }

/** Fails with IDENTIFIER_REQUIRED without a field, and with INVALID_INPUT for several. */
export const readTarget = ({
  domain,
  ...fields
}: TargetInput): Effect.Effect<Target, IdentifierRequired | InvalidInput> => {
  const given = [domain, ...Object.values(fields)].filter((value) => value !== undefined)
  if (given.length === 0) {
    return Effect.fail(
      new IdentifierRequired({ message: "Name a target: send lead_id, email, domain or linkedin_url." })
    )
  }
  if (given.length > 1) {
    return Effect.fail(
      new InvalidInput({
        message: "lead_id, email, domain and linkedin_url are alternatives. Send one of them."
      })
    )
  }
  if (domain === undefined) return Effect.succeed({ _tag: "Person", fields })
  const read = Result.map(readDomain(domain), (name): Target => ({ _tag: "Domain", domain: name }))
  return Effect.fromResult(Result.mapError(read, (failure) => failure.withMessage(`domain: ${failure.message}`)))
}
