/**
 * The intent to send, written in the transaction of the approval. Source: G8; contract 7 "Draft-only keys" (hold).
 */
import * as Effect from "effect/Effect"
import { Actor } from "../../Actor.ts"
import type { Execution } from "../../Execution.ts"
import type { Failure } from "../../Failure.ts"
import { Ids } from "../../Ids.ts"
import { applyStatusEvent } from "../../leads/index.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { type QueueItem, withState } from "../DraftRow.ts"
import { enqueued } from "../DraftStatus.ts"
import { type DraftView, stateOfView } from "../DraftView.ts"
import type { LinkedInGateway } from "../LinkedInGateway.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { anyAccountOfAgent } from "../resolveAccount.ts"
import { SendOptions, secondsAfter } from "../SendOptions.ts"
import type { SettleNeeds } from "../settleWaiting.ts"

/** What it takes. */
export type EnqueueNeeds = Actor | AccountsRepo | Execution | Ids | LinkedInGateway | QueueRepo | SettleNeeds

/** A new queue item of an approved draft. */
export const newItem = (
  { row }: Pick<DraftView, "row">,
  id: string,
  accountId: string,
  at: string,
  more: Pick<QueueItem, "bypass" | "invite" | "invitationNote" | "notBefore">
): QueueItem => ({
  id,
  organizationId: row.organizationId,
  draftId: row.id,
  leadId: row.leadId,
  accountId,
  state: "queued",
  reason: null,
  bodyText: row.selectedBodyText ?? "",
  invitedAt: null,
  attempts: 0,
  failures: 0,
  expiresAt: null,
  leaseUntil: null,
  fence: 0,
  createdAt: at,
  updatedAt: at,
  ...more
})

/**
 * Puts a draft that was approved just now into the queue, to leave after the hold. Without an account of its agent it stays
 * out: the dispatcher looks at it then, and says what is missing. The caller stores the draft.
 */
export const enqueueDraft = Effect.fnUntraced(function* (
  view: DraftView,
  at: string
): Effect.fn.Return<DraftView, Failure, EnqueueNeeds> {
  const { organizationId } = yield* Actor
  const { holdSeconds } = yield* SendOptions
  const account = yield* Effect.option(anyAccountOfAgent(view.agent.id))
  if (account._tag === "None") return view
  const change = yield* Effect.fromResult(enqueued(stateOfView(view), "queued"))
  yield* (yield* AccountsRepo).ensure(account.value)
  const item = newItem(view, yield* (yield* Ids).next("que"), account.value.id, at, {
    bypass: false,
    invite: false,
    invitationNote: null,
    notBefore: secondsAfter(at, holdSeconds)
  })
  yield* (yield* QueueRepo).save(organizationId, [item])
  yield* applyStatusEvent(view.row.leadId, "outbound_waiting")
  return { ...view, row: { ...withState(view.row, change.state, view.row.updatedAt), queueItemId: item.id }, item }
})
