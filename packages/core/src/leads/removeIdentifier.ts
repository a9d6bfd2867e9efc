/** Removing a wrong identifier from a lead. */

import * as Effect from "effect/Effect"
import { emit } from "../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import { changedAt, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { changedFields, lastIdentifier, showOthers } from "./applyInput.ts"
import { IdentifierRequired } from "./failures.ts"
import { holdLead } from "./findLead.ts"
import { detachedWith, type Identity, IdentityOptions, identityKey, without } from "./identity/Identity.ts"
import { type IdentityFields, readIdentityInput } from "./identity/IdentityInput.ts"
import { contentOf } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { clearWaiting } from "./recordMessage.ts"

const fieldNames = "email, linkedin_url, linkedin_id, sales_nav_id or custom_id"

/** The one field that is sent, and the identity it names. */
const readNamed = Effect.fnUntraced(function* (fields: IdentityFields) {
  const { identities, warnings } = yield* Effect.fromResult(readIdentityInput(fields, yield* IdentityOptions))
  const sent = Object.entries(fields).flatMap(([field, text]) => (text?.trim() ? [field] : []))
  const [field = ""] = sent
  if (sent.length > 1) {
    return yield* new InvalidInput({ message: `${sent.join(", ")}: several identifiers. Remove one per call.` })
  }
  const named = identities.find(({ derived }) => !derived)
  if (named !== undefined) return { field, named }
  return yield* new IdentifierRequired({
    message: warnings[0] ?? `The identifier to remove is required: send one of ${fieldNames}.`
  })
})

/**
 * Applies the consequences of removed identities to a lead that is held, and returns it afterwards. Fails with
 * DRAFT_IN_FLIGHT and SEND_OUTCOME_UNKNOWN.
 */
export const afterDetaching = Effect.fnUntraced(function* (
  { row: { id, organizationId } }: StoredLead,
  removed: ReadonlyArray<Identity>
) {
  const isIdle = yield* (yield* LeadConsequences).onDetached(organizationId, id, removed)
  if (isIdle) yield* clearWaiting(id)
  return yield* holdLead(id)
})

/**
 * Removes an identifier from a lead, with what was derived from it, and returns the lead. Exactly one field is sent. Fails
 * with NOT_FOUND (the lead, or an identifier it does not have), LAST_IDENTIFIER, IDENTIFIER_REQUIRED, INVALID_INPUT,
 * INVALID_EMAIL, NOT_A_PROFILE_URL, and with DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN when something that is being sent to it,
 * or may have been sent, must stay known.
 */
export const removeIdentifier = Effect.fnUntraced(function* (leadId: LeadId, fields: IdentityFields) {
  const { field, named } = yield* readNamed(fields)
  const lead = yield* holdLead(leadId)
  const { identities, row } = lead
  if (!identities.some((held) => identityKey(held) === identityKey(named))) {
    return yield* new NotFound({
      kind: "identifier",
      message: `${field}: lead ${row.id} does not have this identifier. Find the lead that has it with lead.get.`
    })
  }
  const removed = detachedWith(identities, [named])
  const kept = without(identities, removed)
  if (kept.length === 0) return yield* lastIdentifier(row.id, field)
  const content = contentOf(row)
  const shown = showOthers({ content, provenance: row.provenance }, removed, kept)
  const { id, organizationId } = row
  const changed = [...changedFields(content, shown.content), "identities"]
  yield* (yield* LeadsRepo).write({
    organizationId,
    rows: [{ ...row, ...shown.content, provenance: shown.provenance, updatedAt: changedAt(row.updatedAt, yield* now) }],
    released: removed.map((identity) => ({ ...identity, leadId: id }))
  })
  yield* emit({ type: "lead.updated", subject: { type: "lead", id }, data: { changed } })
  return yield* afterDetaching(lead, removed)
})
