/**
 * How each kind of change is undone. Each holds what it changes, as the command did that made the change, and is stated by the
 * events of such a change.
 */
import * as Effect from "effect/Effect"
import { cancelEmail } from "../email/decideReview.ts"
import { WrongState } from "../kernel/failure/failures.ts"
import type { EventType } from "../kernel/journal/Event.ts"
import type { LeadFormer } from "../leads/LeadFormer.ts"
import type { LeadStatus } from "../leads/LeadStatus.ts"
import { addToMission, removeFromMission } from "../leads/linkLeads.ts"
import { removeLead, removeNote, restoreLead, restoreStatus } from "../leads/undo/undoLead.ts"
import { deleteMission } from "../missions/missionLifecycle.ts"
import { type MissionFormer, restoreMission } from "../missions/writeMission.ts"
import type { OfferContent } from "../offers/Offer.ts"
import { deleteOffer } from "../offers/offerLifecycle.ts"
import { restoreOffer } from "../offers/writeOffer.ts"
import { cancelDraft } from "../outreach/drafts/changeDraft.ts"
import type { DraftFormer } from "../outreach/drafts/draftEvents.ts"
import { restoreDraft } from "../outreach/drafts/restoreDraft.ts"
import { reopenDraft } from "../outreach/drafts/reviewDraft.ts"
import type { Change } from "./RunsRepo.ts"

/** The reason of cancellations. */
const reason = "undone"

/** The only place that trusts what was stored: each type of event stores one shape. */
const formerOf = <Former extends object>({ former }: Change): Former => (former ?? {}) as Former

/** The leads that came to a mission, or left it; undefined for other changes. */
export const linkedBy = (change: Change): ReadonlyArray<string> | undefined =>
  formerOf<{ readonly leadIds?: ReadonlyArray<string> }>(change).leadIds

/** Undoes that leads came to a mission, or left it. */
export const undoLinks = Effect.fnUntraced(function* ({ subject, type }: Change, leadIds: ReadonlyArray<string>) {
  if (type === "mission.leads_added") yield* removeFromMission(subject.id, leadIds)
  else yield* addToMission(subject.id, leadIds)
})

const undoLeadUpdate = Effect.fnUntraced(function* (change: Change) {
  const former = formerOf<LeadFormer | { readonly noteId: string }>(change)
  yield* "noteId" in former ? removeNote(change.subject.id, former.noteId) : restoreLead(change.subject.id, former)
})

const undoStatus = Effect.fnUntraced(function* (change: Change) {
  const { from, to } = formerOf<{ readonly from: LeadStatus; readonly to: LeadStatus }>(change)
  yield* restoreStatus(change.subject.id, from, to)
})

/** Puts a cancelled draft under review again, with what reviewers had said of it before. */
const undoEnd = Effect.fnUntraced(function* (change: Change) {
  const { review } = formerOf<DraftFormer>(change)
  yield* reopenDraft(change.subject.id)
  if (review !== undefined) yield* restoreDraft(change.subject.id, { review })
})

const undoReopening = Effect.fnUntraced(function* (change: Change) {
  yield* cancelDraft(change.subject.id, reason)
  yield* restoreDraft(change.subject.id, formerOf<DraftFormer>(change))
})

const undoings = {
  "lead.created": ({ subject }: Change) => removeLead(subject.id),
  "lead.updated": undoLeadUpdate,
  "lead.status_changed": undoStatus,
  "draft.created": ({ subject }: Change) => Effect.asVoid(cancelDraft(subject.id, reason)),
  "draft.updated": (change: Change) => restoreDraft(change.subject.id, formerOf<DraftFormer>(change)),
  "draft.rewrite_requested": (change: Change) => restoreDraft(change.subject.id, formerOf<DraftFormer>(change)),
  "draft.snoozed": (change: Change) => restoreDraft(change.subject.id, formerOf<DraftFormer>(change)),
  "draft.flagged": (change: Change) => restoreDraft(change.subject.id, formerOf<DraftFormer>(change)),
  "draft.approved": ({ subject }: Change) => Effect.asVoid(reopenDraft(subject.id)),
  "draft.cancelled": undoEnd,
  "draft.rejected": undoEnd,
  "draft.reopened": undoReopening,
  "email.queued": ({ subject }: Change) => Effect.asVoid(cancelEmail(subject.id, reason)),
  "email.review.requested": ({ subject }: Change) => Effect.asVoid(cancelEmail(subject.id, reason)),
  "mission.created": ({ subject }: Change) => Effect.asVoid(deleteMission(subject.id)),
  "mission.updated": (change: Change) => restoreMission(change.subject.id, formerOf<MissionFormer>(change)),
  "mission.status_changed": (change: Change) => restoreMission(change.subject.id, formerOf<MissionFormer>(change)),
  "offer.created": ({ subject }: Change) => Effect.asVoid(deleteOffer(subject.id)),
  "offer.updated": (change: Change) =>
    restoreOffer(change.subject.id, formerOf<{ readonly content: OfferContent }>(change).content)
} as const satisfies Partial<Record<EventType, unknown>>

const isUndoable = (type: EventType): type is keyof typeof undoings => Object.hasOwn(undoings, type)

/** Undoes one change. Fails with WRONG_STATE for a kind that cannot be undone, and as the command that changes it back. */
export const undoChange = Effect.fnUntraced(function* (change: Change) {
  const { former, type } = change
  if (former === null || !isUndoable(type)) return yield* new WrongState({ message: `${type} cannot be undone.` })
  yield* undoings[type](change)
})
