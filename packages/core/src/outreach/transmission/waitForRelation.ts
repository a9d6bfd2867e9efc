/** Checking whether a person accepted: a message that waits for a connection is only claimed once there is one. */

import * as Effect from "effect/Effect"
import { asService, runAsService } from "../../kernel/background/ServiceRun.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { now } from "../../kernel/schema/Time.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import { holdDraft } from "../drafts/readDraft.ts"
import { accountIfAny } from "../provider/resolveAccount.ts"
import { wordingOfDraft } from "./disclosure.ts"
import type { DispatchNeeds } from "./dispatchKind.ts"
import { refusalOf } from "./eligibility.ts"
import { readFacts } from "./gate.ts"
import { recheckRelationAt, relationDeadline, SendOptions } from "./SendOptions.ts"
import { changed } from "./Transmission.ts"
import type { Precheck } from "./TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "./TransmissionsRepo.ts"
import { checkRelation } from "./transmit.ts"

const postpone = Effect.fnUntraced(function* ({ draftId, id, organizationId }: Due) {
  const item = draftId === null ? null : (yield* holdDraft(draftId)).item
  if (item?.id !== id || item.state !== "waiting_relation") return
  const at = yield* now
  const notBefore = recheckRelationAt(at, item.createdAt, item.expiresAt ?? relationDeadline(at, yield* SendOptions))
  yield* (yield* TransmissionsRepo).save(organizationId, [changed(item, { notBefore }, at)])
})

/** Looks at what is due before it is claimed. What must not be sent is left to the claim. */
export const precheck = Effect.fnUntraced(function* (due: Due): Effect.fn.Return<Precheck, Failure, DispatchNeeds> {
  const { draftId, organizationId } = due
  if (due.state !== "waiting_relation" || draftId === null) return "claim"
  const view = yield* (yield* DraftsRepo).find(organizationId, draftId)
  const item = view?.item ?? null
  if (view === undefined || item === null || item.state !== "waiting_relation") return "claim"
  const { agent, lead, row } = view
  const account = yield* asService(organizationId, accountIfAny(agent.id))
  if (account?.status !== "OK") return "claim"
  const gate = yield* asService(
    organizationId,
    readFacts(view, wordingOfDraft(row), { recipient: row.recipient, accountId: item.accountId }, account, { at: null })
  )
  if (refusalOf({ ...gate, expiresAt: item.expiresAt }, yield* now) !== undefined) return "claim"
  const { relation } = yield* (yield* TransmissionsRepo).person(organizationId, account.id, lead.id)
  const invitedAt = item.invitedAt ?? relation?.invitedAt ?? null
  const recipient = { leadId: lead.id, identities: row.recipient, invitedAt }
  const look = yield* checkRelation({ account, recipient })
  if (look._tag === "Known" && look.relation.connected) return "connected"
  yield* runAsService(organizationId, postpone(due))
  return "ended"
})
