/**
 * Looking whether a person accepted: a message that waits for a connection is claimed only once there is one, so that
 * waiting leaves no trace of tries.
 *
 * Source: G10 (wait limit); contract 7 "Simulated gateway".
 */
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import { changedAt, now } from "../../Time.ts"
import { DraftsRepo } from "../DraftsRepo.ts"
import { type DueSend, QueueRepo } from "../QueueRepo.ts"
import { holdDraft } from "../readDraft.ts"
import { anyAccountOfAgent } from "../resolveAccount.ts"
import { lookAgainAt, relationDeadline, SendOptions } from "../SendOptions.ts"
import type { DispatchNeeds } from "./dispatchDue.ts"
import { giveUp } from "./endItem.ts"
import { asService, runAsService } from "./SystemRun.ts"
import { lookAtRelation } from "./transmit.ts"

/** What the dispatcher does next: claim it, claim it as the person is connected now, or leave it. */
export type Ahead = "claim" | "connected" | "ended"

const postpone = Effect.fnUntraced(function* (due: DueSend) {
  const { item } = yield* holdDraft(due.draftId)
  if (item === null || item.id !== due.queueItemId || item.state !== "waiting_relation") return
  const at = yield* now
  const notBefore = lookAgainAt(at, item.createdAt, item.expiresAt ?? relationDeadline(at, yield* SendOptions))
  yield* (yield* QueueRepo).save(due.organizationId, [{ ...item, notBefore, updatedAt: changedAt(item.updatedAt, at) }])
})

const expire = Effect.fnUntraced(function* (due: DueSend) {
  const view = yield* holdDraft(due.draftId)
  const { item } = view
  if (item === null || item.id !== due.queueItemId || item.state !== "waiting_relation") return
  yield* giveUp(view, "relation_timeout", "The person did not connect in time.")
})

/** Looks at what is due before it is claimed. */
export const lookAhead = Effect.fnUntraced(function* (due: DueSend): Effect.fn.Return<Ahead, Failure, DispatchNeeds> {
  const { organizationId } = due
  const view = yield* (yield* DraftsRepo).find(organizationId, due.draftId)
  const item = view?.item ?? null
  if (view === undefined || item === null || item.state !== "waiting_relation") return "claim"
  if (item.expiresAt !== null && item.expiresAt <= (yield* now)) {
    yield* runAsService(organizationId, expire(due))
    return "ended"
  }
  const account = yield* Effect.result(asService(organizationId, anyAccountOfAgent(view.agent.id)))
  // The claim says what is wrong with agent or account.
  if (account._tag === "Failure" || account.success.status !== "OK") return "claim"
  const person = yield* (yield* QueueRepo).person(organizationId, account.success.id, view.lead.id)
  const recipient = {
    leadId: view.lead.id,
    identities: person.identities,
    invitedAt: item.invitedAt ?? person.relation?.invitedAt ?? null
  }
  const look = yield* lookAtRelation({ account: account.success, recipient })
  if (look._tag === "Known" && look.relation.connected) return "connected"
  yield* runAsService(organizationId, postpone(due))
  return "ended"
})
