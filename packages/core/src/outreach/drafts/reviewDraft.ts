/**
 * What reviewers do with a draft besides approving it: reject, ask for a rewrite, snooze, flag and undo.
 *
 * All hold the lead, then the draft, as everything does that changes one: of a rejection, an approval, a reopening and the start
 * of a transmission at the same time, each sees what the one before it stored.
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import { warn } from "../../kernel/command/Execution.ts"
import { InvalidInput, WrongState } from "../../kernel/failure/failures.ts"
import type { DraftId, InstantText } from "../../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import { refuseArchived } from "../../missions/MissionStatus.ts"
import { MissionsRepo } from "../../missions/MissionsRepo.ts"
import type { QueueReason } from "../transmission/reasons.ts"
import { openElsewhere, storeDraft } from "./changeDraft.ts"
import { refuseFinal } from "./DraftRefusal.ts"
import type { DraftReview, ReviewNote } from "./DraftStatus.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { contentHashOfView, type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft, cancel, type DraftChange, refuseOther, reopen, withdrawApproval } from "./draftTransitions.ts"
import { type DraftStep, stepNow, withStep } from "./Evidence.ts"
import { holdDraft, readDraft, refuseSuppressed } from "./readDraft.ts"
import { afterChange } from "./withdrawDrafts.ts"

/** Stores what a reviewer said of a held draft, with what it does to the draft, and states it. */
const storeReview = Effect.fnUntraced(function* (
  view: DraftView,
  change: DraftChange | undefined,
  review: Partial<DraftReview>,
  event: Parameters<typeof announceDraft>[0],
  reason: QueueReason,
  details: Readonly<Record<string, unknown>>,
  action?: DraftStep["action"]
) {
  const at = changedAt(view.row.updatedAt, yield* now)
  const kept = { row: { ...view.row, updatedAt: at }, item: undefined }
  const after = change?.changed === true ? afterChange(view, change, reason, at) : kept
  const steps = action === undefined ? after.row.steps : withStep(after.row.steps, yield* stepNow(action, at))
  const row = { ...after.row, steps, review: { ...after.row.review, ...review } }
  yield* storeDraft(view, row, after.item, (yield* DraftsRepo).save(row.organizationId, [row]))
  if (change?.clearsApproval === true) yield* warn("approval_cleared: the draft is under review again.")
  yield* announceDraft(event, row, details)
  return yield* readDraft(row.id)
})

const noteOf = Effect.fnUntraced(function* (text: string) {
  const { kind, userId } = yield* Actor
  return { text, by: { userId, actorKind: kind }, at: yield* now } satisfies ReviewNote
})

/**
 * Cancels a draft with a reason for its writer; the same again changes nothing. Fails as the state machine's `cancel` does, and
 * with NOT_FOUND or CONTENT_CHANGED.
 */
export const rejectDraft = Effect.fnUntraced(function* (draftId: DraftId, reason: string, read: string | undefined) {
  const view = yield* holdDraft(draftId)
  if (view.row.status === "CANCELLED" && view.row.review.rejection?.text === reason) return view
  const change = yield* Effect.fromResult(cancel(stateOfView(view)))
  const other = refuseOther(read, contentHashOfView(view))
  if (other !== undefined) return yield* other
  const review = { rejection: yield* noteOf(reason), rewrite: null, snoozedUntil: null }
  return yield* storeReview(view, change, review, "draft.rejected", "draft_rejected", { reason }, "rejected")
})

/**
 * Asks the writer for other texts; takes an approval back. The same again changes nothing. Fails with NOT_FOUND, DRAFT_FINAL,
 * DRAFT_IN_FLIGHT, SEND_OUTCOME_UNKNOWN or CONTENT_CHANGED.
 */
export const requestRewrite = Effect.fnUntraced(function* (
  draftId: DraftId,
  instructions: string,
  read: string | undefined
) {
  const view = yield* holdDraft(draftId)
  const change = yield* Effect.fromResult(withdrawApproval(stateOfView(view)))
  const other = refuseOther(read, contentHashOfView(view))
  if (other !== undefined) return yield* other
  if (!change.changed && view.row.review.rewrite?.text === instructions) return view
  const review = { rewrite: yield* noteOf(instructions), snoozedUntil: null }
  return yield* storeReview(
    view,
    change,
    review,
    "draft.rewrite_requested",
    "rewrite_requested",
    { instructions },
    "rewrite_requested"
  )
})

const longestSnooze = 366 * 86_400_000

/**
 * Hides a draft under review until an instant; null shows it again. Fails with NOT_FOUND, DRAFT_FINAL, WRONG_STATE when it is
 * approved, and INVALID_INPUT for an instant that is not in the next year.
 */
export const snoozeDraft = Effect.fnUntraced(function* (draftId: DraftId, until: InstantText | null) {
  const at = yield* now
  if (until !== null && (until <= at || Date.parse(until) > Date.parse(at) + longestSnooze)) {
    return yield* new InvalidInput({
      message: "until must be in the future, at most a year from now. Send null to end it."
    })
  }
  const view = yield* holdDraft(draftId)
  const final = refuseFinal(stateOfView(view))
  if (final !== undefined) return yield* final
  if (view.row.status !== "PENDING_REVIEW") {
    return yield* new WrongState({
      message: "The draft is approved, so there is nothing to review. Reopen it with linkedin.draft.reopen first."
    })
  }
  if (view.row.review.snoozedUntil === until) return view
  const review = { snoozedUntil: until }
  return yield* storeReview(view, undefined, review, "draft.snoozed", "draft_changed", { until })
})

/** Marks a draft for others, whatever its status, or removes the mark and its note. Fails with NOT_FOUND. */
export const flagDraft = Effect.fnUntraced(function* (draftId: DraftId, flagged: boolean, note: string | undefined) {
  const view = yield* holdDraft(draftId)
  const { review } = view.row
  const flagNote = flagged ? (note ?? review.flagNote) : null
  if (review.flagged === flagged && review.flagNote === flagNote) return view
  return yield* storeReview(view, undefined, { flagged, flagNote }, "draft.flagged", "draft_changed", { flagged })
})

/** The mission of a cancelled draft, held so that it is not archived meanwhile. Missions are held before leads. */
const holdMission = Effect.fnUntraced(function* (draftId: DraftId) {
  const { organizationId } = yield* Actor
  const { row } = yield* readDraft(draftId)
  if (row.status !== "CANCELLED" || row.missionId === null) return undefined
  return yield* (yield* MissionsRepo).hold(organizationId, row.missionId)
})

/** Refuses what creating such a draft would be refused for. */
const refuseOpening = Effect.fnUntraced(function* (view: DraftView, missionId: string | undefined) {
  const { agent, lead, mission, row } = view
  if (agent.deleted) {
    return yield* new WrongState({
      message: `The agent ${agent.handle} of draft ${row.id} was deleted. Create a draft with another agent.`
    })
  }
  if (mission !== null && mission.id !== missionId) {
    return yield* new WrongState({
      message: "The draft changed in the meantime. Read it again with linkedin.draft.get."
    })
  }
  if (mission !== null) yield* Effect.fromResult(refuseArchived(mission.status, "draft"))
  yield* refuseSuppressed(lead)
  const open = yield* (yield* DraftsRepo).findOpen(row.organizationId, lead.id, agent.id)
  if (open !== undefined) return yield* openElsewhere(lead.id, open)
})

/**
 * Puts a draft under review again: undoes an approval, a cancellation or a rejection, until it is being sent. Fails as the state
 * machine's `reopen` does, and for a cancelled one as creating it does: with DRAFT_OPEN, LEAD_SUPPRESSED, MISSION_ARCHIVED or
 * WRONG_STATE (a deleted agent).
 */
export const reopenDraft = Effect.fnUntraced(function* (draftId: DraftId) {
  const held = yield* holdMission(draftId)
  const view = yield* holdDraft(draftId)
  const change = yield* Effect.fromResult(reopen(stateOfView(view)))
  if (!change.changed) return view
  if (view.row.status === "CANCELLED") yield* refuseOpening(view, held?.id)
  const at = changedAt(view.row.updatedAt, yield* now)
  const after = afterChange(view, change, "draft_reopened", at)
  const steps = withStep(after.row.steps, yield* stepNow("reopened", at))
  const row = { ...after.row, steps, cancelledAt: null, review: { ...after.row.review, rejection: null } }
  // `give` says so when another draft was opened by somebody who does not hold the lead.
  yield* storeDraft(view, row, after.item, (yield* DraftsRepo).give(row))
  yield* announceDraft("draft.reopened", row, { from: view.row.status })
  return yield* readDraft(row.id)
})
