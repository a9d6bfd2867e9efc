/** Putting back what a change of a draft replaced. */
import * as Effect from "effect/Effect"
import type { DraftId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { storeDraft } from "./changeDraft.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { contentHashOfView, stateOfView } from "./DraftView.ts"
import { announceDraft, type DraftFormer } from "./draftEvents.ts"
import { unchanged, update } from "./draftTransitions.ts"
import { stepNow, withStep } from "./Provenance.ts"
import { holdDraft } from "./readDraft.ts"
import { afterChange } from "./withdrawDrafts.ts"

/**
 * Puts texts, mission, evidence or review notes back; an approval of other texts is withdrawn. Fails with NOT_FOUND, and as the
 * state machine's `update` does.
 */
export const restoreDraft = Effect.fnUntraced(function* (draftId: DraftId, { content, review }: DraftFormer) {
  const view = yield* holdDraft(draftId)
  const { row } = view
  const state = stateOfView(view)
  const change =
    content === undefined
      ? unchanged(state)
      : yield* Effect.fromResult(update(state, { variations: content.variations }))
  const after = afterChange(view, change, "draft_changed", yield* now)
  const { steps: known, updatedAt } = after.row
  const steps = content === undefined ? known : withStep(known, yield* stepNow("updated", updatedAt))
  const restored = { ...after.row, ...content, steps, review: review ?? row.review }
  yield* storeDraft(view, restored, after.item, (yield* DraftsRepo).save(row.organizationId, [restored]))
  yield* announceDraft("draft.updated", restored, { content_hash: contentHashOfView({ row: restored }) })
})
