/** Settling an invitation of unknown outcome by what the provider shows of the person. */
import * as Effect from "effect/Effect"
import { asService } from "../../../kernel/background/ServiceRun.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { anyAccountOfAgent } from "../../provider/resolveAccount.ts"
import type { Recipient, Relation } from "../../provider/SendResult.ts"
import { holdInvitation, readInvitation } from "../readTransmission.ts"
import { nextLookupAt } from "../SendOptions.ts"
import { type Due, TransmissionsRepo } from "../TransmissionsRepo.ts"
import { checkRelation } from "../transmit.ts"
import { confirmInvitation } from "./confirmInvitation.ts"

/** The invitation as it is stored now, if it is still leased under the same fence; its lead is held. */
export const holdDue = Effect.fnUntraced(function* ({ fence, id, state }: Due) {
  const view = yield* holdInvitation(id)
  return view.row.fence === fence && view.row.state === state ? view : undefined
})

/** How account and person stand; undefined when that cannot be seen. */
export const lookupInvitation = Effect.fnUntraced(function* ({ id, organizationId }: Due) {
  const { row } = yield* asService(organizationId, readInvitation(id))
  const account = yield* Effect.option(asService(organizationId, anyAccountOfAgent(row.agentId)))
  // Another account cannot see it.
  if (account._tag === "None" || account.value.id !== row.accountId || account.value.status !== "OK") return undefined
  // What was recorded of it is what is to be found out.
  const recipient: Recipient = { leadId: row.leadId, identities: row.recipient, invitedAt: null }
  const found = yield* checkRelation({ account: account.value, recipient })
  return found._tag === "Known" ? found.relation : undefined
})

/** What the provider shows settles it; what it does not show stays unknown. Answers whether it was sent. */
export const settleFound = Effect.fnUntraced(function* (due: Due, relation: Relation | undefined) {
  const row = (yield* holdDue(due))?.row
  if (row === undefined) return false
  const at = yield* now
  if (relation?.connected === true || relation?.invitation === "pending") {
    yield* confirmInvitation(row, at, relation.connected)
    return true
  }
  const notBefore = nextLookupAt(at, row.updatedAt)
  yield* (yield* TransmissionsRepo).save(due.organizationId, [{ ...row, notBefore }])
  return false
})
