/**
 * Asking for an invitation: whether there may be one, and the row that carries it.
 *
 * Source: catalogue 4.1 linkedin.invitation.send; G10 (send_invitation), G29 (notes), G39 (21 days).
 */
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../Failure.ts"
import { Ids } from "../../Ids.ts"
import { changedAt, now } from "../../Time.ts"
import type { LinkedInAccount } from "../LinkedInAccount.ts"
import { QueueRepo } from "../QueueRepo.ts"
import { type Invitation, isLive, reinviteFrom } from "./Invitation.ts"

/** What is asked for, of an account that is stored or will be, and a lead that is held. */
export interface InvitationRequest {
  readonly account: LinkedInAccount
  readonly leadId: string
  readonly draftId: string | null
  readonly note: string | null
  readonly bypass: boolean
}

/** The live invitation of the pair, or a new one that is queued and not stored yet. */
export type RequestedInvitation =
  | { readonly _tag: "Live"; readonly invitation: Invitation }
  | { readonly _tag: "New"; readonly invitation: Invitation }

const tooSoon = (leadId: string, from: string): Failure =>
  fail(
    "WRONG_STATE",
    `An invitation to lead ${leadId} was taken back, and LinkedIn refuses another for 21 days. Try again after ${from.slice(0, 10)}.`
  )

/**
 * Finds or makes an invitation. One that waits takes over the note, the bypass and the draft of the request. Fails with
 * WRONG_STATE within 21 days after one was withdrawn.
 */
export const requestInvitation = Effect.fnUntraced(function* (
  request: InvitationRequest
): Effect.fn.Return<RequestedInvitation, Failure, Ids | QueueRepo> {
  const { account, bypass, draftId, leadId, note } = request
  const at = yield* now
  const { invitations } = yield* QueueRepo
  const earlier = yield* invitations.ofLead(account.organizationId, leadId)
  const ofPair = earlier.filter(({ accountId }) => accountId === account.id)
  const live = ofPair.find(isLive)
  if (live !== undefined) {
    const wanted = {
      ...live,
      note: note ?? live.note,
      bypass: live.bypass || bypass,
      draftId: live.draftId ?? draftId
    }
    const isChanged = wanted.note !== live.note || wanted.bypass !== live.bypass || wanted.draftId !== live.draftId
    if (live.state !== "queued" || !isChanged) return { _tag: "Live", invitation: live }
    const changed = { ...wanted, updatedAt: changedAt(live.updatedAt, at) }
    yield* invitations.save(account.organizationId, [changed])
    return { _tag: "Live", invitation: changed }
  }
  const from = reinviteFrom(ofPair, at)
  if (from !== undefined) return yield* tooSoon(leadId, from)
  return {
    _tag: "New",
    invitation: {
      id: yield* (yield* Ids).next("inv"),
      organizationId: account.organizationId,
      accountId: account.id,
      agentId: account.agentId,
      leadId,
      draftId,
      state: "queued",
      reason: null,
      note,
      bypass,
      externalId: null,
      attempts: 0,
      failures: 0,
      notBefore: at,
      sentAt: null,
      endedAt: null,
      leaseUntil: null,
      fence: 0,
      createdAt: at,
      updatedAt: at
    }
  }
})
