/** Requesting an invitation: finds the live one, or makes a new row. */

import * as Effect from "effect/Effect"
import { type StoreFailure, WrongState } from "../../../kernel/failure/failures.ts"
import { type DraftId, Ids, type LeadId, now } from "../../../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../../../leads/identity/Identity.ts"
import type { DraftActor } from "../../drafts/DraftStatus.ts"
import type { LinkedInAccount } from "../../provider/LinkedInAccount.ts"
import { isSameRecipient } from "../approvedRecipient.ts"
import { changed, freshRow, type Invitation, isLive } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"
import { invitationsOf, reinviteFrom } from "./acceptInvitation.ts"

/** The request; the lead is locked. */
interface InvitationRequest {
  readonly account: LinkedInAccount
  readonly leadId: LeadId
  readonly draftId: DraftId | null
  readonly note: string | null
  readonly bypass: boolean
  readonly recipient: ReadonlyArray<Identity>
  readonly requestedBy: DraftActor
}

/** The live invitation of the pair, or a new one that is queued and not stored yet. */
type RequestedInvitation =
  | { readonly _tag: "Live"; readonly invitation: Invitation }
  | { readonly _tag: "New"; readonly invitation: Invitation }

const tooSoon = (leadId: LeadId, from: string): WrongState =>
  new WrongState({
    message: `The invitation to lead ${leadId} was withdrawn, and LinkedIn refuses another for 21 days. Retry after ${from.slice(0, 10)}.`
  })

/**
 * Finds or makes an invitation. A queued one takes over note, bypass, draft and recipient of the request. Fails with
 * WRONG_STATE within 21 days of a withdrawal.
 */
export const requestInvitation = Effect.fnUntraced(function* (
  request: InvitationRequest
): Effect.fn.Return<RequestedInvitation, StoreFailure | WrongState, Ids | TransmissionsRepo> {
  const { account, bypass, draftId, leadId, note, recipient, requestedBy } = request
  const { agentId, id: accountId, organizationId } = account
  const at = yield* now
  const earlier = yield* invitationsOf(organizationId, leadId)
  const ofPair = earlier.filter((one) => one.accountId === accountId)
  const live = ofPair.find(isLive)
  if (live !== undefined) {
    // What was wanted for another person, such as a note, is not kept.
    const isSame = isSameRecipient(live.recipient, recipient)
    const kept = isSame ? live : { note: null, bypass: false, draftId: null }
    const wanted = {
      note: note ?? kept.note,
      bypass: kept.bypass || bypass,
      draftId: kept.draftId ?? draftId,
      recipient
    }
    const isNoteSame = isSame && wanted.note === live.note
    const isChanged = !isNoteSame || wanted.bypass !== live.bypass || wanted.draftId !== live.draftId
    if (live.state !== "queued" || !isChanged) return { _tag: "Live", invitation: live }
    const invitation = changed(live, isNoteSame ? wanted : { ...wanted, requestedBy }, at)
    yield* (yield* TransmissionsRepo).save(organizationId, [invitation])
    return { _tag: "Live", invitation }
  }
  const from = reinviteFrom(ofPair, at)
  if (from !== undefined) return yield* tooSoon(leadId, from)
  const id = yield* (yield* Ids).next("inv")
  return {
    _tag: "New",
    invitation: {
      ...freshRow,
      ...{ kind: "invitation", id, organizationId, accountId, agentId, leadId, draftId, missionId: null },
      ...{
        state: "queued",
        note,
        bypass,
        recipient,
        requestedBy,
        externalId: null,
        notBefore: at,
        createdAt: at,
        updatedAt: at
      }
    }
  }
})
