/** Deciding to send an invitation, and saying so before anything leaves: a claim, or a place in the queue. */
import * as Effect from "effect/Effect"
import { now } from "../../../kernel/schema/Time.ts"
import { markWaiting } from "../../../leads/recordMessage.ts"
import type { LinkedInAccount } from "../../provider/LinkedInAccount.ts"
import type { Facts } from "../eligibility.ts"
import { type StartOptions, startTransmission } from "../startTransmission.ts"
import { changed, type Invitation } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/**
 * Claims a queued invitation whose lead is held, or says that it waits; `until` is null where nothing but a person moves it on.
 * `gate` is what the gate reads; `account` what the agent has now.
 */
export const claimInvitation = Effect.fnUntraced(function* (
  invitation: Invitation,
  account: LinkedInAccount | undefined,
  gate: Facts,
  mode: Omit<StartOptions, "recipient">
) {
  const row = changed(invitation, {}, yield* now)
  const started = yield* startTransmission(row, account, gate, { ...mode, recipient: row.recipient })
  if (started._tag !== "Later") return started
  const { isAccountHeld, reason } = started
  const until = reason === "by_hand" ? null : (started.when ?? row.updatedAt)
  // Where the account is held, the invitation is due, and the account is looked at again.
  const waiting = { ...row, reason, notBefore: isAccountHeld ? (row.notBefore ?? row.updatedAt) : until }
  yield* (yield* TransmissionsRepo).save(row.organizationId, [waiting])
  yield* markWaiting(row.leadId)
  return { _tag: "Queued", invitation: waiting, reason, until } as const
})
