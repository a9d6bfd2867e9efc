/** When an approver wants something to leave. */

import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { nextMorning } from "../agents/WorkingHours.ts"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { type InstantText, isoFromMillis } from "../kernel/schema/IdsAndTime.ts"
import { dateTimeOr } from "../kernel/schema/TextFields.ts"
import { secondsAfter } from "./SendOptions.ts"
import type { TransmissionView } from "./Transmission.ts"

const morning = "next_morning"

/** Input field `not_before` of an approval. */
export const NotBefore = Schema.optionalKey(
  dateTimeOr(
    morning,
    "Earliest time, or next_morning. A time has a UTC offset and is at most a year ahead; next_morning is the start of the " +
      "next working day in the lead's time zone"
  )
)

/** When something leaves that is approved at `at`: after the hold, or at the time asked for if that is later. */
export const leavingAt = (at: InstantText, holdSeconds: number, wanted: InstantText | undefined) => {
  const notBefore = secondsAfter(at, holdSeconds)
  return wanted === undefined || wanted <= notBefore
    ? { notBefore, reason: null }
    : { notBefore: wanted, reason: "scheduled" as const }
}

/** What decides when a morning begins. */
interface Parties {
  readonly agent: Pick<TransmissionView["agent"], "timezone" | "workingHours">
  readonly lead: Pick<TransmissionView["lead"], "timezone">
}

/** Whether an instant is after another one, by a year at most. */
export const isInNextYear = (instant: InstantText, at: InstantText): boolean =>
  instant > at && Date.parse(instant) <= Date.parse(at) + 366 * 86_400_000

const refused = (message: string) => Result.fail(new InvalidInput({ message }))

/** The instant that was asked for at `at`; undefined without one. Fails with INVALID_INPUT for one that is not in the next year. */
export const scheduledAt = (
  wanted: string | undefined,
  { agent, lead }: Parties,
  at: InstantText
): Result.Result<InstantText | undefined, InvalidInput> => {
  if (wanted === undefined) return Result.succeed(undefined)
  if (wanted === morning) {
    const start = nextMorning(agent.workingHours, lead.timezone || agent.timezone, Date.parse(at))
    if (start !== undefined) return Result.succeed(isoFromMillis(start))
    return refused("not_before: the agent has no working days. Change its working hours with agent.update.")
  }
  return isInNextYear(wanted, at)
    ? Result.succeed(wanted)
    : refused("not_before must be in the future, at most a year from now.")
}
