/** Merging the data of several leads into one, and removing a wrong identifier from a lead. */
import * as Effect from "effect/Effect"
import { Actor, emit, warn } from "../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import { changedAt, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { excerpt } from "../kernel/schema/TextFields.ts"
import { changedFields, lastIdentifier, showOthers } from "./applyInput.ts"
import { mergeLeads } from "./decideWrite.ts"
import { IdentifierRequired, IdentityConflict } from "./failures.ts"
import { holdLead } from "./findLead.ts"
import { compareText, detachedWith, type Identity, IdentityOptions, identityKey, without } from "./identity/Identity.ts"
import { type IdentityFields, readIdentityInput } from "./identity/IdentityInput.ts"
import { contentOf, type LeadIdentityRow, type LeadRow } from "./Lead.ts"
import { announceMergedStatus, LeadConsequences } from "./LeadConsequences.ts"
import { LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { clearWaiting } from "./recordMessage.ts"
import { entriesOfStatus, leadSuppressed } from "./suppression/Suppression.ts"

/** Which values win: the winner's, with gaps filled; or those of the lead changed last. */
type FieldPolicy = "winner" | "latest"

/** Locks the leads. A merged lead stands for the lead it was merged into. Fails with NOT_FOUND. */
const holdAll = Effect.fnUntraced(function* (winnerLeadId: LeadId, loserLeadIds: ReadonlyArray<string>) {
  const { organizationId } = yield* Actor
  const given = [winnerLeadId, ...loserLeadIds] as const
  const found = yield* (yield* LeadsRepo).resolve(organizationId, { identities: [], leadIds: given, missions: [] })
  const byId = new Map(found.leads.map((lead) => [lead.row.id, lead]))
  const [winner, ...others] = yield* Effect.forEach(given, (id) => {
    const lead = byId.get(found.leadIds.get(id) ?? "")
    return lead === undefined ? Effect.fail(new NotFound({ kind: "lead", id })) : Effect.succeed(lead)
  })
  return { winner, losers: [...new Set(others)].filter((lead) => lead !== winner) }
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
    const message = "loser_lead_ids: contains winner_lead_id. A lead cannot be merged into itself."
    return yield* new InvalidInput({ message })
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
  const held = all.flatMap((lead) => lead.identities)
  const suppressed = row.status === "DoNotContact" ? entriesOfStatus(row, without(held, released)) : []
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
    const message = `${field}: lead ${row.id} does not have this identifier. Find the lead that has it with lead.get.`
    return yield* new NotFound({ kind: "identifier", message })
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
