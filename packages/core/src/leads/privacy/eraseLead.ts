/** Removing a person for good. Source: G43 (lead.erase). */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import { type Execution, emit } from "../../Execution.ts"
import { type Failure, fail, notFound } from "../../Failure.ts"
import { now } from "../../Time.ts"
import { holdLead } from "../holdLead.ts"
import type { LeadsRepo, StoredLead } from "../LeadsRepo.ts"
import { type Erasure, PrivacyRepo } from "./PrivacyRepo.ts"

/** Shortest piece of a name that tells who is meant. */
const shortestName = 4

/** The first of the person's own texts that a reason holds, as it is kept after the person is gone. */
const namedIn = ({ identities, row }: StoredLead, reason: string): boolean => {
  const text = reason.toLowerCase()
  const names = `${row.name} ${row.firstName} ${row.lastName}`.split(" ").filter((name) => name.length >= shortestName)
  return [...names, row.email, row.phone, row.linkedinUrl, ...identities.map(({ value }) => value)].some(
    (own) => own !== "" && text.includes(own.toLowerCase())
  )
}

/**
 * Removes a lead and everything held on it, but for tombstones of its identifiers. The reason goes into the event, so it
 * may not name the person. Fails with NOT_FOUND, INVALID_INPUT and DRAFT_IN_FLIGHT.
 */
export const eraseLead = Effect.fnUntraced(function* (
  leadId: string,
  reason: string | undefined
): Effect.fn.Return<Erasure, Failure, Actor | Execution | LeadsRepo | PrivacyRepo> {
  const { organizationId } = yield* Actor
  const lead = yield* holdLead(leadId)
  if (reason !== undefined && namedIn(lead, reason)) {
    return yield* fail(
      "INVALID_INPUT",
      "reason: names the person, and is kept after the erasure. Say it without naming them."
    )
  }
  const erased = yield* (yield* PrivacyRepo).erase(organizationId, lead.row.id, yield* now)
  if (erased === undefined) return yield* notFound("lead", leadId)
  const data = { tombstones: erased.tombstones, ...(reason === undefined ? {} : { reason }) }
  yield* emit({ type: "lead.erased", subject: { type: "lead", id: lead.row.id }, data })
  return erased
})
