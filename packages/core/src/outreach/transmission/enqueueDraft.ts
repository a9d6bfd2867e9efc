/** The intent to send, written in the transaction of the approval. */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import type { Execution } from "../../kernel/command/Execution.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import type { AccountId } from "../../kernel/schema/RecordIds.ts"
import { markWaiting } from "../../leads/recordMessage.ts"
import { withState } from "../drafts/DraftRow.ts"
import { type DraftView, stateOfView } from "../drafts/DraftView.ts"
import { enqueued } from "../drafts/draftTransitions.ts"
import { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import { anyAccountOfAgent } from "../provider/resolveAccount.ts"
import type { SettleNeeds } from "./gate.ts"
import { SendOptions, secondsAfter } from "./SendOptions.ts"
import { freshRow, type Message } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** What it takes. */
export type EnqueueNeeds = Actor | AccountsRepo | Execution | Ids | LinkedInGateway | TransmissionsRepo | SettleNeeds

/** A new message of an approved draft. */
export const newMessage = (
  { row }: Pick<DraftView, "row">,
  id: string,
  accountId: AccountId,
  at: string,
  more: Pick<Message, "bypass" | "invite" | "invitationNote" | "notBefore">
): Message => ({
  ...freshRow,
  kind: "message",
  id,
  organizationId: row.organizationId,
  agentId: row.agentId,
  draftId: row.id,
  missionId: null,
  leadId: row.leadId,
  accountId,
  state: "queued",
  bodyText: row.selectedBodyText ?? "",
  invitedAt: null,
  createdAt: at,
  updatedAt: at,
  ...more
})

/**
 * Puts drafts that were approved just now into the queue, to leave after the hold. One whose agent has no account stays
 * out: the dispatcher looks at it then, and says what is missing. The caller stores the drafts.
 */
export const enqueueDrafts = Effect.fnUntraced(function* (views: ReadonlyArray<DraftView>) {
  const { organizationId } = yield* Actor
  const { holdSeconds } = yield* SendOptions
  const ids = yield* Ids
  const { isManual = false } = yield* LinkedInGateway
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
      const item = newMessage(view, yield* ids.next("que"), account.id, at, {
        bypass: false,
        invite: false,
        invitationNote: null,
        notBefore: secondsAfter(at, holdSeconds)
      })
      const placed: Message = isManual ? { ...item, reason: "by_hand" } : item
      return { ...view, row: { ...withState(view.row, change.state, at), queueItemId: item.id }, item: placed }
    })
  )
  const items = queued.flatMap(({ item }) => (item === null ? [] : [item]))
  if (items.length > 0) yield* (yield* TransmissionsRepo).save(organizationId, items)
  for (const { item, lead } of queued) {
    // A lead that was written to, or that waits already, stays where it is.
    if (item !== null && lead.status === "New") yield* markWaiting(lead.id)
  }
  return queued
})
