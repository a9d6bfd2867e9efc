/** A person and an account are connected now: what waits for that may leave. */
import * as Effect from "effect/Effect"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import type { NamedPerson } from "../provider/ProviderReads.ts"
import { acceptInvitation } from "../transmission/invitations/acceptInvitation.ts"
import { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"
import type { InboundNeeds } from "./InboundNeeds.ts"
import { InboxRepo } from "./InboxRepo.ts"
import { leadOfPerson } from "./leadOfPerson.ts"

/**
 * Notes the connection, in the transaction that runs, and lets the dispatcher look at what waits: it asks the provider
 * itself before anything leaves. Answers whether that was news. Fails with UNAVAILABLE.
 */
export const receiveRelation = Effect.fnUntraced(function* (
  account: LinkedInAccount,
  person: NamedPerson
): Effect.fn.Return<boolean, StoreFailure, InboundNeeds> {
  const { id: accountId, organizationId } = account
  const leadId = (yield* leadOfPerson(person))?.row.id
  if (leadId === undefined) return false
  const queue = yield* TransmissionsRepo
  const { relation } = yield* queue.person(organizationId, accountId, leadId)
  if (relation?.connected === true) return false
  const at = yield* now
  const known = relation ?? { chatId: null, invitedAt: null }
  yield* queue.saveRelation({ ...known, organizationId, accountId, leadId, connected: true, checkedAt: at })
  yield* (yield* InboxRepo).wake(organizationId, accountId, leadId, at)
  yield* acceptInvitation(organizationId, accountId, leadId, at)
  return true
})
