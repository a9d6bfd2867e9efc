/** Recording the outcome of a message: the second transaction of a send. */

import * as Effect from "effect/Effect"
import { warn } from "../../kernel/command/Execution.ts"
import { now } from "../../kernel/schema/Time.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import { holdDraft } from "../drafts/readDraft.ts"
import type { TransmissionFailure } from "../failures.ts"
import { accountIfAny } from "../provider/resolveAccount.ts"
import { afterFailure } from "./afterFailure.ts"
import type { MessageClaim, SendOutcome } from "./Claim.ts"
import { wordingOfDraft } from "./disclosure.ts"
import { refusalOf } from "./eligibility.ts"
import { applyBlock, clearWaitingLeads, readFacts } from "./gate.ts"
import { requestInvitation } from "./invitations/requestInvitation.ts"
import { saveOutcome, updateRelation } from "./saveOutcome.ts"
import {
  type Next,
  recordRefusal,
  recordSent,
  recordUnknown,
  recordWaiting,
  requeue,
  unknownOutcome
} from "./sendOutcomes.ts"
import { announceUsage } from "./startTransmission.ts"
import type { Invitation, Message } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** The draft afterwards, with the failure for the caller if it was refused or its outcome is unknown. */
interface RecordedSend {
  readonly view: DraftView
  readonly failure: TransmissionFailure | undefined
  /** The invitation to send now. */
  readonly wanted?: Invitation | undefined
}

/** Queues the invitation for a message, except within 21 days of a withdrawal. */
const wantInvitation = Effect.fnUntraced(function* (claim: MessageClaim, item: Message) {
  const { bypass, draftId, invitationNote: note, leadId } = item
  const { approvedBy, createdBy, recipient } = claim.view.row
  const requestedBy = approvedBy ?? createdBy
  const asked = yield* Effect.result(
    requestInvitation({ account: claim.account, leadId, draftId, note, bypass, recipient, requestedBy })
  )
  if (asked._tag === "Failure") {
    if (asked.failure.code !== "WRONG_STATE") return yield* asked.failure
    yield* warn(`not_invited: ${asked.failure.message}`)
    return undefined
  }
  const { _tag, invitation } = asked.success
  if (_tag === "New") yield* (yield* TransmissionsRepo).save(item.organizationId, [invitation])
  return invitation.state === "queued" ? invitation : undefined
})

const next = Effect.fnUntraced(function* (
  claim: MessageClaim,
  view: DraftView,
  item: Message,
  outcome: Exclude<SendOutcome, { readonly _tag: "AlreadyPending" | "AlreadyConnected" }>,
  at: string
) {
  if (outcome._tag === "Sent") return yield* recordSent(view, item, outcome, at)
  if (outcome._tag === "Waiting") return yield* recordWaiting(view, item, outcome.invitation, at)
  const follow = yield* afterFailure(claim, item.failures, outcome, at)
  switch (follow._tag) {
    case "Again": {
      const { _tag, ...again } = follow
      return yield* requeue(view, item, "queued", again, at)
    }
    case "Over": {
      const refused = yield* recordRefusal(claim, view, item, follow.reason, follow.detail, at)
      return follow.failure === undefined ? refused : { ...refused, failure: follow.failure }
    }
    case "Unknown":
      return yield* recordUnknown(view, item, follow.detail, at)
  }
})

/** Stores the outcome of a claim and returns the draft. */
export const recordSend = Effect.fnUntraced(function* (claim: MessageClaim, outcome: SendOutcome) {
  const { organizationId } = claim.row
  const at = yield* now
  const view = yield* holdDraft(claim.view.row.id)
  const { item } = view
  const { attempt, isOurs } = yield* saveOutcome(claim, item, outcome, at)
  const unheard: RecordedSend = { view, failure: unknownOutcome(claim.row) }
  if (item === null || !isOurs || outcome._tag === "AlreadyPending" || outcome._tag === "AlreadyConnected")
    return unheard
  yield* updateRelation(claim, outcome, at)
  const { failure, ...stored }: Next = yield* next(claim, view, item, outcome, at)
  yield* (yield* TransmissionsRepo).save(organizationId, [stored.item])
  yield* (yield* DraftsRepo).save(organizationId, [stored.row])
  if (attempt.outcome === "confirmed") yield* announceUsage(claim.account, attempt)
  if (stored.item.state === "failed") yield* clearWaitingLeads([stored.item.leadId])
  const after: DraftView = {
    ...view,
    row: stored.row,
    item: stored.row.queueItemId === stored.item.id ? stored.item : null
  }
  // If nothing was sent, changes made while the provider was asked still count.
  const mayHaveLeft = outcome._tag === "Sent" || outcome._tag === "Unknown"
  const decided = { at: attempt.startedAt, leadStatus: claim.leadStatus }
  const approved = { recipient: view.row.recipient, accountId: claim.row.accountId }
  const block = mayHaveLeft
    ? undefined
    : refusalOf(
        yield* readFacts(view, wordingOfDraft(view.row), approved, yield* accountIfAny(view.agent.id), decided),
        at
      )
  if (block !== undefined) {
    yield* applyBlock(after, block)
    const done: RecordedSend = { view: yield* holdDraft(view.row.id), failure: failure ?? block.failure }
    return done
  }
  const isWanted = outcome._tag === "Waiting" && outcome.invitation === "wanted"
  const recorded: RecordedSend = {
    view: after,
    failure,
    wanted: isWanted ? yield* wantInvitation(claim, stored.item) : undefined
  }
  return recorded
})
