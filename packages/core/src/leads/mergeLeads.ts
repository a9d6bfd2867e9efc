/** Merging the data of several leads into one. */

import * as Effect from "effect/Effect"
import { Actor, emit, warn } from "../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import { changedAt, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { excerpt } from "../kernel/schema/TextFields.ts"
import { isEmpty } from "./applyInput.ts"
import { IdentityConflict } from "./failures.ts"
import { compareText } from "./identity/Identity.ts"
import { contentOf, type FieldSource, type LeadIdentityRow, type LeadRow } from "./Lead.ts"
import { announceMergedStatus, LeadConsequences } from "./LeadConsequences.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import { LeadsRepo, oldestFirst, type StoredLead } from "./LeadsRepo.ts"
import { entriesOfLead, leadSuppressed, statusReason } from "./suppression/Suppression.ts"

/** Statuses, the one that wins a merge last. */
const weights: ReadonlyArray<LeadStatus> = [
  "New",
  "Waiting",
  "Contacted",
  "Replied",
  "NotInterested",
  "Interested",
  "MeetingBooked",
  "DoNotContact"
]

const higherStatus = (a: LeadStatus, b: LeadStatus): LeadStatus => (weights.indexOf(b) > weights.indexOf(a) ? b : a)

const later = (a: string | null, b: string | null): string | null => ((b ?? "") > (a ?? "") ? b : a)

/** Fills the winner's empty fields from the loser. Names are taken together: a given one replaces a derived one. */
const absorbRow = (winner: LeadRow, loser: LeadRow): LeadRow => {
  const { firstName, lastName, name, ...others } = contentOf(loser)
  const known: Readonly<Record<string, unknown>> = { ...winner }
  const content: Record<string, unknown> = {}
  const provenance: Record<string, FieldSource> = { ...winner.provenance }
  const writers: Readonly<Record<string, FieldSource>> = { ...loser.provenance }
  if (provenance["name"] === undefined && writers["name"] !== undefined) {
    Object.assign(content, { firstName, lastName, name })
    provenance["name"] = writers["name"]
  }
  for (const [field, value] of Object.entries(others)) {
    if (isEmpty(value) || !isEmpty(known[field]) || provenance[field] !== undefined) continue
    content[field] = value
    const writer = writers[field]
    if (writer !== undefined) provenance[field] = writer
  }
  return {
    ...winner,
    ...content,
    provenance,
    status: higherStatus(winner.status, loser.status),
    lastInboundAt: later(winner.lastInboundAt, loser.lastInboundAt),
    lastOutboundAt: later(winner.lastOutboundAt, loser.lastOutboundAt)
  }
}

/** The winner with the data of the losers, in their order; keeps the winner's id and creation time. */
export const mergeLeads = (winner: StoredLead, losers: ReadonlyArray<StoredLead>): StoredLead => {
  const all = [winner, ...losers]
  const links = all.flatMap((lead) => lead.missions).sort(oldestFirst(({ linkedAt }) => linkedAt))
  return {
    row: losers.reduce((row, loser) => absorbRow(row, loser.row), winner.row),
    identities: all.flatMap(({ identities }) => identities),
    missions: links.filter((link, index) => links.findIndex(({ id }) => id === link.id) === index),
    messages: all.flatMap(({ messages }) => messages).sort(oldestFirst(({ date }) => date)),
    suppressions: all.flatMap(({ suppressions }) => suppressions)
  }
}

/** Which values win: the winner's, with gaps filled; or those of the lead changed last. */
type FieldPolicy = "winner" | "latest"

/** Locks the leads. A merged lead stands for the lead it was merged into. Fails with NOT_FOUND. */
const holdAll = Effect.fnUntraced(function* (winnerLeadId: LeadId, loserLeadIds: ReadonlyArray<string>) {
  const { organizationId } = yield* Actor
  const given = [winnerLeadId, ...loserLeadIds]
  const found = yield* (yield* LeadsRepo).resolve(organizationId, { identities: [], leadIds: given, missions: [] })
  const byId = new Map(found.leads.map((lead) => [lead.row.id, lead]))
  const held: Array<StoredLead> = []
  for (const id of given) {
    const lead = byId.get(found.leadIds.get(id) ?? "")
    if (lead === undefined) return yield* new NotFound({ kind: "lead", id })
    if (!held.includes(lead)) held.push(lead)
  }
  const [winner, ...losers] = held
  return winner === undefined ? yield* new NotFound({ kind: "lead", id: winnerLeadId }) : { winner, losers }
})

/** Fails with IDENTITY_CONFLICT when the leads are different LinkedIn members. */
const refuseDifferentMembers = Effect.fnUntraced(function* (leads: ReadonlyArray<StoredLead>) {
  const members = new Set(
    leads.flatMap(({ identities }) => identities.filter(({ kind }) => kind === "member_id").map(({ value }) => value))
  )
  if (members.size < 2) return
  return yield* new IdentityConflict({
    leads: leads.map(({ row }) => row.id),
    message:
      `The leads are ${members.size} different LinkedIn members, so they cannot be merged. Merge others, or correct ` +
      "their identifiers first."
  })
})

/** All custom ids but the first, which is kept. */
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
 * Moves identifiers, missions, messages, notes, drafts and history of the losers to the winner; their ids then resolve to
 * it. Leads already merged into it are skipped. Fails with NOT_FOUND, INVALID_INPUT (a lead into itself),
 * IDENTITY_CONFLICT (different LinkedIn members), DRAFT_IN_FLIGHT and SEND_OUTCOME_UNKNOWN.
 */
export const mergeInto = Effect.fnUntraced(function* (
  winnerLeadId: LeadId,
  loserLeadIds: ReadonlyArray<string>,
  policy: FieldPolicy
) {
  if (loserLeadIds.includes(winnerLeadId)) {
    return yield* new InvalidInput({
      message: "loser_lead_ids: contains winner_lead_id. A lead cannot be merged into itself."
    })
  }
  const { winner, losers } = yield* holdAll(winnerLeadId, loserLeadIds)
  const { id, organizationId, status } = winner.row
  if (losers.length === 0) return { winnerId: id, merged: [] }
  const all = [winner, ...losers]
  yield* refuseDifferentMembers(all)
  const at = yield* now
  const merged = losers.map(({ row }) => row.id)
  const row = rowOf(winner, losers, policy, at)
  const released = surplusCustomIds(all)
  for (const { value } of released) {
    yield* warn(
      `custom_id ${excerpt(value)} is dropped, as a lead can have only one; use another identifier to find the lead.`
    )
  }
  const gone = new Set(released.map(({ value }) => value))
  const identities = all
    .flatMap((lead) => lead.identities)
    .filter(({ kind, value }) => kind !== "custom_id" || !gone.has(value))
  const entry = { reason: statusReason, until: null, createdAt: row.updatedAt }
  const suppressed = row.status === "DoNotContact" ? entriesOfLead(row, identities, entry) : []
  const repo = yield* LeadsRepo
  yield* repo.write({ organizationId, rows: [row], released, suppressed })
  yield* repo.merge(organizationId, id, merged, at)
  yield* emit({ type: "lead.merged", subject: { type: "lead", id }, data: { merged } })
  if (row.status === "DoNotContact" && status !== "DoNotContact") yield* emit(leadSuppressed(id, null))
  yield* (yield* LeadConsequences).onMerge(organizationId, id, merged)
  const brought = losers.map((loser) => loser.row.status)
  yield* announceMergedStatus([status, ...brought], row)
  return { winnerId: id, merged }
})
