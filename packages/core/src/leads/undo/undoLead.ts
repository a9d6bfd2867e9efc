/**
 * Undoing changes of leads. Each holds the lead first, as everything that changes one does. What protects a person is not
 * undone: a status that ends contact, a suppression, an erasure.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import { emit } from "../../kernel/command/Execution.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import type { LeadId } from "../../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import { changedFields } from "../applyInput.ts"
import { lastIdentifier } from "../clearedIdentities.ts"
import { IdentityConflict, LeadSuppressed } from "../failures.ts"
import { LeadHistoryRepo } from "../history/LeadHistoryRepo.ts"
import { holdLead } from "../holdLead.ts"
import { without } from "../identity/detached.ts"
import { contentOf, leadRow } from "../Lead.ts"
import type { LeadFormer } from "../LeadFormer.ts"
import type { LeadStatus } from "../LeadStatus.ts"
import { LeadsRepo } from "../LeadsRepo.ts"
import { afterDetaching } from "../removeIdentifier.ts"
import { storeLead } from "../storeLead.ts"
import { UnusedLeads } from "./UnusedLeads.ts"

/** Deletes a lead that nobody uses. Fails with NOT_FOUND, and with WRONG_STATE when it is in use. */
export const removeLead = Effect.fnUntraced(function* (leadId: LeadId) {
  const { organizationId } = yield* Actor
  const { row } = yield* holdLead(leadId)
  const kept = yield* (yield* UnusedLeads).remove(organizationId, row.id)
  if (kept !== undefined) return yield* new WrongState({ message: `The lead is in use: ${kept}.` })
  yield* emit({ type: "lead.erased", subject: { type: "lead", id: row.id }, data: { tombstones: 0 } })
})

/**
 * Puts back the values and identifiers that a change replaced. Fails with NOT_FOUND, IDENTITY_CONFLICT (another lead has an
 * identifier by now), LAST_IDENTIFIER, DRAFT_IN_FLIGHT and SEND_OUTCOME_UNKNOWN.
 */
export const restoreLead = Effect.fnUntraced(function* (leadId: LeadId, former: LeadFormer) {
  const { organizationId } = yield* Actor
  const repo = yield* LeadsRepo
  const { leads } = yield* repo.resolve(organizationId, { identities: former.removed, leadId })
  const lead = leads.find(({ row }) => row.id === leadId)
  if (lead === undefined) return yield* new NotFound({ kind: "lead", id: leadId })
  if (leads.length > 1) {
    return yield* new IdentityConflict({
      leads: leads.map(({ row }) => row.id),
      message: "Another lead has an identifier that was removed from this one."
    })
  }
  const released = lead.identities.filter((held) => without([held], former.added).length === 0)
  if (without(lead.identities, released).length + former.removed.length === 0) {
    return yield* lastIdentifier(leadId, "identifiers")
  }
  const before = contentOf(lead.row)
  const content = { ...before, ...former.fields }
  const moved = released.length + former.removed.length > 0 ? ["identities"] : []
  const ofLead = (identity: (typeof former.removed)[number]) => ({ ...identity, leadId })
  yield* repo.write({
    organizationId,
    rows: [
      leadRow(content, {
        ...lead.row,
        provenance: former.provenance,
        updatedAt: changedAt(lead.row.updatedAt, yield* now)
      })
    ],
    held: former.removed.map(ofLead),
    released: released.map(ofLead),
    link: undefined
  })
  const changed = [...changedFields(before, content), ...moved]
  yield* emit({ type: "lead.updated", subject: { type: "lead", id: leadId }, data: { changed } })
  if (released.length > 0) yield* afterDetaching(lead, released)
})

/** Puts back a status. Fails with NOT_FOUND, LEAD_SUPPRESSED (it ended contact) and WRONG_STATE (it is another one by now). */
export const restoreStatus = Effect.fnUntraced(function* (leadId: LeadId, from: LeadStatus, to: LeadStatus) {
  const lead = yield* holdLead(leadId)
  if (to === "DoNotContact" || lead.row.status === "DoNotContact") return yield* new LeadSuppressed({ leadId })
  if (lead.row.status !== to) return yield* new WrongState({ message: `The status is ${lead.row.status} by now.` })
  yield* storeLead(lead, { status: from })
})

/** Deletes a note. Fails with NOT_FOUND. */
export const removeNote = Effect.fnUntraced(function* (leadId: LeadId, noteId: string) {
  const { row } = yield* holdLead(leadId)
  const note = { organizationId: row.organizationId, leadId: row.id, id: noteId }
  yield* (yield* LeadHistoryRepo).removeNote(note, changedAt(row.updatedAt, yield* now))
  yield* emit({ type: "lead.updated", subject: { type: "lead", id: row.id }, data: { changed: ["notes"] } })
})
