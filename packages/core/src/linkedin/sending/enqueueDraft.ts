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
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { LinkedInGateway } from "../LinkedInGateway.ts"
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
 * Puts drafts that were approved just now into the queue, to leave after the hold. One whose agent has no account stays
 * out: the dispatcher looks at it then, and says what is missing. The caller stores the drafts.
 */
export const enqueueDrafts = Effect.fnUntraced(function* (
  views: ReadonlyArray<DraftView>
): Effect.fn.Return<ReadonlyArray<DraftView>, Failure, EnqueueNeeds> {
  const { organizationId } = yield* Actor
  const { holdSeconds } = yield* SendOptions
  const ids = yield* Ids
  const { isByHand = false } = yield* LinkedInGateway
  const accounts = new Map<string, LinkedInAccount>()
  for (const agentId of new Set(views.map(({ agent }) => agent.id))) {
    const found = yield* Effect.option(anyAccountOfAgent(agentId))
    if (found._tag === "None") continue
    yield* (yield* AccountsRepo).ensure(found.value)
    accounts.set(agentId, found.value)
  }
  const queued = yield* Effect.forEach(views, (view) =>
    Effect.gen(function* () {
      const account = accounts.get(view.agent.id)
      if (account === undefined) return view
      const change = yield* Effect.fromResult(enqueued(stateOfView(view), "queued"))
      const at = view.row.updatedAt
      const item = newItem(view, yield* ids.next("que"), account.id, at, {
        bypass: false,
        invite: false,
        invitationNote: null,
        notBefore: secondsAfter(at, holdSeconds)
      })
      const placed: QueueItem = isByHand ? { ...item, reason: "by_hand" } : item
      return { ...view, row: { ...withState(view.row, change.state, at), queueItemId: item.id }, item: placed }
    })
  )
  const items = queued.flatMap(({ item }) => (item === null ? [] : [item]))
  if (items.length > 0) yield* (yield* QueueRepo).save(organizationId, items)
  for (const { item, lead } of queued) {
    // A lead that was written to, or that waits already, stays where it is.
    if (item !== null && lead.status === "New") yield* applyStatusEvent(lead.id, "outbound_waiting")
  }
  return queued
})
