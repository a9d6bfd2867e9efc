/**
 * Creating and changing leads by whatever identifies them: the rule that `lead.upsert` and imports share.
 *
 * Everything that refuses a call is known before anything is written, so a refused row can be skipped inside a
 * transaction. Three statements beside the journal's at most: find and lock, merge, write. Source: G17, G18, G21, G35.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, emit, warn } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { canonicalJson } from "../Hash.ts"
import { Ids } from "../Ids.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { requireScope } from "../Policy.ts"
import { now } from "../Time.ts"
import { announceStatus } from "./announceStatus.ts"
import { decideWrite, type WritePlan } from "./decideWrite.ts"
import type { OnConflict } from "./identity/MatchDecision.ts"
import type { FieldSource, LeadRow } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import type { LeadUpsertInput } from "./LeadInput.ts"
import { type LeadChange, LeadsRepo, type Resolution, type StoredLead } from "./LeadsRepo.ts"
import { matchLeads } from "./matchLeads.ts"
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

const checkAliases = ({ headline, title }: LeadUpsertInput): Effect.Effect<void, Failure> =>
  headline != null && title != null && headline !== title
    ? Effect.fail(fail("INVALID_INPUT", "headline and title are two words for one thing and differ. Send one of them."))
    : Effect.void

const linkOf = (
  mission: Resolution["mission"],
  { stored }: WritePlan,
  writer: FieldSource,
  at: string
): LeadChange["link"] =>
  mission === undefined || stored.missions.some(({ id }) => id === mission.id)
    ? undefined
    : { missionId: mission.id, leadId: stored.row.id, at, touch: writer === "user" }

/** An import that adds many leads states it once itself. */
const announce = Effect.fnUntraced(function* (
  { before, changed, donors, losers, stored: { row } }: WritePlan,
  link: LeadChange["link"],
  writer: FieldSource
) {
  const subject = { type: "lead", id: row.id }
  const fields = changed.filter((field) => field !== "status")
  if (before === undefined) yield* emit({ type: "lead.created", subject, data: { status: row.status } })
  if (losers.length > 0) yield* emit({ type: "lead.merged", subject, data: { merged: losers } })
  if (before !== undefined && fields.length > 0) {
    yield* emit({ type: "lead.updated", subject, data: { changed: fields } })
  }
  for (const { id } of donors) {
    yield* emit({ type: "lead.updated", subject: { type: "lead", id }, data: { changed: ["identities"] } })
  }
  if (link !== undefined && writer === "user") {
    const { leadId, missionId } = link
    const data = { lead_ids: [leadId], count: 1 }
    yield* emit({ type: "mission.leads_added", subject: { type: "mission", id: missionId }, data })
  }
})

/**
 * Creates the lead that an input means, or changes the one that exists. The same input again changes nothing.
 *
 * Fails, before it writes anything, with IDENTIFIER_REQUIRED, INVALID_INPUT, INVALID_EMAIL, NOT_A_PROFILE_URL, NOT_FOUND
 * (lead id or mission), MISSION_ARCHIVED, IDENTITY_CONFLICT, LEAD_SUPPRESSED (leaving DoNotContact; any change by an
 * import) and FORBIDDEN_SCOPE (merging without `leads:merge`).
 */
export const upsertLead = Effect.fnUntraced(function* (
  input: LeadUpsertInput,
  { mission: missionName, onConflict = "error", source }: UpsertOptions
): Effect.fn.Return<Upserted, Failure, Needs> {
  yield* checkAliases(input)
  if (onConflict === "merge") yield* requireScope("leads:merge", "on_conflict merge")
  const { organizationId } = yield* Actor
  const reference = yield* readReference(input)
  const repo = yield* LeadsRepo
  const { leadId, leads, mission } = yield* repo.resolve(organizationId, { ...reference, mission: missionName })
  if (reference.leadId !== undefined && leadId === undefined) return yield* notFound("lead", reference.leadId)
  if (missionName !== undefined && mission === undefined) return yield* notFound("mission", missionName)
  if (mission !== undefined) yield* Effect.fromResult(refuseArchived(mission.status, "enrolment"))

  const decision = matchLeads(reference, leadId, leads, onConflict)
  const at = yield* now
  const newId = decision._tag === "Create" ? yield* (yield* Ids).next("ld") : ""
  const request = { organizationId, input, reference, decision, leads, writer: source, newId, at }
  const plan = yield* Effect.fromResult(decideWrite(request))
  const { before, donors, held, losers, released, stored } = plan

  for (const warning of plan.warnings) yield* warn(warning)
  const link = linkOf(mission, plan, source, at)
  if (losers.length > 0) yield* repo.merge(organizationId, stored.row.id, losers, at)
  const rows: ReadonlyArray<LeadRow> = isSame(before, stored.row) ? donors : [stored.row, ...donors]
  if (rows.length + held.length + released.length > 0 || link !== undefined) {
    yield* repo.write({ organizationId, rows, held, released, link })
  }
  yield* announce(plan, link, source)
  if (losers.length > 0) yield* (yield* LeadConsequences).onMerge(organizationId, stored.row.id, losers)
  if (before !== undefined) yield* announceStatus(before.status, stored.row)
  const missions =
    link === undefined || mission === undefined ? stored.missions : [...stored.missions, { ...mission, linkedAt: at }]
  return {
    leadId: stored.row.id,
    change: before === undefined ? "created" : plan.changed.length + losers.length > 0 ? "updated" : "unchanged",
    linked: link !== undefined,
    stored: { ...stored, missions }
  }
})

const isSame = (before: LeadRow | undefined, after: LeadRow): boolean =>
  before !== undefined && canonicalJson(before) === canonicalJson(after)
