/** The kind `message`: approved drafts, one at a time to each person. */

import * as Effect from "effect/Effect"
import type { DraftId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import { holdDraft } from "../drafts/readDraft.ts"
import type { ConversationMessage } from "../provider/ProviderReads.ts"
import type { MessageClaim, SendOutcome } from "./Claim.ts"
import { claimSend } from "./claimSend.ts"
import type { DispatchNeeds } from "./dispatchKind.ts"
import { applyBlock } from "./gate.ts"
import { acceptInvitation } from "./invitations/acceptInvitation.ts"
import { lookupMessage, settleMessage } from "./lookupMessage.ts"
import { recordSend } from "./recordSend.ts"
import { recordUnknown } from "./sendOutcomes.ts"
import { settleAttempts } from "./settleAttempts.ts"
import type { TransmissionKind } from "./TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "./TransmissionsRepo.ts"
import { transmit } from "./transmit.ts"
import { precheck } from "./waitForRelation.ts"

/** The detail of an attempt whose process stopped. */
export const lost = "The process that was sending it stopped before it knew the outcome."

/** Whether it is still due; without a lease, whether it is an approved draft without a queue item. */
const isDue = ({ item, row }: DraftView, due: Due | undefined, at: string): boolean => {
  if (row.status !== "READY_TO_SEND" || row.queueItemId !== (due?.id ?? null)) return false
  return item === null || (item.fence === due?.fence && item.notBefore !== null && item.notBefore <= at)
}

/** Claims a due message; one that must not be sent leaves the queue. */
export const claimMessage = Effect.fnUntraced(function* (draftId: DraftId, due: Due | undefined, isConnected: boolean) {
  const view = yield* holdDraft(draftId)
  const { item } = view
  if (!isDue(view, due, yield* now)) return undefined
  const lease = item === null ? {} : { fence: item.fence }
  const mode = { isFromCommand: false, invite: item?.invite ?? false, note: item?.invitationNote ?? null, ...lease }
  const claimed = yield* claimSend(view, view, mode)
  if (claimed._tag === "Claim") return claimed.claim
  if (claimed._tag === "No") yield* applyBlock(view, claimed)
  // A claim tells of the connection when its own lookup has found it.
  if (isConnected && claimed._tag === "Queued" && item !== null) {
    yield* acceptInvitation(item.organizationId, item.accountId, item.leadId, yield* now)
  }
  return undefined
})

/** It may have been sent: blocked until the conversation or a person settles it. */
const markLost = Effect.fnUntraced(function* ({ draftId, fence, id, organizationId }: Due) {
  if (draftId === null) return
  const view = yield* holdDraft(draftId)
  const { item } = view
  if (item === null || item.id !== id || item.state !== "sending" || item.fence !== fence) return
  const at = yield* now
  yield* settleAttempts(item, "unknown", lost, at)
  const next = yield* recordUnknown(view, item, lost, at)
  yield* (yield* TransmissionsRepo).save(organizationId, [next.item])
  yield* (yield* DraftsRepo).save(organizationId, [next.row])
})

/** See {@link TransmissionKind}. */
export const messages: Required<TransmissionKind<MessageClaim, SendOutcome, ConversationMessage, DispatchNeeds>> = {
  name: "message",
  precheck,
  claim: (due, precheck) =>
    due.draftId === null ? Effect.undefined : claimMessage(due.draftId, due, precheck === "connected"),
  transmit,
  record: (claim, outcome) => Effect.map(recordSend(claim, outcome), ({ view }) => view.row.status === "DISPATCHED"),
  markLost,
  lookup: lookupMessage,
  settle: settleMessage
}
