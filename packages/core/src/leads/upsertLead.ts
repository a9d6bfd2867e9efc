/**
 * Creating or updating one lead, matched by any identifier.
 *
 * Every refusal happens before anything is written, so a refused row can be skipped inside a transaction. At most three
 * statements besides the journal's: find and lock, merge, write.
 */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { emit, warn } from "../kernel/command/Execution.ts"
import { Ids } from "../kernel/schema/Ids.ts"
import { now } from "../kernel/schema/Time.ts"
import type { OnConflict } from "./identity/Matching.ts"
import type { FieldSource } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import { LeadsRepo } from "./LeadsRepo.ts"
import { checkAliases, decideUpsert, planUpsert, type UpsertRequest } from "./planUpsert.ts"
import { readReference } from "./readReference.ts"
import { afterDetaching } from "./removeIdentifier.ts"
import { announceMergedStatus } from "./storeLead.ts"

/** Options. `mission` is the id or handle of a mission to add the lead to. */
export interface UpsertOptions {
  readonly source: FieldSource
  readonly onConflict?: OnConflict | undefined
  readonly mission?: string | undefined
}

/**
 * Creates the lead, or updates the one that matches. The same input again changes nothing.
 *
 * Fails, before it writes anything, with IDENTIFIER_REQUIRED, INVALID_INPUT, INVALID_EMAIL, NOT_A_PROFILE_URL, NOT_FOUND
 * (lead id or mission), MISSION_ARCHIVED, IDENTITY_CONFLICT, LAST_IDENTIFIER and LEAD_SUPPRESSED (leaving DoNotContact; any
 * change by an import). Merging, and removing an identifier, also fail with DRAFT_IN_FLIGHT and SEND_OUTCOME_UNKNOWN.
 */
export const upsertLead = Effect.fnUntraced(function* (
  input: LeadUpsertInput,
  { mission, onConflict = "error", source }: UpsertOptions
) {
  yield* Effect.fromResult(checkAliases(input))
  const { organizationId } = yield* Actor
  const reference = yield* readReference(input)
  const repo = yield* LeadsRepo
  const found = yield* repo.resolve(organizationId, { mission, ...reference })
  const request: UpsertRequest = { organizationId, input, reference, mission, onConflict, source, found }
  const decision = yield* Effect.fromResult(decideUpsert(request))
  const at = yield* now
  const newId = decision._tag === "Create" ? yield* (yield* Ids).next("ld") : ""
  const plan = yield* Effect.fromResult(planUpsert(request, decision, newId, at))
  const { before, held, link, losers, released, rows, stored, suppressed } = plan

  for (const warning of plan.warnings) yield* warn(warning)
  if (losers.length > 0) yield* repo.merge(organizationId, stored.row.id, losers, at)
  if (rows.length + held.length + released.length + suppressed.length > 0 || link !== undefined) {
    yield* repo.write({ organizationId, rows, held, released, link, suppressed })
  }
  for (const event of plan.events) yield* emit(event)
  if (losers.length > 0) yield* (yield* LeadConsequences).onMerge(organizationId, stored.row.id, losers)
  const brought = found.leads.filter(({ row }) => losers.includes(row.id)).map(({ row }) => row.status)
  if (before !== undefined) yield* announceMergedStatus([before.status, ...brought], stored.row)
  const result = released.length === 0 ? plan.result : yield* afterDetaching(plan.result, released)
  return { leadId: stored.row.id, change: plan.change, linked: link !== undefined, stored: result }
})
