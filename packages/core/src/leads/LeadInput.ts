/**
 * The fields of `lead.upsert`, shared by imported rows.
 *
 * An absent field keeps the stored value, null clears it, arrays replace; an empty text clears, except in imports. A cleared
 * identifier is removed from the lead, also except in imports.
 */
import * as Schema from "effect/Schema"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { identifierFields, writtenIdentifierFields } from "./identity/IdentityInput.ts"
import { LeadStatus } from "./LeadStatus.ts"
import { leadFields, nameFields } from "./leadFields.ts"
import { inputFieldsOf } from "./projectFields.ts"

const optional = Schema.optionalKey

/** Field of commands that identify the lead by its id only. */
export const leadIdField = nonEmptyLine(64, "Id of the lead")

/** Fields of commands that find an existing lead by any identifier. */
export const leadIdentifierFields = {
  lead_id: optional(nonEmptyLine(64, "Id of the lead")),
  prospect_id: optional(nonEmptyLine(64, "Alias of lead_id")),
  ...identifierFields
}

/** The identifiers and values of `lead.upsert`; the command adds its options. */
export const LeadUpsertInput = Schema.Struct({
  ...leadIdentifierFields,
  ...writtenIdentifierFields,
  name: optional(nameFields.name.input),
  first_name: optional(nameFields.firstName.input),
  last_name: optional(nameFields.lastName.input),
  ...inputFieldsOf(leadFields),
  status: optional(LeadStatus.annotate({ description: "Lead status. DoNotContact cannot be left this way" }))
})
export type LeadUpsertInput = typeof LeadUpsertInput.Type
