/**
 * Applying an input to the content of a lead.
 *
 * Absent fields keep, null clears, arrays replace; an empty text clears, except in an import. An import never changes
 * what a user wrote or cleared.
 */
import { canonicalJson } from "../kernel/schema/Hash.ts"
import type { FieldSource, LeadContent, LeadRow } from "./Lead.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import { givenValues, plainFields } from "./projectFields.ts"

/** Content with the source of each field. */
export type Known = Pick<LeadRow, "provenance"> & { readonly content: LeadContent }

/** Fields derived from the identifiers of an input; undefined keeps, empty clears. */
export interface IdentityFacts {
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
  const takes = (field: string, isSame: boolean): boolean => {
    if (writer === "import" && provenance[field] === "user") return false
    // Clearing an empty field is no write, so a later import may fill it.
    if (isSame && isEmpty(before[field])) return false
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
  if (facts.email !== undefined) write("email", facts.email)
  if (facts.linkedinUrl !== undefined) write("linkedinUrl", facts.linkedinUrl)
  // Its last part changes with every session, so it is updated silently, whoever wrote it.
  if (facts.salesNavTriple !== undefined) content["salesNavTriple"] = facts.salesNavTriple
  return { content: { ...known.content, ...content }, provenance }
}

/** Names of the fields that differ, except those updated silently. */
export const changedFields = (before: LeadContent, after: LeadContent): ReadonlyArray<string> => {
  const known: Readonly<Record<string, unknown>> = { ...before }
  return Object.entries(after).flatMap(([field, value]) =>
    field === "salesNavTriple" || isSameValue(value, known[field]) ? [] : [field]
  )
}
