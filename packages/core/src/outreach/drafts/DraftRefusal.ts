/** Why a draft cannot be changed, as the failure to answer; `undefined` when it can. */
import { WrongState } from "../../kernel/failure/failures.ts"
import { DraftInFlight, SendOutcomeUnknown } from "../../leads/failures.ts"
import { DraftFinal } from "../failures.ts"
import type { DraftState } from "./DraftStatus.ts"

type Refusal<F> = (state: DraftState) => F | undefined

/** DRAFT_FINAL for a draft that was sent or cancelled. */
export const refuseFinal: Refusal<DraftFinal> = ({ status }) =>
  status === "DISPATCHED" || status === "CANCELLED"
    ? new DraftFinal({
        message:
          `The draft is ${status} and cannot be changed. ${status === "CANCELLED" ? "Reopen it with linkedin.draft.reopen, or create" : "Create"} ` +
          "a new one with linkedin.draft.create."
      })
    : undefined

/** DRAFT_IN_FLIGHT while the draft is being transmitted. */
export const refuseInFlight: Refusal<DraftInFlight> = ({ queueState }) =>
  queueState === "sending"
    ? new DraftInFlight({
        message: "The draft is being sent. Read it again in a moment with linkedin.draft.get."
      })
    : undefined

/** SEND_OUTCOME_UNKNOWN while an earlier attempt is not settled. */
export const refuseAmbiguous: Refusal<SendOutcomeUnknown> = ({ queueState }) =>
  queueState === "ambiguous"
    ? new SendOutcomeUnknown({
        message:
          "It is unknown whether the draft's message was sent. Check the conversation on LinkedIn, then settle the queue " +
          "item with linkedin.queue.resolve."
      })
    : undefined

/** WRONG_STATE for a draft under review, which nothing may send. */
export const refuseUnapproved: Refusal<WrongState> = ({ status }) =>
  status === "PENDING_REVIEW"
    ? new WrongState({
        message: "The draft is PENDING_REVIEW, not READY_TO_SEND. Approve it with linkedin.draft.approve first."
      })
    : undefined

/** The first of {@link refuseFinal}, {@link refuseInFlight} and {@link refuseAmbiguous}. */
export const refuseChange: Refusal<DraftFinal | DraftInFlight | SendOutcomeUnknown> = (state) =>
  refuseFinal(state) ?? refuseInFlight(state) ?? refuseAmbiguous(state)
