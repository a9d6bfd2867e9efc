/** The status of a LinkedIn draft, and what its reviewers said. */

import * as Schema from "effect/Schema"
import type { ActorKind } from "../../kernel/command/Permission.ts"
import type { InstantText, UserId } from "../../kernel/schema/IdsAndTime.ts"

/**
 * Draft status, as the specification lists it. DISPATCHED means that the provider confirmed the message; nothing else does. A
 * draft in PENDING_REVIEW has no selection; one in READY_TO_SEND always has one.
 */
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

/** Who did it. */
export interface DraftActor {
  readonly userId: UserId
  readonly actorKind: ActorKind
}

/** What a reviewer wrote for the writer: why a draft was rejected, or how to rewrite it. */
export interface ReviewNote {
  readonly text: string
  readonly by: DraftActor
  readonly at: InstantText
}

/** What reviewers said of a draft. */
export interface DraftReview {
  /** Until when it is not shown for review; null, or past, when it is. */
  readonly snoozedUntil: InstantText | null
  readonly flagged: boolean
  readonly flagNote: string | null
  /** Only of a cancelled draft. */
  readonly rejection: ReviewNote | null
  /** The next change of the texts answers it, and so do an approval and a rejection. */
  readonly rewrite: ReviewNote | null
}

/** Nothing was said yet. */
export const noReview: DraftReview = {
  snoozedUntil: null,
  flagged: false,
  flagNote: null,
  rejection: null,
  rewrite: null
}

/** Whether a draft under review waits for a time or for its writer, so that reviewers need not look at it. */
export const isDeferred = ({ rewrite, snoozedUntil }: DraftReview, at: string): boolean =>
  rewrite !== null || (snoozedUntil !== null && snoozedUntil > at)
