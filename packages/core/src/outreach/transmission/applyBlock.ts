/** Messages that cannot be sent as things are, or must not: they leave the dispatcher's sight. */

import * as Effect from "effect/Effect"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import { withState } from "../drafts/DraftRow.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { type DraftView, stateOfView } from "../drafts/DraftView.ts"
import { announceDraft } from "../drafts/draftEvents.ts"
import { dispatchFailed } from "../drafts/draftTransitions.ts"
import { withdrawDrafts } from "../drafts/withdrawDrafts.ts"
import { clearWaitingLeads } from "./clearWaitingLeads.ts"
import type { Block } from "./gate.ts"
import { ended, type QueueReason } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** Puts a draft that is held back under review, as it cannot be sent as things are. */
export const failForGood = Effect.fnUntraced(function* (view: DraftView, reason: QueueReason, detail: string) {
  const { organizationId } = view.row
  const at = yield* now
  const change = yield* Effect.fromResult(dispatchFailed(stateOfView(view)))
  const row = withState(view.row, change.state, changedAt(view.row.updatedAt, at))
  const { item } = view
  if (item !== null) yield* (yield* TransmissionsRepo).save(organizationId, [ended(item, "failed", reason, at)])
  yield* (yield* DraftsRepo).save(organizationId, [row])
  yield* announceDraft("draft.dispatch_failed", row, {
    queue_id: item?.id ?? null,
    reason,
    detail: detail.slice(0, 200)
  })
  if (item !== null) yield* clearWaitingLeads([row.leadId])
})

/** Takes a draft that is held out of the queue, as the gate says. */
export const applyBlock = Effect.fnUntraced(function* (view: DraftView, { failure, action, reason }: Block) {
  if (action !== "fail") {
    yield* clearWaitingLeads(yield* withdrawDrafts(view.row.organizationId, [view], action, reason))
  } else if (view.row.status === "READY_TO_SEND") yield* failForGood(view, reason, failure.message)
})
