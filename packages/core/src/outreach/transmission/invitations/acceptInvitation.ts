/** A person and an account turned out to be connected: their invitation is over. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidInput } from "../../../kernel/failure/failures.ts"
import type { AccountId, LeadId, OrganizationId } from "../../../kernel/schema/IdsAndTime.ts"
import type { LinkedInTier } from "../../provider/LinkedInAccount.ts"
import { decideEach, store } from "../carryOut.ts"
import { secondsAfter } from "../SendOptions.ts"
import { type Invitation, isLive } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/**
 * Ends the live invitation of an account to a lead that is held, in the transaction that runs. One that was sent, or may
 * have been, is accepted, and said to be so once; one that waits is no longer needed. One that is being transmitted is
 * left to whoever transmits it.
 */
export const acceptInvitation = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  accountId: AccountId,
  leadId: LeadId,
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
export const invitationsOf = (organizationId: OrganizationId, leadId: LeadId) =>
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
