/** Changing and cancelling a draft. */

import * as Effect from "effect/Effect"
import { Actor, warn } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import { changedAt, type DraftId, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { DraftOpen } from "../leads/failures.ts"
import type { LeadRow } from "../leads/Lead.ts"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import { decideChange, storeChange } from "./carryOut.ts"
import { openMission } from "./createDraft.ts"
import { refuseOther } from "./DraftInput.ts"
import { contentHashOfView, DraftsRepo, holdDraft, readDraft, refuseSuppressed } from "./DraftsRepo.ts"
import { type EvidenceInput, evidenceAfter, evidenceFor, isStale, stepNow, withStep } from "./Evidence.ts"

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

/** Says which open draft is in the way. */
export const openElsewhere = (leadId: LeadId, draftId: DraftId): DraftOpen =>
  new DraftOpen({
    draftId,
    message:
      `Lead ${leadId} already has the open draft ${draftId} with this agent. Cancel one of them with ` +
      "linkedin.draft.cancel."
  })

/**
 * Changes texts, recipient or mission, which takes an approval back, as a warning says. A change of the text answers a request to
 * rewrite it.
 * Without a change nothing is written. Fails as the state machine does, and with NOT_FOUND, LEAD_SUPPRESSED, DRAFT_OPEN,
 * MISSION_ARCHIVED or CONTENT_CHANGED.
 */
export const updateDraft = Effect.fnUntraced(function* (draftId: DraftId, write: DraftWrite) {
  const { organizationId } = yield* Actor
  const mission = write.mission === undefined || write.mission === null ? undefined : yield* openMission(write.mission)
  let to: LeadRow | undefined
  if (write.lead !== undefined) {
    // Both leads in one order, since another draft may go the other way. It goes to the one that the lead was merged into meanwhile.
    const named = write.lead.id
    const leadIds = [(yield* readDraft(draftId)).row.leadId, named]
    const held = yield* (yield* LeadsRepo).resolve(organizationId, { identities: [], leadIds, missions: [] })
    to = held.leads.find(({ row }) => row.id === held.leadIds.get(named))?.row
    if (to === undefined) return yield* new NotFound({ kind: "lead", id: named })
  }
  const view = yield* holdDraft(draftId)
  const { row } = view
  const lead = to?.id === row.leadId ? undefined : to
  const at = changedAt(row.updatedAt, yield* now)
  const missionId = write.mission === undefined ? row.missionId : (mission?.id ?? null)
  const revision = {
    _tag: "Revise",
    reason: "draft_changed",
    variations: write.variations,
    isMoved: lead !== undefined || missionId !== row.missionId
  } as const
  const { life } = yield* decideChange(view, revision, at)
  const isChanged = life.draft !== row
  const variations = write.variations ?? row.variations
  const content = { agentId: row.agentId, leadId: lead?.id ?? row.leadId, variations }
  const evidence =
    write.evidence === undefined
      ? evidenceAfter(row.evidence, row, content)
      : yield* evidenceFor(content, write.evidence)
  const isSame = canonicalJson(evidence) === canonicalJson(row.evidence)
  if (!isChanged && isSame) return view
  const other = refuseOther(write.read, contentHashOfView(view))
  if (other !== undefined) return yield* other
  const drafts = yield* DraftsRepo
  if (lead !== undefined) {
    yield* refuseSuppressed(lead)
    const open = yield* drafts.findOpen(organizationId, lead.id, row.agentId)
    if (open !== undefined) return yield* openElsewhere(lead.id, open)
  }
  const review = isChanged && write.variations !== undefined ? { ...row.review, rewrite: null } : row.review
  const steps = withStep(row.steps, yield* stepNow("updated", at, write.model))
  // Elsewhere it is no step.
  const followUp = revision.isMoved ? null : row.followUp
  const draft = { review, steps, ...content, evidence, missionId, followUp }
  const hash = contentHashOfView({ row: { ...row, ...content } })
  const decision = yield* decideChange(
    view,
    { ...revision, draft, says: ["draft.updated", { content_hash: hash }] },
    at
  )
  const changed = decision.life.draft ?? row
  if (row.status === "READY_TO_SEND" && changed.status === "PENDING_REVIEW") {
    yield* warn("approval_cleared: the approved content changed, so the draft is under review again.")
  }
  yield* storeChange(view, decision, lead === undefined ? undefined : drafts.give(changed))
  const stale = evidence.flatMap((item, index) => (isStale(item, changed) ? [`evidence[${index}]`] : []))
  if (stale.length > 0) {
    yield* warn(
      `evidence_stale: the texts lack the claim of ${stale.join(", ")}. Send evidence for the texts as they are.`
    )
  }
  if (lead === undefined) return yield* readDraft(row.id)
  const given = yield* holdDraft(row.id)
  // What became of the new lead since it was read counts.
  if (given.lead.status === "DoNotContact") yield* refuseSuppressed(given.lead)
  return given
})

/** Cancels a draft for good. `reason` goes into the event. Fails as the state machine does, and with NOT_FOUND. */
export const cancelDraft = Effect.fnUntraced(function* (draftId: DraftId, reason: string | undefined) {
  const view = yield* holdDraft(draftId)
  const at = changedAt(view.row.updatedAt, yield* now)
  const draft = { steps: withStep(view.row.steps, yield* stepNow("cancelled", at)) }
  const says = ["draft.cancelled", { reason: reason ?? "requested" }] as const
  const event = { _tag: "Cancel", reason: "draft_cancelled", draft, says } as const
  return yield* storeChange(view, yield* decideChange(view, event, at))
})
