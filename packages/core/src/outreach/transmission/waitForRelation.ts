/** Checking whether a person accepted: a message that waits for a connection is only claimed once there is one. */

import * as Effect from "effect/Effect"
import { asService, runAsService } from "../../kernel/background/ServiceRun.ts"
import { now } from "../../kernel/schema/Time.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { holdDraft } from "../drafts/readDraft.ts"
import { anyAccountOfAgent } from "../provider/resolveAccount.ts"
import { changeSince } from "./approvedRecipient.ts"
import { failForGood } from "./gate.ts"
import { recheckRelationAt, relationDeadline, SendOptions } from "./SendOptions.ts"
import { changed } from "./Transmission.ts"
import type { Precheck } from "./TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "./TransmissionsRepo.ts"
import { checkRelation } from "./transmit.ts"

const go: Precheck = "claim"
const connected: Precheck = "connected"
const left: Precheck = "ended"

/** Locks a message that waits for a connection; undefined when it no longer waits. */
const holdWaiting = Effect.fnUntraced(function* ({ draftId, id }: Due) {
  const view = draftId === null ? undefined : yield* holdDraft(draftId)
  return view?.item?.id === id && view.item.state === "waiting_relation" ? { view, item: view.item } : undefined
})

const postpone = Effect.fnUntraced(function* (due: Due) {
  const item = (yield* holdWaiting(due))?.item
  if (item === undefined) return
  const at = yield* now
  const notBefore = recheckRelationAt(at, item.createdAt, item.expiresAt ?? relationDeadline(at, yield* SendOptions))
  yield* (yield* TransmissionsRepo).save(due.organizationId, [changed(item, { notBefore }, at)])
})

const expire = Effect.fnUntraced(function* (due: Due) {
  const view = (yield* holdWaiting(due))?.view
  if (view !== undefined) yield* failForGood(view, "relation_timeout", "The person did not connect in time.")
})

/** Looks at what is due before it is claimed. */
export const precheck = Effect.fnUntraced(function* (due: Due) {
  const { draftId, organizationId } = due
  if (due.state !== "waiting_relation" || draftId === null) return go
  const view = yield* (yield* DraftsRepo).find(organizationId, draftId)
  const item = view?.item ?? null
  if (view === undefined || item === null || item.state !== "waiting_relation") return go
  if (item.expiresAt !== null && item.expiresAt <= (yield* now)) {
    yield* runAsService(organizationId, expire(due))
    return left
  }
  const account = yield* Effect.result(asService(organizationId, anyAccountOfAgent(view.agent.id)))
  // The claim says what is wrong with agent or account.
  if (account._tag === "Failure" || account.success.status !== "OK") return go
  const { lead, row } = view
  const approved = { recipient: row.recipient, accountId: item.accountId }
  // The claim withdraws an approval for somebody else.
  if ((yield* asService(organizationId, changeSince(approved, lead, account.success.id))) !== undefined) return go
  const { relation } = yield* (yield* TransmissionsRepo).person(organizationId, account.success.id, lead.id)
  const invitedAt = item.invitedAt ?? relation?.invitedAt ?? null
  const recipient = { leadId: lead.id, identities: row.recipient, invitedAt }
  const look = yield* checkRelation({ account: account.success, recipient })
  if (look._tag === "Known" && look.relation.connected) return connected
  yield* runAsService(organizationId, postpone(due))
  return left
})
