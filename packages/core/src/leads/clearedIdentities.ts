/** Which identities the null and empty identifier fields of an upsert remove from the lead. */
import * as Result from "effect/Result"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { normalizeEmail } from "../kernel/schema/Email.ts"
import type { IdentityFacts, Known } from "./applyInput.ts"
import { LastIdentifier } from "./failures.ts"
import { detachedWith, without } from "./identity/detached.ts"
import { type Identity, identityKey } from "./identity/Identity.ts"
import { identifierNames, identifiers } from "./identity/IdentityInput.ts"
import { profileUrl } from "./identity/LinkedInProfile.ts"
import type { FieldSource, LeadRow } from "./Lead.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import type { StoredLead } from "./LeadsRepo.ts"
import type { Reference } from "./readReference.ts"

const emailKey = (address: string): string | undefined =>
  Result.getOrUndefined(Result.map(normalizeEmail(address), ({ key }) => key))

type Shown = Pick<LeadRow, "email" | "linkedinUrl" | "salesNavTriple">

const isProfile = ({ kind }: Identity): boolean => kind === "slug" || kind.endsWith("_token")

/** Whether the identity is the lead's displayed email address or profile URL. */
const isShown = (row: Pick<Shown, "email" | "linkedinUrl">, identity: Identity): boolean =>
  (identity.kind === "email" && emailKey(row.email) === identity.value) ||
  (isProfile(identity) && profileUrl(identity.value) === row.linkedinUrl)

/** The displayed values that change when identities leave a lead: those of another identity it keeps, or empty. */
export const shownWithout = (
  row: Shown,
  removed: ReadonlyArray<Identity>,
  kept: ReadonlyArray<Identity>
): Partial<Shown> => {
  const lost = removed.filter((identity) => isShown(row, identity))
  const first = (kind: Identity["kind"]) => kept.find((identity) => identity.kind === kind)?.value
  const profile = first("slug") ?? first("profile_token")
  const token = row.salesNavTriple.split(",", 1)[0]
  return {
    ...(lost.some(({ kind }) => kind === "email") ? { email: first("email") ?? "" } : {}),
    ...(lost.some(isProfile) ? { linkedinUrl: profile === undefined ? "" : profileUrl(profile) } : {}),
    ...(removed.some(({ value }) => value === token) ? { salesNavTriple: "" } : {})
  }
}

/** Whether an identifier field detaches what it shows; an import never does. */
const isCleared = (value: string | null | undefined): boolean => value === null || value === ""

/** An input and who sends it. */
interface AddressRequest {
  readonly input: Pick<LeadUpsertInput, "email" | "linkedin_url">
  readonly reference: Reference
  readonly writer: FieldSource
}

/**
 * The displayed values after an input; identifiers that stay with another lead are ignored. An address that the lead
 * already holds only matches it, and replaces the displayed one only together with `lead_id`. `held` are the lead's
 * identifiers afterwards.
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
  const clears = (value: string | null | undefined) => writer === "user" && isCleared(value)
  const email = reference.identities.find(({ kind }) => kind === "email")
  const slug = reference.identities.find(({ kind }) => kind === "slug")
  // A URL made from a token is displayed only until a readable one is known.
  const profile = slug !== undefined ? shown(slug, reference.linkedinUrl, row.linkedinUrl) : reference.linkedinUrl
  const isWorse = slug === undefined && row.linkedinUrl !== ""
  return {
    email: email !== undefined ? shown(email, reference.email, row.email) : clears(input.email) ? "" : undefined,
    linkedinUrl: clears(input.linkedin_url) && slug === undefined ? "" : isWorse ? undefined : profile,
    salesNavTriple: reference.salesNavTriple
  }
}

/** The content without removed identities; `kept` are those that stay. What is shown instead counts as entered by a person. */
export const showOthers = (
  { content, provenance }: Known,
  removed: ReadonlyArray<Identity>,
  kept: ReadonlyArray<Identity>
): Known => {
  const shown = shownWithout(content, removed, kept)
  const fields = Object.keys(shown).filter((field) => field !== "salesNavTriple")
  return {
    content: { ...content, ...shown },
    provenance: { ...provenance, ...Object.fromEntries(fields.map((field) => [field, "user" as const])) }
  }
}

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
  // What is shown is cleared only when the input shows nothing else.
  const emptied = { ...input, email: facts.email, linkedin_url: facts.linkedinUrl }
  const fields = identifierNames
    .map((field) => [field, isCleared(emptied[field]) ? identifiers[field].cleared(held, isShownOnly) : []] as const)
    .filter(([, identities]) => identities.length > 0)
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
