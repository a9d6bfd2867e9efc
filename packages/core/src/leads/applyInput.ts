/**
 * Applying an input to the content of a lead: what it writes, which identifiers it shows, and which it removes.
 *
 * Absent fields keep, null clears, arrays replace; an empty text clears, except in an import. An import never changes
 * what a user wrote or cleared.
 */
import * as Result from "effect/Result"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { normalizeEmail } from "../kernel/schema/Email.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import { LastIdentifier } from "./failures.ts"
import { detachedWith, type Identity, identityKey, without } from "./identity/Identity.ts"
import { identifierNames, identifiers, type Reference } from "./identity/IdentityInput.ts"
import { profileUrl } from "./identity/LinkedInProfile.ts"
import type { FieldSource, LeadContent, LeadRow, LeadUpsertInput } from "./Lead.ts"
import type { StoredLead } from "./LeadsRepo.ts"
import type { OwnValue } from "./ownFields.ts"
import { givenValues, plainFields } from "./projectFields.ts"

/** Content with the source of each field. */
type Known = Pick<LeadRow, "provenance"> & { readonly content: LeadContent }

/** Fields derived from the identifiers of an input; undefined keeps, empty clears. */
interface IdentityFacts {
  readonly email: string | undefined
  readonly linkedinUrl: string | undefined
  readonly salesNavTriple: string | undefined
}

/** Whether two values of a field are equal; lists are compared by content. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && canonicalJson(a) === canonicalJson(b))

/** Whether a value of a field is that of an unknown one. */
export const isEmpty = (value: unknown): boolean =>
  value === "" || value === 0 || value === false || (Array.isArray(value) && value.length === 0)

/** First and last name: as given, or split after the first word; empty for a name that was derived. */
const splitName = ({ content, provenance }: Known): readonly [string, string] => {
  if (provenance.name === undefined) return ["", ""]
  if (content.firstName !== "" || content.lastName !== "") return [content.firstName, content.lastName]
  const space = content.name.indexOf(" ")
  return space === -1 ? [content.name, ""] : [content.name.slice(0, space), content.name.slice(space + 1).trim()]
}

type Names = Pick<LeadContent, "name" | "firstName" | "lastName">

/** The names after an input; undefined when it contains none. */
const namesOf = (known: Known, input: LeadUpsertInput, writer: FieldSource): Names | undefined => {
  const given = (text: string | undefined) => (text === "" && writer === "import" ? undefined : text)
  const { name } = input
  const first_name = given(input.first_name)
  const last_name = given(input.last_name)
  if (name) {
    const same = name === known.content.name
    return {
      name,
      firstName: first_name ?? (same ? known.content.firstName : ""),
      lastName: last_name ?? (same ? known.content.lastName : "")
    }
  }
  if (first_name === undefined && last_name === undefined) return undefined
  const [firstHalf, lastHalf] = splitName(known)
  const firstName = first_name ?? firstHalf
  const lastName = last_name ?? lastHalf
  const joined = `${firstName} ${lastName}`.trim()
  return joined === "" ? undefined : { name: joined, firstName, lastName }
}

/** Content and sources after an input. */
export const applyInput = (
  known: Known,
  input: LeadUpsertInput,
  facts: IdentityFacts,
  writer: FieldSource,
  fields = plainFields
): Known => {
  const before: Readonly<Record<string, unknown>> = { ...known.content }
  const provenance: Record<string, FieldSource> = { ...known.provenance }
  const content: Record<string, unknown> = {}

  /** Records who writes a field; false when the field must stay. */
  const takes = (field: string, isSame: boolean, wasEmpty = isEmpty(before[field])): boolean => {
    if (writer === "import" && provenance[field] === "user") return false
    // Clearing an empty field is no write, so a later import may fill it.
    if (isSame && wasEmpty) return false
    if (!isSame || writer === "user" || provenance[field] === undefined) provenance[field] = writer
    return true
  }
  const write = (field: string, value: unknown): void => {
    if (takes(field, isSameValue(before[field], value))) content[field] = value
  }

  const names = namesOf(known, input, writer)
  if (names !== undefined) {
    const { firstName, lastName, name } = names
    const isSame = name === before.name && firstName === before.firstName && lastName === before.lastName
    if (takes("name", isSame)) Object.assign(content, names)
  }
  for (const [field, value] of givenValues(input, fields)) if (value !== "" || writer === "user") write(field, value)
  if (input.fields !== undefined) {
    const own: Record<string, OwnValue> = { ...known.content.ownFields }
    for (const [key, value] of Object.entries(input.fields)) {
      if (value === null && writer === "import") continue
      if (!takes(`fields.${key}`, own[key] === (value ?? undefined), own[key] === undefined)) continue
      if (value === null) delete own[key]
      else own[key] = value
    }
    content["ownFields"] = own
  }
  if (facts.email !== undefined) write("email", facts.email)
  if (facts.linkedinUrl !== undefined) write("linkedinUrl", facts.linkedinUrl)
  // Its last part changes with every session, so it is updated silently, whoever wrote it.
  if (facts.salesNavTriple !== undefined) content["salesNavTriple"] = facts.salesNavTriple
  return { content: { ...known.content, ...content }, provenance }
}

const changedKeys = (before: object, after: object): ReadonlyArray<string> =>
  Object.keys({ ...after, ...before }).filter((key) => !isSameValue(Object(after)[key], Object(before)[key]))

/** Names of the fields that differ, except those updated silently. */
export const changedFields = (before: LeadContent, after: LeadContent): ReadonlyArray<string> =>
  changedKeys(before, after).flatMap((field) => {
    if (field === "ownFields") return changedKeys(before.ownFields, after.ownFields).map((key) => `fields.${key}`)
    return field === "salesNavTriple" ? [] : [field]
  })

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
interface InputRequest {
  readonly input: LeadUpsertInput
  readonly reference: Reference
  readonly source: FieldSource
}

/**
 * The displayed values after an input; identifiers that stay with another lead are ignored. An address that the lead
 * already holds only matches it, and replaces the displayed one only together with `lead_id`. `held` are the lead's
 * identifiers afterwards.
 */
export const factsOf = (
  { input, reference, source }: InputRequest,
  { identities, row }: Pick<StoredLead, "identities" | "row">,
  held: ReadonlyArray<Identity>
): IdentityFacts => {
  const isIn = (identity: Identity, list: ReadonlyArray<Identity>): boolean =>
    list.some(({ kind, value }) => kind === identity.kind && value === identity.value)
  const shown = (identity: Identity, value: string | undefined, before: string): string | undefined => {
    const isMeant = reference.leadId !== undefined || before === "" || before === value
    return isIn(identity, held) && (isMeant || !isIn(identity, identities)) ? value : undefined
  }
  const clears = (value: string | null | undefined) => source === "user" && isCleared(value)
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
  { input, reference, source }: InputRequest,
  row: LeadRow,
  held: ReadonlyArray<Identity>,
  facts: IdentityFacts
): Result.Result<ReadonlyArray<Identity>, InvalidInput | LastIdentifier> => {
  if (source === "import") return Result.succeed([])
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
    const message =
      `${field}: empty, which removes an identifier that another field of this call names. Leave ${field} out, or ` +
      "find the lead by another identifier."
    return Result.fail(new InvalidInput({ message }))
  }
  const removed = detachedWith(
    held,
    fields.flatMap(([, identities]) => identities)
  )
  return without(held, removed).length > 0
    ? Result.succeed(removed)
    : Result.fail(lastIdentifier(row.id, fields.map(([field]) => field).join(", ")))
}
