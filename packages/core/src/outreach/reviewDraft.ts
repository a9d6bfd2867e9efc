/**
 * What reviewers do with a draft besides approving it: reject, ask for a rewrite, snooze, flag and undo.
 *
 * All hold the lead, then the draft, as everything does that changes one: of a rejection, an approval, a reopening and the start
 * of a transmission at the same time, each sees what the one before it stored.
 */

import * as Effect from "effect/Effect"
import { Actor, warn } from "../kernel/command/Execution.ts"
import { InvalidInput, WrongState } from "../kernel/failure/failures.ts"
import { changedAt, type DraftId, type InstantText, now } from "../kernel/schema/IdsAndTime.ts"
import { refuseArchived } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { bindFollowUps } from "./bindFollowUps.ts"
import { decideChange, storeChange } from "./carryOut.ts"
import { openElsewhere } from "./changeDraft.ts"
import { refuseOther } from "./DraftInput.ts"
import { contentHashOfView, DraftsRepo, type DraftView, holdDraft, readDraft, refuseSuppressed } from "./DraftsRepo.ts"
import { type DraftStep, stepNow, withStep } from "./Evidence.ts"
import { type Decision, finalDraft, type Review } from "./Life.ts"
import type { DraftReview, ReviewNote } from "./LinkedInDraft.ts"
import { isInNextYear } from "./schedule.ts"
import type { DraftRow } from "./Transmission.ts"

/** Stores what a reviewer said of a held draft, with what it does to the draft, and states it. */
const storeReview = Effect.fnUntraced(function* <E>(
  view: DraftView,
  review: Partial<DraftReview>,
  action: DraftStep["action"] | undefined,
  decided: (draft: Partial<DraftRow>, at: InstantText) => Effect.Effect<Decision, E>
) {
  const { row } = view
  const at = changedAt(row.updatedAt, yield* now)
  const steps = action === undefined ? row.steps : withStep(row.steps, yield* stepNow(action, at))
  const draft = { steps, review: { ...row.review, ...review } }
  const after = yield* storeChange(view, yield* decided(draft, at))
  if (row.status === "READY_TO_SEND" && after.row.status === "PENDING_REVIEW") {
    yield* warn("approval_cleared: the draft is under review again.")
  }
  return yield* readDraft(row.id)
})

const storeNote = (view: DraftView, review: Partial<DraftReview>, says: NonNullable<Review["says"]>) =>
  storeReview(view, review, undefined, (draft, at) =>
    Effect.orDie(decideChange(view, { _tag: "Note", reason: null, draft, says }, at))
  )

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
  yield* decideChange(view, { _tag: "Cancel", reason: null }, yield* now)
  const other = refuseOther(read, contentHashOfView(view))
  if (other !== undefined) return yield* other
  const review = { rejection: yield* noteOf(reason), rewrite: null, snoozedUntil: null }
  const says = ["draft.rejected", { reason }] as const
  return yield* storeReview(view, review, "rejected", (draft, at) =>
    decideChange(view, { _tag: "Cancel", reason: "draft_rejected", draft, says }, at)
  )
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
  yield* decideChange(view, { _tag: "Withdraw", reason: null }, yield* now)
  const other = refuseOther(read, contentHashOfView(view))
  if (other !== undefined) return yield* other
  if (view.row.status === "PENDING_REVIEW" && view.row.review.rewrite?.text === instructions) return view
  const review = { rewrite: yield* noteOf(instructions), snoozedUntil: null }
  const says = ["draft.rewrite_requested", { instructions }] as const
  return yield* storeReview(view, review, "rewrite_requested", (draft, at) =>
    decideChange(view, { _tag: "Withdraw", reason: "rewrite_requested", draft, says }, at)
  )
})

/** Refuses to hide something until an instant that is not in the next year; null ends it. */
export const refuseSnooze = (until: InstantText | null, at: InstantText): Effect.Effect<void, InvalidInput> =>
  until === null || isInNextYear(until, at)
    ? Effect.void
    : new InvalidInput({ message: "until must be in the future, at most a year from now. Send null to end it." })

/**
 * Hides a draft under review until an instant; null shows it again. Fails with NOT_FOUND, DRAFT_FINAL, WRONG_STATE when it is
 * approved, and INVALID_INPUT for an instant that is not in the next year.
 */
export const snoozeDraft = Effect.fnUntraced(function* (draftId: DraftId, until: InstantText | null) {
  yield* refuseSnooze(until, yield* now)
  const view = yield* holdDraft(draftId)
  const { status } = view.row
  if (status === "DISPATCHED" || status === "CANCELLED") return yield* finalDraft(view.row)
  if (status !== "PENDING_REVIEW") {
    return yield* new WrongState({
      message: "The draft is approved, so there is nothing to review. Reopen it with linkedin.draft.reopen first."
    })
  }
  if (view.row.review.snoozedUntil === until) return view
  return yield* storeNote(view, { snoozedUntil: until }, ["draft.snoozed", { until }])
})

/** Marks a draft for others, whatever its status, or removes the mark and its note. Fails with NOT_FOUND. */
export const flagDraft = Effect.fnUntraced(function* (draftId: DraftId, flagged: boolean, note: string | undefined) {
  const view = yield* holdDraft(draftId)
  const { review } = view.row
  const flagNote = flagged ? (note ?? review.flagNote) : null
  if (review.flagged === flagged && review.flagNote === flagNote) return view
  return yield* storeNote(view, { flagged, flagNote }, ["draft.flagged", { flagged }])
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
  const at = changedAt(view.row.updatedAt, yield* now)
  const steps = withStep(view.row.steps, yield* stepNow("reopened", at))
  const draft = { steps, cancelledAt: null, review: { ...view.row.review, rejection: null } }
  const says = ["draft.reopened", { from: view.row.status }] as const
  const decision = yield* decideChange(view, { _tag: "Reopen", reason: "draft_reopened", draft, says }, at)
  const row = decision.life.draft ?? view.row
  if (row === view.row) return view
  if (view.row.status !== "CANCELLED") yield* storeChange(view, decision)
  else {
    yield* refuseOpening(view, held?.id)
    const released = view.row.review.rejection === null ? null : view.row.followUp
    const [bound = row] = yield* bindFollowUps([row], [held], "LINKEDIN", at, released)
    // `give` says so when another draft was opened by somebody who does not hold the lead.
    yield* storeChange(view, decision, (yield* DraftsRepo).give(bound))
  }
  return yield* readDraft(row.id)
})
