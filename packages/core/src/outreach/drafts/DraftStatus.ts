/**
 * The life of a LinkedIn draft, from review to a provider's confirmation.
 *
 * DISPATCHED means that the provider confirmed the message; nothing else does. A draft in PENDING_REVIEW has no selection;
 * one in READY_TO_SEND always has one. All functions are pure; the caller records who, when and the queue item.
 */
import * as Schema from "effect/Schema"

/** Draft status, as the specification lists it. */
export const DraftStatus = Schema.Literals(["PENDING_REVIEW", "READY_TO_SEND", "DISPATCHED", "CANCELLED"])
export type DraftStatus = typeof DraftStatus.Type

/** State of the queue item that carries a draft. */
export const DraftQueueState = Schema.Literals([
  "queued",
  "waiting_relation",
  "sending",
  "sent",
  "failed",
  "cancelled",
  "ambiguous"
])
export type DraftQueueState = typeof DraftQueueState.Type

/** What decides about a draft's life. */
export interface DraftState {
  readonly status: DraftStatus
  /** The candidate texts, zero to three; a variation's `position` is its index here. */
  readonly variations: ReadonlyArray<string>
  /** The approved variation; null while none is, and when the approved text came with the approval of an empty draft. */
  readonly selectedIndex: number | null
  readonly selectedBodyText: string | null
  /** State of the latest queue item since the latest approval; null when there is none. */
  readonly queueState: DraftQueueState | null
}
