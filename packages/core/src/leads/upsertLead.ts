/**
 * Creating and changing one lead by whatever identifies it.
 *
 * Everything that refuses a call is known before anything is written, so a refused row can be skipped inside a
 * transaction. Three statements beside the journal's at most: find and lock, merge, write. Source: G17, G18, G21, G35.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, emit, warn } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { requireScope } from "../Policy.ts"
import { now } from "../Time.ts"
import { announceStatus } from "./announceStatus.ts"
import type { OnConflict } from "./identity/MatchDecision.ts"
import type { FieldSource } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { checkAliases, decideUpsert, planUpsert, type UpsertRequest } from "./planUpsert.ts"
import { readReference } from "./readReference.ts"

/** How to write. `mission` is the id or handle of a mission to add the lead to. */
export interface UpsertOptions {
  readonly source: FieldSource
  readonly onConflict?: OnConflict | undefined
  readonly mission?: string | undefined
}

/** What an upsert did. `linked`: the lead was not in the mission before. */
export interface Upserted {
  readonly leadId: string
  readonly change: "created" | "updated" | "unchanged"
  readonly linked: boolean
  readonly stored: StoredLead
}

type Needs = Actor | Execution | Ids | LeadsRepo | LeadConsequences

/**
 * Creates the lead that an input means, or changes the one that exists. The same input again changes nothing.
 *
 * Fails, before it writes anything, with IDENTIFIER_REQUIRED, INVALID_INPUT, INVALID_EMAIL, NOT_A_PROFILE_URL, NOT_FOUND
 * (lead id or mission), MISSION_ARCHIVED, IDENTITY_CONFLICT, LEAD_SUPPRESSED (leaving DoNotContact; any change by an
 * import) and FORBIDDEN_SCOPE (merging without `leads:merge`).
 */
export const upsertLead = Effect.fnUntraced(function* (
  input: LeadUpsertInput,
  { mission, onConflict = "error", source }: UpsertOptions
): Effect.fn.Return<Upserted, Failure, Needs> {
  yield* Effect.fromResult(checkAliases(input))
  if (onConflict === "merge") yield* requireScope("leads:merge", "on_conflict merge")
  const { organizationId } = yield* Actor
  const reference = yield* readReference(input)
  const repo = yield* LeadsRepo
  const found = yield* repo.resolve(organizationId, { ...reference, mission })
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
  if (before !== undefined) yield* announceStatus(before.status, stored.row)
  return { leadId: stored.row.id, change: plan.change, linked: link !== undefined, stored: plan.result }
})
