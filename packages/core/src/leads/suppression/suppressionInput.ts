/** The fields by which lead.suppress and lead.suppression.lift say whom they mean: exactly one of them. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../../Failure.ts"
import { line, nonEmptyLine } from "../../TextFields.ts"
import type { ReferenceFields } from "../readReference.ts"
import { readDomain } from "./readSuppressible.ts"

const optional = Schema.optionalKey

/** Whom. */
export const whomFields = {
  lead_id: optional(nonEmptyLine(64, "Id of the lead, with everything it is known by")),
  email: optional(line(500, "E-mail address, of a lead or of somebody not known yet")),
  domain: optional(nonEmptyLine(253, "Domain such as example.com: everybody with an e-mail address there")),
  linkedin_url: optional(line(4_000, "Address of the LinkedIn profile, in any spelling"))
}

interface Whom {
  readonly lead_id?: string | undefined
  readonly email?: string | undefined
  readonly domain?: string | undefined
  readonly linkedin_url?: string | undefined
}

/** A person, by identifiers, or a domain. */
export type Meant =
  | { readonly _tag: "Person"; readonly fields: ReferenceFields }
  | { readonly _tag: "Domain"; readonly domain: string }

/** Reads the fields. Fails with IDENTIFIER_REQUIRED without any, and with INVALID_INPUT with several. */
export const readWhom = ({ domain, ...fields }: Whom): Effect.Effect<Meant, Failure> => {
  const given = [domain, ...Object.values(fields)].filter((value) => value !== undefined)
  if (given.length === 0) {
    return Effect.fail(fail("IDENTIFIER_REQUIRED", "Say whom: send lead_id, email, domain or linkedin_url."))
  }
  if (given.length > 1) {
    return Effect.fail(
      fail("INVALID_INPUT", "lead_id, email, domain and linkedin_url each say whom. Send one of them at a time.")
    )
  }
  if (domain === undefined) return Effect.succeed({ _tag: "Person", fields })
  const read = Result.map(readDomain(domain), (name): Meant => ({ _tag: "Domain", domain: name }))
  return Effect.fromResult(Result.mapError(read, ({ code, message }) => fail(code, `domain: ${message}`)))
}
