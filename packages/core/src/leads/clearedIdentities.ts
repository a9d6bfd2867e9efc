/** Which identities the null and empty identifier fields of an upsert remove from the lead. */
import * as Result from "effect/Result"
import { InvalidInput } from "../kernel/failure/failures.ts"
import type { IdentityFacts } from "./applyInput.ts"
import { LastIdentifier } from "./failures.ts"
import { detachedWith, tokensOf, without } from "./identity/detached.ts"
import { type Identity, identityKey } from "./identity/Identity.ts"
import type { FieldSource, LeadRow } from "./Lead.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import type { Reference } from "./readReference.ts"
import { isCleared, isShown } from "./shownAddresses.ts"

interface ClearRequest {
  readonly input: LeadUpsertInput
  readonly reference: Reference
  readonly writer: FieldSource
}

/** The failure when nothing would identify the lead. `field` is the path of what would remove it. */
export const lastIdentifier = (leadId: string, field: string): LastIdentifier =>
  new LastIdentifier({
    leadId,
    message:
      `${field}: the last identifier of lead ${leadId} cannot be removed. Add another one with lead.upsert first, or ` +
      "erase the lead with lead.erase."
  })

/**
 * `held` are the lead's identities with those that the input adds. A cleared `email` or `linkedin_url` removes the one that
 * is shown, the other fields all of their kind. Fails with INVALID_INPUT when another field of the input names what one
 * removes, and with LAST_IDENTIFIER when nothing would be left.
 */
export const clearedIdentities = (
  { input, reference, writer }: ClearRequest,
  row: LeadRow,
  held: ReadonlyArray<Identity>,
  facts: IdentityFacts
): Result.Result<ReadonlyArray<Identity>, InvalidInput | LastIdentifier> => {
  if (writer === "import") return Result.succeed([])
  const given = new Set(reference.identities.map(identityKey))
  const isShownOnly = (identity: Identity) => isShown(row, identity) && !given.has(identityKey(identity))
  const ofKind = (kind: Identity["kind"]) => held.filter((identity) => identity.kind === kind)
  const named = {
    email: facts.email === "" ? ofKind("email").filter(isShownOnly) : [],
    linkedin_url:
      facts.linkedinUrl === "" ? held.filter((identity) => identity.kind !== "email" && isShownOnly(identity)) : [],
    custom_id: isCleared(input.custom_id) ? ofKind("custom_id") : [],
    linkedin_id: isCleared(input.linkedin_id) ? tokensOf(held, ["profile_token", "recruiter_token"], true) : [],
    sales_nav_id: isCleared(input.sales_nav_id) ? tokensOf(held, ["sales_nav_token"], false) : []
  }
  const fields = Object.entries(named).filter(([, identities]) => identities.length > 0)
  if (fields.length === 0) return Result.succeed([])
  const contradiction = fields.find(([, identities]) => identities.some((one) => given.has(identityKey(one))))
  if (contradiction !== undefined) {
    const [field] = contradiction
    return Result.fail(
      new InvalidInput({
        message:
          `${field}: empty, which removes an identifier that another field of this call names. Leave ${field} out, or ` +
          "find the lead by another identifier."
      })
    )
  }
  const removed = detachedWith(
    held,
    fields.flatMap(([, identities]) => identities)
  )
  return without(held, removed).length > 0
    ? Result.succeed(removed)
    : Result.fail(lastIdentifier(row.id, fields.map(([field]) => field).join(", ")))
}
