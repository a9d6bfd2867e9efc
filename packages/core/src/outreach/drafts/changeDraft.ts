/** Changing and cancelling a draft. */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import { type Execution, warn } from "../../kernel/command/Execution.ts"
import type { NotFound, StoreFailure } from "../../kernel/failure/failures.ts"
import { canonicalJson } from "../../kernel/schema/Hash.ts"
import type { DraftId, LeadId } from "../../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import { DraftOpen } from "../../leads/failures.ts"
import type { LeadRow } from "../../leads/Lead.ts"
import { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { PrivacyRepo } from "../../leads/privacy/PrivacyRepo.ts"
import type { MissionsRepo } from "../../missions/MissionsRepo.ts"
import type { ChangeRefusal } from "../failures.ts"
import { clearWaitingLeads, type SettleNeeds } from "../transmission/gate.ts"
import { cancelInvitationsFor } from "../transmission/invitations/cancelInvitations.ts"
import { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"
import { openMission } from "./createDraft.ts"
import type { DraftRow } from "./DraftRow.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { contentHashOfView, type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft, cancel, refuseOther, update } from "./draftTransitions.ts"
import { type EvidenceInput, evidenceAfter, evidenceFor, isStale, stepNow, withStep } from "./Evidence.ts"
import { holdDraft, readDraft, refuseSuppressed } from "./readDraft.ts"
import { afterChange } from "./withdrawDrafts.ts"

type Needs = Actor | DraftsRepo | TransmissionsRepo | Execution | MissionsRepo | SettleNeeds | PrivacyRepo

/**
 * What to change; undefined stays. `mission` is an id or a handle, null takes the draft out of its mission. `read` is the hash of
 * the content that the change was made from, if somebody says.
 */
interface DraftWrite {
  readonly variations: ReadonlyArray<string> | undefined
  readonly lead: LeadRow | undefined
  readonly mission: string | null | undefined
  readonly read: string | undefined
  readonly model: string | undefined
  readonly evidence: typeof EvidenceInput.Type | undefined
}

/** Stores a changed draft with `write`, and its queue item where that changed. */
export const storeDraft = Effect.fnUntraced(function* <E>(
  view: DraftView,
  row: DraftRow,
  item: DraftView["item"] | undefined,
  write: Effect.Effect<void, E>
) {
  if (item != null) yield* (yield* TransmissionsRepo).save(row.organizationId, [item])
  yield* write
  if (item == null) return
  yield* cancelInvitationsFor(row.organizationId, row.id, item.reason ?? "draft_changed")
  yield* clearWaitingLeads([view.row.leadId])
})

/** Says which open draft is in the way. */
export const openElsewhere = (leadId: LeadId, draftId: DraftId): DraftOpen =>
  new DraftOpen({
    draftId,
    message:
      `Lead ${leadId} already has the open draft ${draftId} with this agent. Cancel one of them with ` +
      "linkedin.draft.cancel."
  })

/**
 * Changes texts, recipient or mission. A change of text or recipient takes an approval back, which a warning says; one of the
 * text answers a request to rewrite it.
 * Without a change nothing is written. Fails as the state machine does, and with NOT_FOUND, LEAD_SUPPRESSED, DRAFT_OPEN,
 * MISSION_ARCHIVED or CONTENT_CHANGED.
 */
export const updateDraft = Effect.fnUntraced(function* (draftId: DraftId, write: DraftWrite) {
  const { organizationId } = yield* Actor
  const mission = write.mission === undefined || write.mission === null ? undefined : yield* openMission(write.mission)
  if (write.lead !== undefined) {
    // Both leads in one order, since another draft may go the other way.
    const leadIds = [(yield* readDraft(draftId)).row.leadId, write.lead.id]
    yield* (yield* LeadsRepo).resolve(organizationId, { identities: [], leadIds, missions: [] })
  }
  const view = yield* holdDraft(draftId)
  const { row } = view
  const lead = write.lead?.id === row.leadId ? undefined : write.lead
  const change = yield* Effect.fromResult(
    update(stateOfView(view), { variations: write.variations, leadChanged: lead !== undefined })
  )
  const missionId = write.mission === undefined ? row.missionId : (mission?.id ?? null)
  const content = { agentId: row.agentId, leadId: lead?.id ?? row.leadId, variations: change.state.variations }
  const evidence =
    write.evidence === undefined
      ? evidenceAfter(row.evidence, row, content)
      : yield* evidenceFor(content, write.evidence)
  const isSame = canonicalJson(evidence) === canonicalJson(row.evidence)
  if (!change.changed && missionId === row.missionId && isSame) return view
  const other = refuseOther(write.read, contentHashOfView(view))
  if (other !== undefined) return yield* other
  const drafts = yield* DraftsRepo
  if (lead !== undefined) {
    yield* refuseSuppressed(lead)
    const open = yield* drafts.findOpen(organizationId, lead.id, row.agentId)
    if (open !== undefined) return yield* openElsewhere(lead.id, open)
  }
  const after = afterChange(view, change, "draft_changed", yield* now)
  const isRewritten = change.changed && write.variations !== undefined
  const review = isRewritten ? { ...row.review, rewrite: null } : row.review
  const { updatedAt } = after.row
  const steps = withStep(row.steps, yield* stepNow("updated", updatedAt, write.model))
  const changed = { ...after.row, review, steps, ...content, evidence, missionId }
  const saving = lead === undefined ? drafts.save(organizationId, [changed]) : drafts.give(changed)
  yield* storeDraft(view, changed, after.item, saving)
  if (change.clearsApproval) {
    yield* warn("approval_cleared: the approved content changed, so the draft is under review again.")
  }
  const stale = evidence.flatMap((item, index) => (isStale(item, changed) ? [`evidence[${index}]`] : []))
  if (stale.length > 0) {
    yield* warn(
      `evidence_stale: the texts lack the claim of ${stale.join(", ")}. Send evidence for the texts as they are.`
    )
  }
  yield* announceDraft("draft.updated", changed, { content_hash: contentHashOfView({ row: changed }) })
  if (lead === undefined) return yield* readDraft(row.id)
  const given = yield* holdDraft(row.id)
  // What became of the new lead since it was read counts.
  if (given.lead.status === "DoNotContact") yield* refuseSuppressed(given.lead)
  return given
})

/** Cancels a draft for good. `reason` goes into the event. Fails as the state machine does, and with NOT_FOUND. */
export const cancelDraft = Effect.fnUntraced(function* (
  draftId: DraftId,
  reason: string | undefined
): Effect.fn.Return<DraftView, ChangeRefusal | StoreFailure | NotFound, Needs> {
  const view = yield* holdDraft(draftId)
  const change = yield* Effect.fromResult(cancel(stateOfView(view)))
  const at = changedAt(view.row.updatedAt, yield* now)
  const after = afterChange(view, change, "draft_cancelled", at)
  const row = { ...after.row, steps: withStep(view.row.steps, yield* stepNow("cancelled", at)) }
  const write = (yield* DraftsRepo).save(row.organizationId, [row])
  yield* storeDraft(view, row, after.item, write)
  yield* announceDraft("draft.cancelled", row, { reason: reason ?? "requested" })
  return { ...view, row, item: after.item ?? view.item }
})
