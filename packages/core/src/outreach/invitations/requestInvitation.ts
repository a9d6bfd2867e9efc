/** Requesting an invitation, and ending it when person and account are connected. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidInput, WrongState } from "../../kernel/failure/failures.ts"
import * as Ids from "../../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import { approvalOf, isSameRecipient } from "../approval.ts"
import { decideEach, store } from "../carryOut.ts"
import type { DraftActor } from "../LinkedInDraft.ts"
import type { LinkedInAccount, LinkedInTier } from "../provider/LinkedInAccount.ts"
import { secondsAfter } from "../SendOptions.ts"
import { changed, freshRow, type Invitation, isLive } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/**
 * Ends the live invitation of an account to a lead that is held, in the transaction that runs. One that was sent, or may
 * have been, is accepted, and said to be so once; one that waits is no longer needed. One that is being transmitted is
 * left to whoever transmits it.
 */
export const acceptInvitation = Effect.fnUntraced(function* (
  organizationId: Ids.OrganizationId,
  accountId: Ids.AccountId,
  leadId: Ids.LeadId,
  at: string
) {
  const known = yield* invitationsOf(organizationId, leadId)
  const live = known.filter((one) => one.accountId === accountId && isLive(one) && one.state !== "sending")
  yield* store(
    decideEach(
      live.slice(0, 1).map((row) => ({ draft: null, row })),
      { _tag: "Accept" },
      at
    )
  )
})

/** The invitations to a lead, newest first. */
export const invitationsOf = (organizationId: Ids.OrganizationId, leadId: Ids.LeadId) =>
  Effect.flatMap(TransmissionsRepo, ({ ofLead }) =>
    Effect.map(ofLead(organizationId, leadId), (rows) => rows.filter((row) => row.kind === "invitation"))
  )

/** How long a person is left alone after an invitation was withdrawn, in seconds: 21 days. */
export const reinviteSeconds = 21 * 86_400

/** The earliest time to invite a person again; undefined when no invitation was withdrawn, or long enough ago. */
export const reinviteFrom = (
  earlier: ReadonlyArray<Pick<Invitation, "state" | "endedAt">>,
  at: string
): string | undefined => {
  const ends = earlier.flatMap(({ endedAt, state }) => (state === "withdrawn" && endedAt !== null ? [endedAt] : []))
  const last = ends.toSorted().at(-1)
  if (last === undefined) return undefined
  const from = secondsAfter(last, reinviteSeconds)
  return from > at ? from : undefined
}

/** The most UTF-16 units of a note. */
export const maxNoteLength = (tier: LinkedInTier): number => (tier === "FREE" ? 200 : 300)

/** The note, if the account may send one that long. Fails with INVALID_INPUT; `path` is the input field. */
export const noteFor = (
  note: string | null,
  tier: LinkedInTier,
  path: string
): Result.Result<string | null, InvalidInput> => {
  const most = maxNoteLength(tier)
  if (note === null || note.length <= most) return Result.succeed(note)
  return Result.fail(
    new InvalidInput({
      message: `${path}: has ${note.length} characters, and an account with ${tier} may send at most ${most}. Shorten it.`
    })
  )
}

/** The request; the lead is locked. */
interface InvitationRequest {
  readonly account: LinkedInAccount
  readonly leadId: Ids.LeadId
  readonly draftId: Ids.DraftId | null
  readonly note: string | null
  readonly bypass: boolean
  readonly recipient: ReadonlyArray<Identity>
  readonly requestedBy: DraftActor
}

const tooSoon = (leadId: Ids.LeadId, from: string): WrongState =>
  new WrongState({
    message: `The invitation to lead ${leadId} was withdrawn, and LinkedIn refuses another for 21 days. Retry after ${from.slice(0, 10)}.`
  })

/**
 * Finds the live invitation of the pair, or makes one that is queued and not stored yet. A queued one takes over note, bypass, draft and recipient of the request. Fails with
 * WRONG_STATE within 21 days of a withdrawal.
 */
export const requestInvitation = Effect.fnUntraced(function* (request: InvitationRequest) {
  const { account, bypass, draftId, leadId, note, recipient, requestedBy } = request
  const { agentId, id: accountId, organizationId } = account
  const at = yield* Ids.now
  const bound = (words: string | null) => approvalOf({ recipient, sender: accountId, missionId: null, words: [words] })
  const earlier = yield* invitationsOf(organizationId, leadId)
  const ofPair = earlier.filter((one) => one.accountId === accountId)
  const live = ofPair.find(isLive)
  if (live !== undefined) {
    // What was wanted for another person, such as a note, is not kept.
    const isSame = isSameRecipient(live.approved.recipient, recipient)
    const kept = isSame ? live : { note: null, bypass: false, draftId: null }
    const wanted = { note: note ?? kept.note, bypass: kept.bypass || bypass, draftId: kept.draftId ?? draftId }
    const isNoteSame = isSame && wanted.note === live.note
    const isChanged = !isNoteSame || wanted.bypass !== live.bypass || wanted.draftId !== live.draftId
    if (live.state !== "queued" || !isChanged) return { isNew: false, invitation: live }
    const asked = { ...wanted, approved: bound(wanted.note) }
    const invitation = changed(live, isNoteSame ? asked : { ...asked, requestedBy }, at)
    yield* (yield* TransmissionsRepo).save(organizationId, [invitation])
    return { isNew: false, invitation }
  }
  const from = reinviteFrom(ofPair, at)
  if (from !== undefined) return yield* tooSoon(leadId, from)
  const id = yield* (yield* Ids.Ids).next("inv")
  const invitation: Invitation = {
    ...freshRow,
    kind: "invitation",
    id,
    organizationId,
    accountId,
    agentId,
    leadId,
    draftId,
    missionId: null,
    state: "queued",
    note,
    bypass,
    approved: bound(note),
    requestedBy,
    externalId: null,
    notBefore: at,
    createdAt: at,
    updatedAt: at
  }
  return { isNew: true, invitation }
})
