/** Changing and cancelling a draft. Source: catalogue 4.1 linkedin.draft.update, .cancel; G8. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, warn } from "../Execution.ts"
import { type Failure, fail } from "../Failure.ts"
import type { LeadRow } from "../leads/Lead.ts"
import type { SuppressionsRepo } from "../leads/suppression/SuppressionsRepo.ts"
import type { MissionsRepo } from "../missions/MissionsRepo.ts"
import { changedAt, now } from "../Time.ts"
import { openMission } from "./createDraft.ts"
import type { DraftRow } from "./DraftRow.ts"
import { cancel, update } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { contentHashOfView, type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft } from "./draftEvents.ts"
import { cancelInvitationsFor } from "./invitations/cancelInvitations.ts"
import { QueueRepo } from "./QueueRepo.ts"
import { holdDraft, readDraft, refuseSuppressed } from "./readDraft.ts"
import { type SettleNeeds, settleWaiting } from "./settleWaiting.ts"
import { afterChange } from "./withdrawDrafts.ts"

type Needs = Actor | DraftsRepo | QueueRepo | Execution | MissionsRepo | SettleNeeds | SuppressionsRepo

/** What to change; undefined stays. `mission` is an id or a handle, null takes the draft out of its mission. */
export interface DraftWrite {
  readonly variations: ReadonlyArray<string> | undefined
  readonly lead: LeadRow | undefined
  readonly mission: string | null | undefined
}

const store = Effect.fnUntraced(function* (view: DraftView, row: DraftRow, item: DraftView["item"] | undefined) {
  if (item != null) yield* (yield* QueueRepo).save(row.organizationId, [item])
  yield* (yield* DraftsRepo).save(row.organizationId, [row])
  if (item == null) return
  yield* cancelInvitationsFor(row.organizationId, row.id, item.reason ?? "draft_changed")
  yield* settleWaiting([view.row.leadId])
})

const openElsewhere = (leadId: string, draftId: string): Failure =>
  fail(
    "DRAFT_OPEN",
    `Lead ${leadId} already has the open draft ${draftId} with this agent. Cancel one of the two with linkedin.draft.cancel.`
  )

/**
 * Changes texts, recipient or mission. A change of text or recipient takes an approval back, which a warning says.
 * Without a change nothing is written. Fails as the state machine does, and with NOT_FOUND, LEAD_SUPPRESSED, DRAFT_OPEN or
 * MISSION_ARCHIVED.
 */
export const updateDraft = Effect.fnUntraced(function* (
  draftId: string,
  write: DraftWrite
): Effect.fn.Return<DraftView, Failure, Needs> {
  const { organizationId } = yield* Actor
  const mission = write.mission === undefined || write.mission === null ? undefined : yield* openMission(write.mission)
  const view = yield* holdDraft(draftId)
  const { row } = view
  const lead = write.lead?.id === row.leadId ? undefined : write.lead
  const change = yield* Effect.fromResult(
    update(stateOfView(view), { variations: write.variations, leadChanged: lead !== undefined })
  )
  const missionId = write.mission === undefined ? row.missionId : (mission?.id ?? null)
  if (!change.changed && missionId === row.missionId) return view
  if (lead !== undefined) {
    yield* refuseSuppressed(lead)
    const open = yield* (yield* DraftsRepo).findOpen(organizationId, lead.id, row.agentId)
    if (open !== undefined) return yield* openElsewhere(lead.id, open)
  }
  const after = afterChange(view, change, "draft_changed", yield* now)
  const changed = { ...after.row, leadId: lead?.id ?? row.leadId, missionId }
  yield* store(view, changed, after.item)
  if (change.clearsApproval) {
    yield* warn("approval_cleared: the draft is under review again, as what was approved changed.")
  }
  yield* announceDraft("draft.updated", changed, { content_hash: contentHashOfView({ row: changed }) })
  return yield* readDraft(row.id)
})

/** Cancels a draft for good. `reason` goes into the event. Fails as the state machine does, and with NOT_FOUND. */
export const cancelDraft = Effect.fnUntraced(function* (
  draftId: string,
  reason: string | undefined
): Effect.fn.Return<DraftView, Failure, Needs> {
  const view = yield* holdDraft(draftId)
  const change = yield* Effect.fromResult(cancel(stateOfView(view)))
  const at = changedAt(view.row.updatedAt, yield* now)
  const after = afterChange(view, change, "draft_cancelled", at)
  yield* store(view, after.row, after.item)
  yield* announceDraft("draft.cancelled", after.row, { reason: reason ?? "requested" })
  return { ...view, row: after.row, item: after.item ?? view.item }
})
