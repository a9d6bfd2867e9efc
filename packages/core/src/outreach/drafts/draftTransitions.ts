/**
 * The moves of a LinkedIn draft, from review to a provider's confirmation.
 *
 * DISPATCHED means that the provider confirmed the message; nothing else does. All functions are pure; the caller records
 * who, when and the queue item.
 */

import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Execution, emit } from "../../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput, type WrongState } from "../../kernel/failure/failures.ts"
import type { EventType } from "../../kernel/journal/Event.ts"
import type { ChangeRefusal, DraftEmpty, DraftFinal, VariationRequired } from "../failures.ts"
import { refuseAmbiguous, refuseChange, refuseFinal, refuseInFlight, refuseUnapproved } from "./DraftRefusal.ts"
import type { DraftRow } from "./DraftRow.ts"
import type { DraftQueueState, DraftState } from "./DraftStatus.ts"
import { type ApprovalChoice, chooseText } from "./VariationChoice.ts"

/** A change of a draft. */
export interface DraftChange {
  readonly state: DraftState
  /** False when the draft already was as wanted: then nothing is written and no event is due. */
  readonly changed: boolean
  /** True when a queue item waits for a text or an approval that no longer holds: the caller cancels it. */
  readonly cancelsQueueItem: boolean
  /** True when an approval was given before and is gone now: the caller clears `approved_*` and says so in a warning. */
  readonly clearsApproval: boolean
}

type Changed<Refusal> = Result.Result<DraftChange, Refusal>

type ChoiceRefusal = ChangeRefusal | ContentChanged | DraftEmpty | InvalidInput | VariationRequired

type EndRefusal = DraftFinal | WrongState

const maxVariations = 3

/** A new draft for review. Fails with INVALID_INPUT for more than three variations. */
export const create = (variations: ReadonlyArray<string>): Result.Result<DraftState, InvalidInput> =>
  Result.map(atMostThree(variations), () => reviewable(variations, null))

/**
 * Changes texts (`variations` given) or the recipient (`leadChanged`). An approved draft whose text or recipient changes goes
 * back to review. Fails with DRAFT_FINAL, DRAFT_IN_FLIGHT, SEND_OUTCOME_UNKNOWN or INVALID_INPUT.
 */
export const update = (
  state: DraftState,
  input: { readonly variations?: ReadonlyArray<string> | undefined; readonly leadChanged?: boolean | undefined }
): Changed<ChangeRefusal | InvalidInput> => {
  const refusal = refuseChange(state)
  if (refusal !== undefined) return Result.fail(refusal)
  const variations = input.variations ?? state.variations
  const same =
    variations.length === state.variations.length && variations.every((text, i) => text === state.variations[i])
  return Result.map(atMostThree(variations), () =>
    same && input.leadChanged !== true ? unchanged(state) : toReview(state, variations, "cancelled")
  )
}

/**
 * Approves one text for sending. Approving the same variation again changes nothing; another variation or another text
 * replaces the selection, and a queue item waiting with the old text is cancelled.
 *
 * `contentHash` is the hash of the draft as it is now. Fails with DRAFT_FINAL, SEND_OUTCOME_UNKNOWN, CONTENT_CHANGED,
 * VARIATION_REQUIRED, DRAFT_EMPTY, INVALID_INPUT (variation_index out of range), or DRAFT_IN_FLIGHT when the text would change
 * while it is being sent.
 */
export const approve = (state: DraftState, choice: ApprovalChoice, contentHash: string): Changed<ChoiceRefusal> => {
  const final = refuseFinal(state) ?? refuseAmbiguous(state)
  if (final !== undefined) return Result.fail(final)
  const other = refuseOther(choice.contentHash, contentHash)
  if (other !== undefined) return Result.fail(other)
  return Result.flatMap(chooseText(state, choice), ({ index, text }): Changed<ChoiceRefusal> => {
    const approved = state.status === "READY_TO_SEND"
    if (approved && index === state.selectedIndex && text === state.selectedBodyText)
      return Result.succeed(unchanged(state))
    const flying = refuseInFlight(state)
    if (flying !== undefined) return Result.fail(flying)
    const approval = {
      status: "READY_TO_SEND",
      selectedIndex: index,
      selectedBodyText: text,
      queueState: null
    } as const
    return Result.succeed({ ...moved(state, approval), cancelsQueueItem: isWaiting(state) })
  })
}

/** Cancels a draft for good. Fails with DRAFT_FINAL, DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN. */
export const cancel = (state: DraftState): Changed<ChangeRefusal> => {
  const refusal = refuseChange(state)
  if (refusal !== undefined) return Result.fail(refusal)
  const queueState = isWaiting(state) ? "cancelled" : state.queueState
  return Result.succeed({ ...moved(state, { status: "CANCELLED", queueState }), cancelsQueueItem: isWaiting(state) })
}

/** Takes an approval back, as archiving a mission does; a draft under review stays. Fails as {@link cancel} does. */
export const withdrawApproval = (state: DraftState): Changed<ChangeRefusal> => {
  const refusal = refuseChange(state)
  if (refusal !== undefined) return Result.fail(refusal)
  return Result.succeed(
    state.status === "READY_TO_SEND" ? toReview(state, state.variations, "cancelled") : unchanged(state)
  )
}

/**
 * Puts a draft under review again: takes an approval back, or undoes a cancellation. A draft under review stays. Fails with
 * DRAFT_FINAL when it was sent, DRAFT_IN_FLIGHT or SEND_OUTCOME_UNKNOWN.
 */
export const reopen = (state: DraftState): Changed<ChangeRefusal> =>
  state.status === "CANCELLED"
    ? Result.succeed({ ...toReview(state, state.variations, "cancelled"), cancelsQueueItem: false })
    : withdrawApproval(state)

/** CONTENT_CHANGED when a decision or a change was made from another text than that of the draft. `read` is undefined when nobody says. */
export const refuseOther = (read: string | undefined, contentHash: string): ContentChanged | undefined =>
  read === undefined || read === contentHash
    ? undefined
    : new ContentChanged({
        message: "The draft has changed since the content_hash was read. Read the draft again and decide again."
      })

/** The queue took the draft: `queued`, or `waiting_relation`. Fails unless the draft is approved and not being sent. */
export const enqueued = (
  state: DraftState,
  queueState: "queued" | "waiting_relation"
): Changed<ChangeRefusal | WrongState> =>
  whenApproved(state, refuseInFlight(state) ?? refuseAmbiguous(state), { queueState })

/** Transmission begins. Fails unless the draft is approved, not being sent already, and no earlier outcome is unknown. */
export const sending = (state: DraftState): Changed<ChangeRefusal | WrongState> =>
  whenApproved(state, refuseInFlight(state) ?? refuseAmbiguous(state), { queueState: "sending" })

/** The provider confirmed the message, or a person who looked did. Fails unless the draft is approved. */
export const dispatched = (state: DraftState): Changed<EndRefusal> =>
  whenApproved<never>(state, undefined, { status: "DISPATCHED", queueState: "sent" })

/** Sending failed for good: back to review; a new attempt takes a new approval. Fails unless the draft is approved. */
export const dispatchFailed = (state: DraftState): Changed<EndRefusal> =>
  Result.map(whenApproved<never>(state, undefined, {}), () => ({
    ...toReview(state, state.variations, "failed"),
    cancelsQueueItem: false
  }))

/** It is not known whether the message was sent: blocked until linkedin.queue.resolve. Fails unless the draft is approved. */
export const ambiguous = (state: DraftState): Changed<EndRefusal> =>
  whenApproved<never>(state, undefined, { queueState: "ambiguous" })

const atMostThree = (variations: ReadonlyArray<string>): Result.Result<void, InvalidInput> =>
  variations.length <= maxVariations
    ? Result.succeed(undefined)
    : Result.fail(
        new InvalidInput({
          message: `variations: the maximum is ${maxVariations} texts, got ${variations.length}. Send the best ones.`
        })
      )

const reviewable = (variations: ReadonlyArray<string>, queueState: DraftQueueState | null): DraftState => ({
  status: "PENDING_REVIEW",
  variations,
  selectedIndex: null,
  selectedBodyText: null,
  queueState
})

const toReview = (
  state: DraftState,
  variations: ReadonlyArray<string>,
  ended: "cancelled" | "failed"
): DraftChange => ({
  state: reviewable(
    variations,
    state.status === "READY_TO_SEND" && state.queueState !== null ? ended : state.queueState
  ),
  changed: true,
  cancelsQueueItem: isWaiting(state),
  clearsApproval: state.status === "READY_TO_SEND"
})

const unchanged = (state: DraftState): DraftChange => ({
  state,
  changed: false,
  cancelsQueueItem: false,
  clearsApproval: false
})

const moved = (state: DraftState, change: Partial<DraftState>): DraftChange => ({
  ...unchanged({ ...state, ...change }),
  changed: true
})

const whenApproved = <Refusal>(
  state: DraftState,
  refusal: Refusal | undefined,
  change: Partial<DraftState>
): Changed<EndRefusal | Refusal> => {
  const problem = refuseFinal(state) ?? refuseUnapproved(state) ?? refusal
  if (problem !== undefined) return Result.fail(problem)
  return Result.succeed(moved(state, change))
}

const isWaiting = (state: DraftState): boolean =>
  state.queueState === "queued" || state.queueState === "waiting_relation"

/** States that something happened to a draft. */
export const announceDraft = (
  type: Extract<EventType, `draft.${string}`>,
  row: DraftRow,
  details: Readonly<Record<string, unknown>> = {}
): Effect.Effect<void, never, Execution> =>
  emit({
    type,
    subject: { type: "draft", id: row.id },
    data: { status: row.status, lead_id: row.leadId, agent_id: row.agentId, mission_id: row.missionId, ...details }
  })
