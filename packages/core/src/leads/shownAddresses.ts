/** The one e-mail address and profile address, of all that a lead holds, which it shows and is written to. Source: G13, G14. */
import * as Result from "effect/Result"
import type { IdentityFacts } from "./applyInput.ts"
import { normalizeEmail } from "./identity/Email.ts"
import type { Identity } from "./identity/Identity.ts"
import { profileUrl } from "./identity/profileSlug.ts"
import type { FieldSource, LeadRow } from "./Lead.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import type { StoredLead } from "./LeadsRepo.ts"
import type { Reference } from "./readReference.ts"

const emailKey = (address: string): string | undefined =>
  Result.getOrUndefined(Result.map(normalizeEmail(address), ({ key }) => key))

/** Whether the identity is the one that the lead shows, as its e-mail or its profile address. */
export const isShown = (row: Pick<LeadRow, "email" | "linkedinUrl">, identity: Identity): boolean =>
  (identity.kind === "email" && emailKey(row.email) === identity.value) ||
  (identity.kind === "slug" && profileUrl(identity.value) === row.linkedinUrl)

/** Whose addresses an input speaks of, and who says it. */
export interface AddressRequest {
  readonly input: Pick<LeadUpsertInput, "email" | "linkedin_url">
  readonly reference: Reference
  readonly writer: FieldSource
}

/**
 * What the identifiers add to what is shown; those that stay with another lead add nothing. An address that the lead
 * already holds only finds it, and is shown instead of another one when `lead_id` says that this is meant. `held` are
 * the identifiers that the lead has afterwards.
 */
export const factsOf = (
  { input, reference, writer }: AddressRequest,
  { identities, row }: Pick<StoredLead, "identities" | "row">,
  held: ReadonlyArray<Identity>
): IdentityFacts => {
  const isIn = (identity: Identity, list: ReadonlyArray<Identity>): boolean =>
    list.some(({ kind, value }) => kind === identity.kind && value === identity.value)
  const shown = (identity: Identity, value: string | undefined, before: string): string | undefined => {
    const isMeant = reference.leadId !== undefined || before === "" || before === value
    return isIn(identity, held) && (isMeant || !isIn(identity, identities)) ? value : undefined
  }
  const clears = (value: string | null | undefined) => value === null || (value === "" && writer === "user")
  const email = reference.identities.find(({ kind }) => kind === "email")
  const slug = reference.identities.find(({ kind }) => kind === "slug")
  // The address of a token is shown only until a readable one is known.
  const profile = slug !== undefined ? shown(slug, reference.linkedinUrl, row.linkedinUrl) : reference.linkedinUrl
  const isWorse = slug === undefined && row.linkedinUrl !== ""
  return {
    email: email !== undefined ? shown(email, reference.email, row.email) : clears(input.email) ? "" : undefined,
    linkedinUrl: clears(input.linkedin_url) && slug === undefined ? "" : isWorse ? undefined : profile,
    salesNavTriple: reference.salesNavTriple
  }
}
