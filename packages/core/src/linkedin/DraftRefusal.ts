/**
 * Why a draft cannot be changed, as the failure to answer; `undefined` when it can.
 *
 * Source: G8; contract section 7 "Sending".
 */
import { type Failure, fail } from "../Failure.ts"
import type { DraftState } from "./DraftStatus.ts"

type Refusal = (state: DraftState) => Failure | undefined

/** DRAFT_FINAL for a draft that was sent or cancelled. */
export const refuseFinal: Refusal = ({ status }) =>
  status === "DISPATCHED" || status === "CANCELLED"
    ? fail("DRAFT_FINAL", `The draft is ${status} and cannot change. Create a new one with linkedin.draft.create.`)
    : undefined

/** DRAFT_IN_FLIGHT while the draft is being transmitted. */
export const refuseInFlight: Refusal = ({ queueState }) =>
  queueState === "sending"
    ? fail("DRAFT_IN_FLIGHT", "The draft is being sent right now. Read it again in a moment with linkedin.draft.get.")
    : undefined

/** SEND_OUTCOME_UNKNOWN while an earlier attempt is not settled. */
export const refuseAmbiguous: Refusal = ({ queueState }) =>
  queueState === "ambiguous"
    ? fail(
        "SEND_OUTCOME_UNKNOWN",
        "It is not known whether the draft's message was sent. Look at the conversation on LinkedIn, then settle the queue item with linkedin.queue.resolve."
      )
    : undefined

/** WRONG_STATE for a draft under review, which nothing may send. */
export const refuseUnapproved: Refusal = ({ status }) =>
  status === "PENDING_REVIEW"
    ? fail(
        "WRONG_STATE",
        "The draft is PENDING_REVIEW, not READY_TO_SEND. Approve it with linkedin.draft.approve first."
      )
    : undefined

/** The first of {@link refuseFinal}, {@link refuseInFlight} and {@link refuseAmbiguous}. */
export const refuseChange: Refusal = (state) => refuseFinal(state) ?? refuseInFlight(state) ?? refuseAmbiguous(state)
