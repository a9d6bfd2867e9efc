/** Erasing a person. */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import type { LeadId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { holdLead } from "../holdLead.ts"
import type { StoredLead } from "../LeadsRepo.ts"
import { PrivacyRepo } from "./PrivacyRepo.ts"

/** Shorter parts of a name are not searched for. */
const minNameLength = 4

/** Whether the reason, which is kept, contains a name or an identifier of the person. */
const namesPerson = ({ identities, row }: StoredLead, reason: string): boolean => {
  const text = reason.toLowerCase()
  const names = `${row.name} ${row.firstName} ${row.lastName}`.split(" ").filter((name) => name.length >= minNameLength)
  return [...names, row.email, row.phone, row.linkedinUrl, ...identities.map(({ value }) => value)].some(
    (own) => own !== "" && text.includes(own.toLowerCase())
  )
}

/**
 * Erases a lead; only tombstones of its identifiers stay. The reason goes into the event, so it must not name the person.
 * Fails with NOT_FOUND, INVALID_INPUT and DRAFT_IN_FLIGHT.
 */
export const eraseLead = Effect.fnUntraced(function* (leadId: LeadId, reason: string | undefined) {
  const { organizationId } = yield* Actor
  const lead = yield* holdLead(leadId)
  if (reason !== undefined && namesPerson(lead, reason)) {
    return yield* new InvalidInput({
      message: "reason: contains the person's name, but is kept after the erasure. Leave the name out."
    })
  }
  const erased = yield* (yield* PrivacyRepo).erase(organizationId, lead.row.id, yield* now)
  if (erased === undefined) return yield* new NotFound({ kind: "lead", id: leadId })
  const data = { tombstones: erased.tombstones, ...(reason === undefined ? {} : { reason }) }
  yield* emit({ type: "lead.erased", subject: { type: "lead", id: lead.row.id }, data })
  return erased
})
