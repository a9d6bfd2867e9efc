/** Making one lead of several because somebody says that they are one person. Source: G18, catalogue 4.1 (lead.merge). */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, emit, warn } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { changedAt, now } from "../Time.ts"
import { announceStatus } from "./announceStatus.ts"
import { compareText } from "./identity/Identity.ts"
import { excerpt } from "./identity/pastedText.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadConsequences } from "./LeadConsequences.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import type { LeadIdentityRow } from "./LeadTables.ts"
import { mergeLeads } from "./mergeLeads.ts"
import { entriesOfLead, statusReason } from "./suppression/Suppression.ts"
import { leadSuppressed } from "./suppression/suppressionEvents.ts"

/** Whose values count: the winner's, its gaps filled; or of every field those of the lead that changed last. */
export type FieldPolicy = "winner" | "latest"

/** What a merge did; `merged` are the leads that went up in the winner just now. */
export interface Merged {
  readonly winnerId: string
  readonly merged: ReadonlyArray<string>
}

type Needs = Actor | Execution | LeadConsequences | LeadsRepo

/** Leads by id, held. Those that were merged before stand for what they went into. Fails with NOT_FOUND. */
const holdAll = Effect.fnUntraced(function* (
  winnerLeadId: string,
  loserLeadIds: ReadonlyArray<string>
): Effect.fn.Return<{ readonly winner: StoredLead; readonly losers: ReadonlyArray<StoredLead> }, Failure, Needs> {
  const { organizationId } = yield* Actor
  const given = [winnerLeadId, ...loserLeadIds]
  const found = yield* (yield* LeadsRepo).resolveMany(organizationId, { identities: [], leadIds: given })
  const byId = new Map(found.leads.map((lead) => [lead.row.id, lead]))
  const held: Array<StoredLead> = []
  for (const id of given) {
    const lead = byId.get(found.leadIds.get(id) ?? "")
    if (lead === undefined) return yield* notFound("lead", id)
    if (!held.includes(lead)) held.push(lead)
  }
  const [winner, ...losers] = held
  return winner === undefined ? yield* notFound("lead", winnerLeadId) : { winner, losers }
})

/** Fails with IDENTITY_CONFLICT when the leads are different members of LinkedIn. */
const refuseStrangers = (leads: ReadonlyArray<StoredLead>): Effect.Effect<void, Failure> => {
  const members = new Set(
    leads.flatMap(({ identities }) => identities.filter(({ kind }) => kind === "member_id").map(({ value }) => value))
  )
  return members.size < 2
    ? Effect.void
    : Effect.fail(
        fail(
          "IDENTITY_CONFLICT",
          `The leads are ${members.size} different members of LinkedIn, so they are not one person. Merge others, or correct their identifiers first.`
        )
      )
}

/** Of several custom ids the first stays; the others are given up. */
const surplusCustomIds = (leads: ReadonlyArray<StoredLead>): ReadonlyArray<LeadIdentityRow> =>
  leads
    .flatMap(({ identities, row }) =>
      identities.filter(({ kind }) => kind === "custom_id").map((identity) => ({ ...identity, leadId: row.id }))
    )
    .slice(1)

const rowOf = (winner: StoredLead, losers: ReadonlyArray<StoredLead>, policy: FieldPolicy, at: string): LeadRow => {
  const all = [winner, ...losers]
  const [first = winner, ...others] =
    policy === "winner" ? all : all.toSorted((a, b) => compareText(b.row.updatedAt, a.row.updatedAt))
  const { createdAt, id, updatedAt } = winner.row
  return { ...mergeLeads(first, others).row, id, createdAt, mergedInto: null, updatedAt: changedAt(updatedAt, at) }
}

/**
 * Makes the losers a part of the winner: identifiers, missions, messages, notes, drafts and history go over, and their ids
 * lead to it from now on. Leads that went up in it before count as done. Fails with NOT_FOUND, INVALID_INPUT (a lead into
 * itself), IDENTITY_CONFLICT (different members of LinkedIn), DRAFT_IN_FLIGHT and SEND_OUTCOME_UNKNOWN.
 */
export const mergeInto = Effect.fnUntraced(function* (
  winnerLeadId: string,
  loserLeadIds: ReadonlyArray<string>,
  policy: FieldPolicy
): Effect.fn.Return<Merged, Failure, Needs> {
  if (loserLeadIds.includes(winnerLeadId)) {
    return yield* fail("INVALID_INPUT", "loser_lead_ids: holds winner_lead_id. A lead cannot be merged into itself.")
  }
  const { winner, losers } = yield* holdAll(winnerLeadId, loserLeadIds)
  const { id, organizationId, status } = winner.row
  if (losers.length === 0) return { winnerId: id, merged: [] }
  const all = [winner, ...losers]
  yield* refuseStrangers(all)
  const at = yield* now
  const merged = losers.map(({ row }) => row.id)
  const row = rowOf(winner, losers, policy, at)
  const released = surplusCustomIds(all)
  for (const { value } of released) {
    yield* warn(
      `custom_id ${excerpt(value)} is given up, as a lead has one at most; look the lead up by another identifier.`
    )
  }
  const gone = new Set(released.map(({ value }) => value))
  const identities = all
    .flatMap((lead) => lead.identities)
    .filter(({ kind, value }) => kind !== "custom_id" || !gone.has(value))
  const isSuppressed = row.status === "DoNotContact" && status !== "DoNotContact"
  const entry = { reason: statusReason, until: null, createdAt: row.updatedAt }
  const suppressed = isSuppressed ? entriesOfLead(row, identities, entry) : []
  const repo = yield* LeadsRepo
  yield* repo.write({ organizationId, rows: [row], held: [], released, link: undefined, suppressed })
  yield* repo.merge(organizationId, id, merged, at)
  yield* emit({ type: "lead.merged", subject: { type: "lead", id }, data: { merged } })
  if (isSuppressed) yield* emit(leadSuppressed(id, null))
  yield* (yield* LeadConsequences).onMerge(organizationId, id, merged)
  yield* announceStatus(status, row)
  return { winnerId: id, merged }
})
