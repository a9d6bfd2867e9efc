/** The rules of invitations to connect that need nothing else. */

import * as Result from "effect/Result"
import { InvalidInput } from "../../../kernel/failure/failures.ts"
import type { LinkedInTier } from "../../provider/LinkedInAccount.ts"
import { secondsAfter } from "../SendOptions.ts"
import type { Invitation } from "../Transmission.ts"

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
