/**
 * Cancelling drafts, or returning them to review, because a lead, mission or agent changed.
 *
 * Drafts that are being sent, or may have been sent, stay as they are.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import { changedAt, now } from "../../kernel/schema/Time.ts"
import type { MergeRefusal } from "../../leads/LeadConsequences.ts"
import { cancelInvitations, mergeInvitations } from "../transmission/invitations/cancelInvitations.ts"
import type { QueueReason } from "../transmission/reasons.ts"
import { ended, type Message } from "../transmission/Transmission.ts"
import { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"
import { refuseAmbiguous, refuseInFlight } from "./DraftRefusal.ts"
import { type DraftRow, withState } from "./DraftRow.ts"
import { DraftsRepo } from "./DraftsRepo.ts"
import { type DraftView, stateOfView } from "./DraftView.ts"
import { announceDraft, cancel, type DraftChange, withdrawApproval } from "./draftTransitions.ts"

type Withdrawal = "cancel" | "review"

/** The draft and its queue item after a change of state. `item` is undefined when it is unchanged. */
export const afterChange = (
  { item, row }: DraftView,
  change: DraftChange,
  reason: QueueReason,
  at: string
): { readonly row: DraftRow; readonly item: Message | undefined } => {
  const changed = withState(row, change.state, changedAt(row.updatedAt, at))
  return {
    row: changed.status === "CANCELLED" ? { ...changed, cancelledAt: at } : changed,
    item: change.cancelsQueueItem && item !== null ? ended(item, "cancelled", reason, at) : undefined
  }
}

/** Withdraws locked drafts and returns the ids of leads whose queue items were cancelled. `reason` is stored and emitted. */
export const withdrawDrafts = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  views: ReadonlyArray<DraftView>,
  action: Withdrawal,
  reason: QueueReason
): Effect.fn.Return<ReadonlyArray<string>, StoreFailure, DraftsRepo | TransmissionsRepo | Execution> {
  const at = yield* now
  const changes = views.flatMap((view) => {
    const change = Result.getOrUndefined((action === "cancel" ? cancel : withdrawApproval)(stateOfView(view)))
    return change?.changed === true ? [afterChange(view, change, reason, at)] : []
  })
  if (changes.length === 0) return []
  const items = changes.flatMap(({ item }) => (item === undefined ? [] : [item]))
  if (items.length > 0) yield* (yield* TransmissionsRepo).save(organizationId, items)
  yield* (yield* DraftsRepo).save(
    organizationId,
    changes.map(({ row }) => row)
  )
  for (const { row } of changes) {
    if (row.status === "CANCELLED") yield* announceDraft("draft.cancelled", row, { reason })
    else yield* announceDraft("draft.updated", row, { reason })
  }
  const draftIds = changes.map(({ row }) => row.id)
  const inviting = yield* (yield* TransmissionsRepo).queued(organizationId, { draftIds })
  const uninvited = yield* cancelInvitations(organizationId, inviting, reason)
  return [...new Set([...items.map(({ leadId }) => leadId), ...uninvited])]
})

/**
 * Gives drafts, queue items and relations of the losers to the winner. Where the winner has an open draft
 * with the same agent, the loser's is cancelled; the oldest of several losers' stays. Fails with DRAFT_IN_FLIGHT or
 * SEND_OUTCOME_UNKNOWN for a draft that is being transmitted or may have been, as whom it went to must stay known.
 */
export const moveDrafts = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  winnerLeadId: LeadId,
  loserLeadIds: ReadonlyArray<string>
): Effect.fn.Return<void, MergeRefusal, DraftsRepo | TransmissionsRepo | Execution> {
  const drafts = yield* DraftsRepo
  const agents = new Set(
    (yield* drafts.holdOpen(organizationId, { leadId: winnerLeadId })).map(({ agent }) => agent.id)
  )
  const surplus: Array<DraftView> = []
  for (const leadId of loserLeadIds) {
    for (const view of yield* drafts.holdOpen(organizationId, { leadId })) {
      const state = stateOfView(view)
      const refusal = refuseInFlight(state) ?? refuseAmbiguous(state)
      if (refusal !== undefined) return yield* refusal
      if (agents.has(view.agent.id)) {
        surplus.push(view)
      } else {
        agents.add(view.agent.id)
      }
    }
  }
  yield* withdrawDrafts(organizationId, surplus, "cancel", "lead_merged")
  yield* mergeInvitations(organizationId, winnerLeadId, loserLeadIds)
  yield* (yield* TransmissionsRepo).adopt(organizationId, winnerLeadId, loserLeadIds, yield* now)
})
