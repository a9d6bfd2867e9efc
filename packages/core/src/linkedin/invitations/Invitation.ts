/**
 * Invitations to connect: what is stored of one, and the rules that need nothing else.
 *
 * There is at most one live invitation of an account to a lead, whoever asked for it. Source: catalogue 4.1
 * linkedin.invitation.send and linkedin.invitation.withdraw; G29, G39; contract 7 "Sending".
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../../Failure.ts"
import type { QueueReason } from "../DraftRow.ts"
import type { LinkedInTier } from "../LinkedInAccount.ts"
import { secondsAfter } from "../SendOptions.ts"

/**
 * Where an invitation is.
 *
 * - `queued`: it leaves later
 * - `sending`: it is being transmitted
 * - `pending`: the provider has it, and the person has not answered
 * - `ambiguous`: it may have been sent; nothing sends it again
 * - `accepted`, `withdrawn`, `failed`, `cancelled`: it is over
 */
export const InvitationState = Schema.Literals([
  "queued",
  "sending",
  "pending",
  "ambiguous",
  "accepted",
  "withdrawn",
  "failed",
  "cancelled"
])
export type InvitationState = typeof InvitationState.Type

/** An invitation as stored. Instants are ISO texts. Its id is the key that a provider sees for every try. */
export interface Invitation {
  readonly id: string
  readonly organizationId: string
  readonly accountId: string
  readonly agentId: string
  readonly leadId: string
  /** The draft whose message waits for it; null when it was asked for by itself. */
  readonly draftId: string | null
  readonly state: InvitationState
  readonly reason: QueueReason | null
  readonly note: string | null
  /** True when usage limits and working hours do not hold it back: it goes with send_now. */
  readonly bypass: boolean
  /** The provider's id of it, null when it gave none. */
  readonly externalId: string | null
  /** Transmissions begun; an outcome is written only for the one that it belongs to. */
  readonly attempts: number
  /** Failures in a row that trying again may mend. */
  readonly failures: number
  /** When to try, or to look, next; null where nothing but the person moves it on. */
  readonly notBefore: string | null
  /** When the provider took it, and when it was accepted, withdrawn or ended otherwise. */
  readonly sentAt: string | null
  readonly endedAt: string | null
  /** Until when one process alone works on it, and how often it was leased. Kept by the store only. */
  readonly leaseUntil: string | null
  readonly fence: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Whether there may be no other beside it. */
export const isLive = ({ state }: Pick<Invitation, "state">): boolean =>
  state === "queued" || state === "sending" || state === "pending" || state === "ambiguous"

/** How long a person is left alone after an invitation was taken back, in seconds: 21 days. Source: G39. */
export const reinviteSeconds = 21 * 86_400

/** From when on a person may be invited again; undefined when nothing was taken back, or long enough ago. */
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

/** The most UTF-16 units of a note. Source: G29. */
export const longestNote = (tier: LinkedInTier): number => (tier === "FREE" ? 200 : 300)

/** The note, if the account may send one that long. Fails with INVALID_INPUT; `path` is the input field. */
export const noteFor = (
  note: string | null,
  tier: LinkedInTier,
  path: string
): Result.Result<string | null, Failure> => {
  const most = longestNote(tier)
  if (note === null || note.length <= most) return Result.succeed(note)
  return Result.fail(
    fail(
      "INVALID_INPUT",
      `${path}: has ${note.length} characters, and an account with ${tier} may send at most ${most}. Shorten it.`
    )
  )
}

/** What is counted when it is sent. */
export const actionOf = ({ note }: Pick<Invitation, "note">): "invitation" | "invitation_with_note" =>
  note === null ? "invitation" : "invitation_with_note"

/** An invitation that is over. */
export const endedInvitation = (
  invitation: Invitation,
  state: "accepted" | "withdrawn" | "failed" | "cancelled",
  reason: QueueReason | null,
  at: string
): Invitation => ({ ...invitation, state, reason, notBefore: null, endedAt: at, updatedAt: at })
